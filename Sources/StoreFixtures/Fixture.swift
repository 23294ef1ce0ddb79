import SQLite
import StoreFormat
package import StoreModel

/// Creates a store file with invented rows, as an app would have left it behind.
///
/// Equal arguments give equal rows. Memory doesn't grow with the number of rows. The file is in WAL
/// mode, with everything in the main file.
///
/// - Parameters:
///   - app: The app whose habits the rows follow: `lume`, `fitiq`, or any other.
///   - version: The name of the version; with the app and the seed it decides the store's UUID.
///   - model: The model of that version.
///   - path: Where the file will be; nothing may be there.
///   - options: What the fixture is to be like.
/// - Throws: A ``FixtureError``; what was written of the file is removed then.
/// - Complexity: O(n) in the number of rows.
package func createFixture(
  app: String, version: String, model: Model, at path: String,
  options: FixtureOptions = FixtureOptions()
) throws(FixtureError) {
  for (name, number) in [("rows", options.rows), ("users", options.userCount)] where number < 0 {
    throw .negative(name, number)
  }
  let files = StoreFiles(path: path)
  let existing: String?
  do {
    existing = try files.firstExisting
  } catch {
    throw .place(error)
  }
  if let existing { throw .exists(existing) }
  let store: FreshStore
  do {
    var random = RandomSource(options.seed ^ stableHash(app.lowercased() + version))
    let uuid = String(decoding: uuidTextBytes(random.uuid()), as: UTF8.self)
    store = try FreshStore(model: model, uuid: uuid, hasHistory: model.dialect != .coreData)
  } catch {
    throw .model(error)
  }
  do {
    try FixtureWriter(
      store: store, world: World(app: app, model: model, layout: store.layout, options: options)
    )
    .write(to: path)
  } catch {
    // The first failure is the one to tell; what stays behind is half a store with its journal.
    try? files.removeDatabaseFiles()
    throw .sqlite(error, path: path)
  }
}

/// Writes the rows of a fixture in the order in which a store grows.
private struct FixtureWriter {
  /// How many rows of the most numerous entity are written before the other entities' turn.
  private static let batch = 500

  /// How many batches are written in one transaction.
  private static let batchesPerTransaction = 100

  let store: FreshStore
  let world: World
  let plans: [EntityPlan]
  let joins: [JoinRows]

  init(store: FreshStore, world: World) {
    self.store = store
    self.world = world
    plans = world.layout.numbering.names.compactMap(world.crowd).compactMap {
      EntityPlan($0, in: world)
    }
    joins = world.layout.joinTables.map { JoinRows($0, in: world) }
  }

  func write(to path: String) throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .create)
    // Nothing of an unfinished fixture is worth recovering: it is removed.
    try connection.set(.defensive, to: false)
    try connection.pragma("journal_mode = OFF")
    try connection.pragma("synchronous = OFF")
    try connection.pragma("cache_size = -32768")
    try store.write(to: connection)
    try writeRows(to: connection)
    try connection.transaction { connection throws(SQLiteError) in
      if store.hasHistory { try History(world: world, plans: plans).write(to: connection) }
      try writeHighestKeys(to: connection)
    }
    try connection.pragma("journal_mode = WAL")
  }

  private func writeRows(to connection: borrowing Connection) throws(SQLiteError) {
    let outbox = OutboxRows(in: world, plans: plans)
    let most = plans.map(\.crowd.count).max() ?? 0
    let batches = (most + Self.batch - 1) / Self.batch
    for first in stride(from: 0, to: batches, by: Self.batchesPerTransaction) {
      try connection.transaction { connection throws(SQLiteError) in
        for batch in first..<min(first + Self.batchesPerTransaction, batches) {
          for plan in plans {
            let count = plan.crowd.count
            let rows = (count * batch / batches)..<(count * (batch + 1) / batches)
            try plan.write(rows, in: world, outbox: outbox, to: connection)
            for join in joins {
              try join.write(of: plan.crowd, rows: rows, in: world, to: connection)
            }
          }
        }
      }
    }
  }

  /// Keys are handed out per table; some have been handed out to rows that were never saved.
  private func writeHighestKeys(to connection: borrowing Connection) throws(SQLiteError) {
    for table in world.layout.tables {
      let tree = world.layout.numbering.tree(of: table.rootEntity)
      let highest = tree.compactMap(world.crowd).map(\.highestKey).max() ?? 0
      var random = world.random(stableHash(table.name), 0)
      let reserved = highest > 0 && random.chance(25) ? Int64(random.integer(1...9)) : 0
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?",
        [.integer(highest + reserved), .text(table.rootEntity)])
    }
  }
}
