import JSONText
import SQLite

/// Counts what would become of the rows of an outbox that were sent, in the form that the app sends.
///
/// No other row and no entity has to do with them: they are counted in the pass that a plan makes anyway.
struct HistoryCount {
  private let program: RowProgram
  private let delivery: Delivery
  private(set) var counts = DeliveryCounts()

  /// The first row that can't be read.
  private(set) var refusal: MigrationError?

  init(_ program: RowProgram, _ delivery: Delivery) {
    self.program = program
    self.delivery = delivery
  }

  /// Counts a row that was sent.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - kind: The kind of its event; none of a type that no app wrote.
  ///   - keys: The keys of its payload; of what is no JSON text, none.
  mutating func look(at row: borrowing Statement, _ kind: EventKind?, _ keys: PayloadKeys) {
    if case .some = refusal { return }
    do throws(MigrationError) { try count(row, kind, keys) } catch { refusal = error }
  }

  /// Adds what was counted of other rows.
  mutating func add(_ other: HistoryCount) {
    counts.add(other.counts)
    refusal = [refusal, other.refusal].firstRefusal
  }

  private mutating func count(
    _ row: borrowing Statement, _ kind: EventKind?, _ keys: PayloadKeys
  ) throws(MigrationError) {
    let intent = kind?.intent
    let isReadable = row.withBytes(at: delivery.source.payload) { text in
      intent.map { OutboxPayload.isReadable(text, keys, for: $0) } ?? false
    }
    if isReadable {
      _ = try delivery.place(of: row, program)
      counts.noteHistory()
    } else if case .unsendable(let reason) = try delivery.reading(
      of: row, program, keys: keys, hasFacts: false)
    {
      counts.note(.quarantined(reason), nil)
      if delivery.holdsSecret(row) { counts.secrets += 1 }
    }
  }
}

extension Delivery {
  /// Returns whether a row of this kind was sent, and is written in the form of the versions up to V6.
  func isHistory(_ row: borrowing Statement, _ kind: EventKind?) -> Bool {
    guard kind?.isRouted != true else { return false }
    return row.withText(at: source.status) { $0.holdsSameBytes(as: Self.completed.span) } == true
  }

  private static let completed = Array(OutboxStatus.completed.rawValue.utf8)

  /// What holds of the rows that aren't history, and of those that some of them depend on, in SQL.
  func concernsQueue(_ program: RowProgram) -> String {
    func list(_ types: [String]) -> String {
      types.map { "'\($0)'" }.joined(separator: ", ")
    }
    let status = program.expression(ofColumn: source.status)
    let type = program.expression(ofColumn: source.eventType)
    let deletes = EventKind.names.filter { OutboxIntent(eventType: $0)?.deed == .delete }
    let routed = OutboxSubject.allCases.map(\.eventType)
    return """
      (\(status) IS NOT '\(OutboxStatus.completed.rawValue)' OR \(type) IN (\(list(deletes + routed))))
      """
  }
}
