import Platform
import SQLite
import StoreFormat
import StoreModel

extension StoreMigrator {
  /// Puts rows of the quarantine into the store's outbox.
  ///
  /// In the form that the app sends, those come back which it would send by now: the entity is there
  /// again, or gone at last. As documented, all of them do, and the app may stop at them.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - form: How the rows are written.
  /// - Returns: What came back.
  /// - Throws: A ``MigrationError``; the store is then as it was.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  public func restoreQuarantine(
    of path: String, as form: MigrationRequest.Rows = .deliverable
  ) throws(MigrationError) -> QuarantineRestoreReport {
    let files = try StoreFiles(resolving: path)
    do {
      var found = Aftermath()
      try found.settle(files, typed: path)
      let store = try ExclusiveStore.take(files, typed: path)
      let report: QuarantineRestoreReport
      do {
        try store.checkFiles(typed: path)
        report = try QuarantineReturn(path: path, files: files, form: form, catalog: catalog)
          .carryOut(on: store.connection, notes: found.notes)
      } catch {
        try? store.connection.rollback()
        try? store.release()
        throw error
      }
      try store.connection.walCheckpointTruncate()
      try store.release()
      return report
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }
}

/// What came back from a quarantine.
public struct QuarantineRestoreReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// How the rows were written.
  public let form: MigrationRequest.Rows

  /// The rows that are in the store now, and those that were before.
  public internal(set) var restored: Int64 = 0
  public internal(set) var present: Int64 = 0

  /// The rows that stay, by the reason that holds now.
  public internal(set) var staying: [QuarantineReason: Int64] = [:]

  /// The rows that stay because others in the quarantine take them back, or send the same.
  public internal(set) var settled: Int64 = 0

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}

/// Brings rows of a quarantine back, in one transaction.
struct QuarantineReturn {
  let path: String
  let files: StoreFiles
  let form: MigrationRequest.Rows
  let catalog: Catalog

  /// The names under which the snapshot, and the rows that were kept out, are attached.
  private static let keptSchema = "kept"

  func carryOut(
    on connection: borrowing Connection, notes: [String]
  ) throws -> QuarantineRestoreReport {
    let store = try StoreDescription(reading: connection)
    let quarantine = try Quarantine.find(for: files, store, typed: path)
    guard let model = store.cachedModel else {
      throw MigrationError.noModel(path, reasons: store.problems)
    }
    try connection.attach(
      path: quarantine.snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
    let replay = try Replay(
      quarantine.receipt, of: quarantine.snapshot, present: model, catalog: catalog, connection)
    try connection.detach(Replay.oldSchema)
    guard let (program, delivery) = replay.program.delivery else {
      throw MigrationError.noQuarantine(path)
    }
    var report = QuarantineRestoreReport(path: path, form: form, notes: notes)
    try fill(quarantine, program, replay, connection, &report)
    try connection.begin(.immediate)
    try restore(program, delivery, replay, connection, &report)
    try connection.commit()
    try connection.detach(Self.keptSchema)
    return report
  }

  /// Puts the rows that aren't back yet into a table like the old one.
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
    var present: Int64 = 0
    try quarantine.file.read { row in
      if try presence.holds(row.key) {
        present += 1
        return
      }
      try insertion.bind(
        [.integer(row.key)] + program.namedColumns.map { row.value(of: $0) ?? .null })
      try insertion.run()
    }
    report.present = present
  }

  private func restore(
    _ program: RowProgram, _ delivery: Delivery, _ replay: Replay,
    _ connection: borrowing Connection, _ report: inout QuarantineRestoreReport
  ) throws {
    let entities = OutboxSubject.allCases.compactMap {
      EntityTable($0, in: replay.program.targetLayout)
    }
    var pass = try DeliveryPass(
      program, delivery, connection, schema: Self.keptSchema, entities: (entities, "main"))
    let columns = program.table.columns.map(\.name)
    let table = qualified(program.table.name, in: "main")
    var insertion = try connection.prepare(
      """
      INSERT INTO \(table) (\(columns.map(quoteIdentifier).joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
    var queue = try QueuePresence(program.table, connection)
    var row = try connection.prepare(program.query(schema: Self.keptSchema))
    while try row.step() {
      var outcome = try pass.outcome(of: row)
      if case .delivered(var written) = outcome, try queue.holds(written.entity) {
        // Another row will have given the entity its id on the server by then.
        written.isNewRecord = false
        outcome = .delivered(written)
      }
      if form == .deliverable, let fate = outcome.fate {
        report.stay(fate)
        continue
      }
      for place in columns.indices {
        let value =
          form == .deliverable
          ? try pass.value(of: place, outcome, row) : try pass.documentedValue(of: place, row)
        try insertion.bind(value, at: place + 1)
      }
      try insertion.run()
      report.restored += 1
    }
    if pass.ownerless > 0 { throw MigrationError.userIDNeeded(candidates: 0) }
  }
}

extension QuarantineRestoreReport {
  fileprivate mutating func stay(_ fate: DeliveryFates.Fate) {
    switch fate {
    case .quarantined(let reason): staying[reason, default: 0] += 1
    case .cancelled, .folded: settled += 1
    }
  }
}

/// Tells whether a row that is still to be sent is about an entity.
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

  mutating func holds(_ entity: [UInt8]) throws(SQLiteError) -> Bool {
    try statement.bindBlob(entity.span, at: 1)
    guard try statement.step() else { return false }
    try statement.run()
    return true
  }
}
