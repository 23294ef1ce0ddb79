import StoreExchange
import StoreAccess
import OutboxFormat
import SQLite
import StoreFormat
package import Migrations
import RowRewriting
package import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Restores rows of the quarantine to the store's outbox.
  ///
  /// Deliverable rows are restored only if the app would send them now, for example because their
  /// entity exists again, or is gone at last. Documented rows are all restored, and the app may
  /// stop at them. A row with a password or a token, which would be readable then, is restored as
  /// documented only if you name it.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - form: The form in which the rows are written.
  ///   - names: The rows to restore, by UUID or `SDOutboxEvent/key`; empty for all.
  ///   - userID: The owner of rows that name none, as the user typed it; `nil` for the apply's own.
  ///   - isDryRun: Whether to restore the rows to a temporary copy only.
  /// - Returns: What was restored, or would be.
  /// - Throws: A ``MigrationError``, as ``edit(_:as:keepingSnapshot:_:)`` does.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  package func restoreQuarantine(
    of path: String, as form: MigrationRequest.Rows = .deliverable, rows names: [String] = [],
    userID: String? = nil, isDryRun: Bool = false
  ) throws(MigrationError) -> QuarantineRestoreReport {
    try reported(path) {
      let selection = try QuarantineSelection(names)
      let restoring = QuarantineReturn(
        path: path, files: try StoreFiles(resolving: path), form: form, selection: selection,
        userID: userID, catalog: catalog)
      let (edit, counts) =
        isDryRun
        ? try tryEdit(path, restoring.carryOut(on:))
        : try edit(path, as: "quarantine restore", restoring.carryOut(on:))
      var report = counts
      report.snapshot = edit.snapshot
      report.notes = edit.notes
      return report
    }
  }
}

/// What a restore from a quarantine did.
package struct QuarantineRestoreReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The form in which the rows were written.
  package let form: MigrationRequest.Rows

  /// The number of restored rows, and of rows that were in the store already.
  package internal(set) var restored: Int64 = 0
  package internal(set) var present: Int64 = 0

  /// The number of rows that stay because other rows have their keys.
  package internal(set) var taken: Int64 = 0

  /// The number of rows that stay because they hold a secret and weren't named.
  package internal(set) var withheld: Int64 = 0

  /// The number of rows that stay, by the reason that holds now.
  package internal(set) var staying: [QuarantineReason: Int64] = [:]

  /// The number of rows that stay because others cancel them or send the same.
  package internal(set) var settled: Int64 = 0

  /// The path of the snapshot of the store before; `nil` if nothing was restored.
  package internal(set) var snapshot: String?

  /// Sentences about what an interrupted earlier run left, and what was done about it.
  package internal(set) var notes: [String] = []
}

/// Restores rows of a quarantine to a copy of the store.
struct QuarantineReturn {
  let path: String
  let files: StoreFiles
  let form: MigrationRequest.Rows
  let selection: QuarantineSelection
  let userID: String?
  let catalog: Catalog

  /// The schema name of the temporary database with the rows to restore.
  private static let keptSchema = "kept"

  func carryOut(on connection: borrowing Connection) throws -> QuarantineRestoreReport {
    let store = try StoreDescription(reading: connection)
    let quarantine = try Quarantine.find(for: files, store, typed: path)
    guard let model = store.cachedModel else {
      throw VersionError.noModel(path, reasons: store.problems)
    }
    try connection.attach(
      quarantine.snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
    let replay = try Replay(
      quarantine.receipt, of: quarantine.snapshot, present: model, catalog: catalog, connection,
      userID: userID)
    try connection.detach(Replay.oldSchema)
    guard let (program, delivery) = replay.program.delivery else {
      throw RequestError.noQuarantine(path)
    }
    var report = QuarantineRestoreReport(path: path, form: form)
    try fill(quarantine, program, replay, connection, &report)
    try connection.begin(.immediate)
    try restore(program, delivery, replay, connection, &report)
    try connection.commit()
    try connection.detach(Self.keptSchema)
    return report
  }

  /// Copies the rows to restore into a temporary table with the columns of the old outbox.
  private func fill(
    _ quarantine: Quarantine, _ program: RowProgram, _ replay: Replay,
    _ connection: borrowing Connection, _ report: inout QuarantineRestoreReport
  ) throws {
    try connection.attach(path: "", as: Self.keptSchema, mode: .temporary)
    let columns = ["Z_PK"] + program.namedColumns
    let names = columns.map(quoteIdentifier).joined(separator: ", ")
    let table = qualified(program.sourceTable, in: Self.keptSchema)
    try connection.execute("CREATE TABLE \(table) (\(names), PRIMARY KEY (Z_PK)) WITHOUT ROWID")
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    var insertion = try connection.prepare("INSERT INTO \(table) VALUES (\(places))")
    var presence = try quarantine.presence(connection, schema: "main")
    var selection = selection
    var counts = report
    try quarantine.file.read { row in
      let isNamed = selection.takes(row)
      guard isNamed || selection.isOfAll else { return }
      switch try presence.place(of: row) {
      case .holding: counts.present += 1
      case .taken: counts.taken += 1
      case .free where form == .documented && row.holdsSecret && !isNamed: counts.withheld += 1
      case .free:
        try insertion.bind(
          [.integer(row.key)] + program.namedColumns.map { row.value(of: $0) ?? .null })
        try insertion.run()
      }
    }
    if let name = selection.missing { throw RequestError.notInQuarantine(name) }
    report = counts
  }

  private func restore(
    _ program: RowProgram, _ delivery: Delivery, _ replay: Replay,
    _ connection: borrowing Connection, _ report: inout QuarantineRestoreReport
  ) throws {
    let entities = EntityTable.all(
      of: OutboxSubject.allCases.map(\.eventType), in: replay.program.targetLayout)
    var pass = try DeliveryPass(
      program, delivery, connection, schema: Self.keptSchema, entities: (entities, "main"))
    var insertion = try self.insertion(into: program.table, connection)
    var queue = try QueuePresence(program.table, connection)
    var row = try connection.prepare(program.query(schema: Self.keptSchema))
    while try row.step() {
      let outcome = try queue.adjusted(pass.outcome(of: row, connection))
      if form == .deliverable, let fate = outcome.fate {
        report.stay(fate)
        continue
      }
      for place in program.table.columns.indices {
        let value =
          form == .deliverable
          ? try pass.value(of: place, outcome, row) : try pass.documentedValue(of: place, row)
        if place == delivery.target.userID, value.isNull {
          throw RequestError.userIDNeeded(candidates: replay.ownerCandidates)
        }
        try insertion.bind(value, at: place + 1)
      }
      try insertion.run()
      report.restored += 1
    }
  }

  private func insertion(
    into table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement {
    let columns = table.columns.map { quoteIdentifier($0.name) }
    return try connection.prepare(
      """
      INSERT INTO \(qualified(table.name, in: "main")) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
  }
}

extension QuarantineRestoreReport {
  fileprivate mutating func stay(_ fate: SetAsideRows.Fate) {
    switch fate {
    case .quarantined(let reason): staying[reason, default: 0] += 1
    case .cancelled, .folded: settled += 1
    }
  }
}

/// Looks up whether a row that isn't sent yet is about an entity.
private struct QueuePresence: ~Copyable {
  private var statement: Statement

  init(_ table: Table, _ connection: borrowing Connection) throws(SQLiteError) {
    func column(_ name: String) -> String {
      quoteIdentifier(table.attributeColumn(name, of: table.rootEntity) ?? name)
    }
    statement = try connection.prepare(
      """
      SELECT 1 FROM \(qualified(table.name, in: "main"))
      WHERE \(column("entityID")) = ?1 AND \(column("status")) <> 'completed' LIMIT 1
      """)
  }

  /// Returns what becomes of a row beside those that are still to be sent.
  mutating func adjusted(_ outcome: OutboxOutcome) throws(SQLiteError) -> OutboxOutcome {
    guard case .delivered(var written) = outcome, try holds(written.entity) else { return outcome }
    // Another row will have given the entity its id on the server by then.
    written.isNewRecord = false
    return .delivered(written)
  }

  private mutating func holds(_ entity: [UInt8]) throws(SQLiteError) -> Bool {
    try statement.bindBlob(entity.span, at: 1)
    guard try statement.step() else { return false }
    try statement.run()
    return true
  }
}
