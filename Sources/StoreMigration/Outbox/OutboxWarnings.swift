import Migrations
import OutboxConversion
import OutboxFormat
import RowRewriting
import SQLite
import StoreProof

/// Reads a documented outbox for the warnings of `apply`, beside the pass that writes its rows.
struct OutboxWarnings: Sendable {
  private let rows: RowProgram
  private let columns: OutboxAudit.Columns

  /// What was counted so far.
  private var audit: OutboxAudit
  private var count: Int64 = 0

  /// Whether the rows could be written in the deliverable form instead.
  private let hasDeliverableForm: Bool

  /// The keys of the rows whose payloads are large.
  private var large: [Int64] = []

  /// The largest payload, in bytes, that is read beside the pass that writes.
  ///
  /// That pass may hold a large value itself: no two of them are to be in memory at once.
  private static let limit = 1 << 20

  /// Prepares to read the outbox of a program; `nil` unless documented rows are made of one.
  init?(_ program: StoreProgram, owner: Value?) {
    guard program.rows == .documented,
      let rows = program.rewrites.first(where: { OutboxAudit.Columns($0) != nil }),
      let columns = OutboxAudit.Columns(rows),
      let audit = OutboxAudit(
        rows, columns: OutboxAudit.Columns(eventType: 0, status: 1, id: 2, payload: 3),
        owner: owner)
    else { return nil }
    self.rows = rows
    self.columns = columns
    self.audit = audit
    hasDeliverableForm = Delivery(rows, in: program.sourceLayout) != nil
  }

  /// Counts the rows, except those with large payloads.
  ///
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  mutating func readSmall(_ connection: borrowing Connection) throws(SQLiteError) {
    let payload = rows.expression(ofColumn: columns.payload)
    // The length of a BLOB is known without its bytes; that of a text isn't.
    let isSmall =
      "(\(payload) IS NULL OR (typeof(\(payload)) = 'blob' AND length(\(payload)) <= \(Self.limit)))"
    var row = try connection.prepare(
      query("CASE WHEN \(isSmall) THEN \(payload) END", "CASE WHEN NOT \(isSmall) THEN Z_PK END")
        + " NOT INDEXED" + (rows.rowCondition.map { " WHERE \($0)" } ?? ""), isPersistent: true)
    while try row.step() {
      if row.isNull(at: 4) { look(at: row) } else { large.append(row.int64(at: 4)) }
    }
  }

  /// Counts the rows with large payloads, after the pass that writes.
  mutating func readLarge(_ connection: borrowing Connection) throws(SQLiteError) {
    let payload = rows.expression(ofColumn: columns.payload)
    for key in large {
      var row = try connection.prepare(query(payload, "NULL") + " WHERE Z_PK = ?1")
      try row.bind(.integer(key), at: 1)
      if try row.step() { look(at: row) }
    }
    large = []
  }

  /// The warnings about the rows: a plan's, without the numbers of `--rows deliverable`.
  var warnings: [PlanWarning] {
    guard hasDeliverableForm, count > 0 else { return audit.warnings }
    let message =
      "the rows aren't in the form that the app sends; 'apply --rows deliverable' writes that form"
    return audit.warnings + [PlanWarning(code: "not-deliverable", rows: count, message: message)]
  }

  private mutating func look(at row: borrowing Statement) {
    let keys = row.withBytes(at: 3) { PayloadKeys($0) }
    audit.look(at: row, EventKind.kind(of: row, at: 0), keys)
    count += 1
  }

  private func query(_ payload: String, _ large: String) -> String {
    let names = [columns.eventType, columns.status, columns.id].map {
      rows.expression(ofColumn: $0)
    }
    return "SELECT \(names.joined(separator: ", ")), \(payload), \(large) "
      + "FROM \(qualified(rows.sourceTable, in: "main"))"
  }
}
