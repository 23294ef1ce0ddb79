import JSONText
package import OutboxFormat
package import SQLite
import Migrations
package import RowRewriting

/// Counts what would become of the rows of an outbox that were sent, in the form that the app sends.
///
/// No other row and no entity has to do with them: they are counted in the pass that a plan makes anyway.
package struct HistoryCount {
  private let program: RowProgram
  private let delivery: Delivery

  /// The delivery's columns: it has 150 bytes, which would be copied for every row.
  private let source: Delivery.Source
  package private(set) var counts = DeliveryCounts()

  /// The first row that can't be read.
  package private(set) var refusal: RowError?

  package init(_ program: RowProgram, _ delivery: Delivery) {
    self.program = program
    self.delivery = delivery
    source = delivery.source
  }

  /// Counts a row that was sent.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - kind: The kind of its event; none of a type that no app wrote.
  ///   - keys: The keys of its payload; of what is no JSON text, none.
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

  /// Adds what was counted of other rows.
  package mutating func add(_ other: HistoryCount) {
    counts.add(other.counts)
    refusal = .first(refusal, other.refusal)
  }

  /// Counts a row that can't be sent, or has no date that can be read.
  private mutating func count(
    _ row: borrowing Statement, _ keys: PayloadKeys
  ) throws(RowError) {
    switch try delivery.reading(of: row, program, keys: keys, hasFacts: false) {
    case .event:
      _ = try delivery.place(of: row, program)
      counts.noteHistory()
    case .unsendable(let reason):
      counts.note(.quarantined(reason), nil)
      if delivery.holdsSecret(row) { counts.secrets += 1 }
    }
  }
}

extension Delivery.Source {
  /// Returns whether a row of this kind was sent, and is written in the form of the versions up to V6.
  package func isHistory(_ row: borrowing Statement, _ kind: EventKind?) -> Bool {
    guard kind?.isRouted != true else { return false }
    return row.type(at: status) == .text
      && row.withBytes(at: status) { $0.holdsSameBytes(as: Self.completed.span) }
  }

  private static let completed = Array(OutboxEventStatus.completed.rawValue.utf8)
}

extension Statement {
  /// Returns whether a column holds a date, or nothing.
  fileprivate func hasDate(at column: Int) -> Bool {
    switch type(at: column) {
    case .null, .integer, .real: true
    case .text, .blob: false
    }
  }
}
