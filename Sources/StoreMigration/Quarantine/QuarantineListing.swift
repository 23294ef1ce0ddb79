import Platform
import StoreModel
import OutboxFormat
import StoreExchange
import SQLite
import StoreFormat
package import OutboxConversion

extension StoreMigrator {
  /// Lists the rows that an apply quarantined, without changing a byte of the store.
  ///
  /// - Parameter path: The path of the store's main file.
  /// - Returns: The rows, without their values.
  /// - Throws: A ``MigrationError``, such as ``RequestError/noQuarantine(_:)`` if the apply that
  ///   made the store quarantined nothing, or ``RequestError/lostQuarantine(_:rows:)`` if its file
  ///   is missing.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  package func quarantine(of path: String) throws(MigrationError) -> QuarantineReport {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      return try inspection.reading {
        let quarantine = try Quarantine.find(
          for: inspection.files, inspection.store, typed: path)
        var report = QuarantineReport(
          path: path, file: quarantine.shownPath(beside: path), from: quarantine.receipt.from,
          to: quarantine.receipt.to)
        try inspection.connection.begin(.deferred)
        var present = try quarantine.presence(inspection.connection, schema: "main")
        try quarantine.file.read { row in
          try report.add(row, isBack: present.place(of: row) == .holding)
        }
        try inspection.connection.rollback()
        return report
      }
    }
  }
}

/// The rows that an apply quarantined.
package struct QuarantineReport: Hashable, Sendable {
  /// One of the rows, without its values.
  package struct Row: Hashable, Sendable {
    /// The row's primary key.
    package let key: Int64

    /// Why the row was quarantined.
    package let reason: QuarantineReason

    /// The event type; `nil` if no version of the app writes it.
    package let eventType: String?

    /// Whether the row is in the store again.
    package let isBack: Bool
  }

  /// The path as it was typed.
  package let path: String

  /// The path of the file that has the complete rows.
  package let file: String

  /// The version that the rows belong to, and the one that the store was brought to.
  package let from: String
  package let to: String

  /// The number of rows by reason.
  package private(set) var counts: [QuarantineReason: Int64] = [:]

  /// The number of rows that are in the store again.
  package private(set) var back: Int64 = 0

  /// The first rows, at most ``limit``.
  package private(set) var rows: [Row] = []

  /// The maximum number of rows in a report.
  package static let limit = 1_000

  init(path: String, file: String, from: String, to: String) {
    self.path = path
    self.file = file
    self.from = from
    self.to = to
  }

  mutating func add(_ row: QuarantinedRow, isBack: Bool) {
    counts[row.reason, default: 0] += 1
    if isBack { back += 1 }
    guard rows.count < Self.limit else { return }
    let type = row.value(of: "ZEVENTTYPE")?.string ?? ""
    rows.append(
      Row(
        key: row.key, reason: row.reason,
        eventType: EventKind.names.contains(type) ? type : nil, isBack: isBack))
  }
}

/// The quarantine of the apply that brought a store to its version.
struct Quarantine {
  let snapshot: SnapshotFolder
  let receipt: Receipt

  var file: QuarantineFile { QuarantineFile(snapshot.file(.quarantine)) }

  func shownPath(beside path: String) -> String {
    snapshot.path(beside: path) + "/quarantine.jsonl"
  }

  /// Finds the quarantine of the newest apply that left a store of the present model.
  ///
  /// Edits since then don't matter.
  static func find(
    for files: StoreFiles, _ store: StoreDescription, typed path: String
  ) throws -> Quarantine {
    let digest = store.metadata?.hashes?.digest
    let found = try SnapshotFolder.done(of: files).last {
      $0.1.kind == .apply && $0.1.digest == digest
    }
    guard let (snapshot, receipt) = found,
      let rows = try RunDetails(of: receipt, snapshot: snapshot.name).delivery?.quarantinedRows,
      rows > 0
    else { throw RequestError.noQuarantine(path) }
    let quarantine = Quarantine(snapshot: snapshot, receipt: receipt)
    guard try quarantine.file.file.statusIfPresent() != nil else {
      throw RequestError.lostQuarantine(quarantine.shownPath(beside: path), rows: rows)
    }
    return quarantine
  }

  /// Prepares a lookup of quarantined rows in the outbox.
  func presence(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> RowPresence {
    RowPresence(
      statement: try connection.prepare(
        "SELECT ZID FROM \(qualified("ZSDOUTBOXEVENT", in: schema)) WHERE Z_PK = ?1",
        isPersistent: true))
  }
}

/// Looks up quarantined rows in the outbox, by their keys.
struct RowPresence: ~Copyable {
  private var statement: Statement

  init(statement: consuming Statement) { self.statement = statement }

  /// What the outbox has under a row's key.
  enum Place: Hashable {
    case free

    /// The row itself: the ids are equal.
    case holding

    /// Another row.
    case taken
  }

  mutating func place(of row: QuarantinedRow) throws(SQLiteError) -> Place {
    try statement.bindInt64(row.key, at: 1)
    guard try statement.step() else { return .free }
    let id = statement.value(at: 0)
    try statement.run()
    return id == row.value(of: "ZID") ? .holding : .taken
  }
}
