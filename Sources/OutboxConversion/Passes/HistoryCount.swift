import JSONText
import OutboxCore
package import OutboxFormat
package import SQLite
import Migrations
package import RowRewriting

/// Counts the outcomes of an outbox's sent rows, with `--rows deliverable`.
///
/// The outcomes depend on no other row and no entity: the rows are counted in the pass that a plan
/// makes anyway.
package struct HistoryCount {
  private let program: RowProgram
  private let delivery: Delivery

  /// The delivery's source columns, kept apart because using the delivery copies it for every row.
  ///
  /// A delivery has 150 bytes.
  private let source: Delivery.Source
  package private(set) var counts = DeliveryCounts()

  /// The first row that can't be read.
  package private(set) var refusal: RowError?

  package init(_ program: RowProgram, _ delivery: Delivery) {
    self.program = program
    self.delivery = delivery
    source = delivery.source
  }

  /// Counts a sent row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - kind: The kind of the row's event; `nil` if no app wrote such a type.
  ///   - keys: The keys of the row's payload; empty if the payload isn't JSON.
  package mutating func look(at row: borrowing Statement, _ kind: EventKind?, _ keys: PayloadKeys) {
    // '== nil' would copy the error for every row.
    if case .some = refusal { return }
    if isReadable(row, kind, keys), row.hasDate(at: source.createdAt) {
      counts.noteHistory()
    } else {
      do throws(RowError) { try count(row, keys) } catch { refusal = error }
    }
  }

  private func isReadable(
    _ row: borrowing Statement, _ kind: EventKind?, _ keys: PayloadKeys
  ) -> Bool {
    guard let intent = kind?.intent else { return false }
    return row.withBytes(at: source.payload) {
      OutboxPayload.isReadable($0, keys, for: intent)
    }
  }

  /// Adds the counts of other rows.
  package mutating func add(_ other: HistoryCount) {
    counts.add(other.counts)
    refusal = .first(refusal, other.refusal)
  }

  /// Reads and counts a row that the quick checks don't accept.
  private mutating func count(
    _ row: borrowing Statement, _ keys: PayloadKeys
  ) throws(RowError) {
    switch try delivery.reading(of: row, program, keys: keys, hasFacts: false) {
    case .event:
      _ = try delivery.place(of: row, program)
      counts.noteHistory()
    case .unsendable(let reason):
      counts.note(.quarantined(reason), nil)
      if delivery.holdsSecret(row, reason) { counts.secrets += 1 }
    }
  }
}

extension Delivery.Source {
  /// Returns whether a row of this kind was sent, and has the form of the versions up to V6.
  package func isHistory(_ row: borrowing Statement, _ kind: EventKind?) -> Bool {
    guard kind?.isRouted != true else { return false }
    return row.type(at: status) == .text
      && row.withBytes(at: status) { $0.holdsSameBytes(as: Self.completed.span) }
  }

  private static let completed = Array(OutboxEventStatus.completed.rawValue.utf8)
}

extension Statement {
  /// Returns whether a column holds a date or is null.
  fileprivate func hasDate(at column: Int) -> Bool {
    switch type(at: column) {
    case .null, .integer, .real: true
    case .text, .blob: false
    }
  }
}
