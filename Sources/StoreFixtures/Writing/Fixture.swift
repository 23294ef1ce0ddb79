import Platform
import SQLite
import StoreFormat
package import StoreModel

/// Creates a store file with invented rows, like those of an app.
///
/// Equal arguments give equal rows. Memory doesn't depend on the number of rows. The file is in WAL
/// mode, with all content in the main file.
///
/// - Parameters:
///   - app: The app whose data to imitate: `lume`, `fitiq`, or any other.
///   - version: The name of the version; app, version and seed determine the store's UUID.
///   - model: The model of the version.
///   - path: The path of the new file.
///   - options: Options for the rows.
///   - progress: A closure to call with the done part of the rows, between 0 and 1.
/// - Throws: A ``FixtureError``. The incomplete file is removed then.
/// - Complexity: O(*n*) in the number of rows.
package func createFixture(
  app: String, version: String, model: Model, at path: String,
  options: FixtureOptions = FixtureOptions(), progress: (Double) -> Void = { _ in }
) throws(FixtureError) {
  for (name, number) in [("rows", options.rows), ("users", options.userCount)] where number < 0 {
    throw .negative(name, number)
  }
  let files = StoreFiles(path: path)
  let folder = FileSystem.parent(of: path)
  let hasFolder: Bool
  let existing: String?
  do {
    hasFolder = try FileSystem.exists(folder)
    existing = try files.firstExisting
  } catch {
    throw .inaccessible(error)
  }
  guard hasFolder else { throw .noFolder(folder) }
  if let existing { throw .exists(existing) }
  let store: FreshStore
  do {
    var random = RandomSource(options.seed ^ stableHash(app.lowercased() + version))
    store = try FreshStore(
      model: model, uuid: uuidText(random.uuid()), hasHistory: model.dialect != .coreData,
      isMirrored: options.isMirrored)
  } catch {
    throw .model(error)
  }
  let writer = FixtureWriter(
    store: store,
    fixture: FixturePlan(app: app, model: model, layout: store.layout, options: options))
  try writer.writeWhole(to: path, progress)
}

/// Writes the rows of a fixture in the order in which a store grows.
private struct FixtureWriter {
  /// The number of rows of the largest entity in a batch; other entities get their share.
  private static let batch = 500

  /// The number of batches in a transaction.
  private static let batchesPerTransaction = 100

  let store: FreshStore
  let fixture: FixturePlan
  let plans: [EntityPlan]
  let joins: [JoinRows]

  init(store: FreshStore, fixture: FixturePlan) {
    self.store = store
    self.fixture = fixture
    plans = fixture.layout.numbering.names.compactMap(fixture.rowSet).compactMap {
      EntityPlan($0, in: fixture)
    }
    joins = fixture.layout.joinTables.map { JoinRows($0, in: fixture) }
  }

  /// Writes a file that gets its name when it is complete, and syncs both.
  func writeWhole(to path: String, _ progress: (Double) -> Void) throws(FixtureError) {
    let draft = StoreFiles(path: path + FileSystem.draftSuffix)
    do {
      try draft.removeDatabaseFiles()
      do {
        try write(to: draft.path, progress)
        try FileDescriptor(opening: draft.path, for: .updating).synchronize()
        try FileSystem.rename(draft.path, to: path)
      } catch {
        // Report this error, not one of the removal. A partial store is of no use.
        try? draft.removeDatabaseFiles()
        throw error
      }
      try FileSystem.synchronizeDirectory(FileSystem.parent(of: path))
    } catch let error as SQLiteError {
      throw .sqlite(error, path: path)
    } catch let error as SystemError {
      throw .inaccessible(error)
    } catch {
      preconditionFailure("writing a file throws only errors of SQLite and of the system")
    }
  }

  private func write(to path: String, _ progress: (Double) -> Void) throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .create)
    // An unfinished fixture is removed, so it needs no journal.
    try connection.set(.defensive, to: false)
    try connection.pragma("journal_mode = OFF")
    try connection.pragma("synchronous = OFF")
    try connection.pragma("cache_size = -32768")
    try store.write(to: connection)
    try writeRows(to: connection, progress)
    try connection.transaction { connection throws(SQLiteError) in
      if store.hasHistory { try History(fixture: fixture, plans: plans).write(to: connection) }
      if store.isMirrored {
        try Mirroring(fixture: fixture, plans: plans).write(to: connection)
      }
      try writeHighestKeys(to: connection)
    }
    try connection.pragma("journal_mode = WAL")
  }

  private func writeRows(
    to connection: borrowing Connection, _ progress: (Double) -> Void
  ) throws(SQLiteError) {
    let outbox = OutboxRows(in: fixture, plans: plans)
    let most = plans.map(\.rowSet.count).max() ?? 0
    let batches = (most + Self.batch - 1) / Self.batch
    for first in stride(from: 0, to: batches, by: Self.batchesPerTransaction) {
      try connection.transaction { connection throws(SQLiteError) in
        for batch in first..<min(first + Self.batchesPerTransaction, batches) {
          progress(Double(batch) / Double(batches))
          for plan in plans {
            let count = plan.rowSet.count
            let rows = (count * batch / batches)..<(count * (batch + 1) / batches)
            try plan.write(rows, in: fixture, outbox: outbox, to: connection)
            for join in joins {
              try join.write(of: plan.rowSet, rows: rows, in: fixture, to: connection)
            }
          }
        }
      }
    }
  }

  /// Sets `Z_MAX` for each table; sometimes some keys belong to rows that were never saved.
  private func writeHighestKeys(to connection: borrowing Connection) throws(SQLiteError) {
    for table in fixture.layout.tables {
      let tree = fixture.layout.numbering.tree(of: table.rootEntity)
      let highest = tree.compactMap(fixture.rowSet).map(\.highestKey).max() ?? 0
      var random = fixture.random(stableHash(table.name), 0)
      let reserved = highest > 0 && random.chance(25) ? Int64(random.integer(1...9)) : 0
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?",
        [.integer(highest + reserved), .text(table.rootEntity)])
    }
  }
}
