import Migrations
import SQLite
import StoreFormat
import StoreModel

/// Repairs a copy of a store that no other process sees.
///
/// The order of the steps matters: a row needs its table before it gets its entity, the entity
/// before values and links, and indexes come last, when no two rows have one key any more.
struct Mending {
  /// The path of the store, as it was typed.
  let path: String
  let chosen: ChosenModel
  let fills: [RepairOptions.Fill]
  var account = RepairAccount()

  /// The names of `Z_PRIMARYKEY` as they were found, by entity number.
  var foundNames: [Int64: String] = [:]

  /// The columns that were created, by table.
  var created: [String: Set<String>] = [:]

  var model: Model { chosen.model }

  init(path: String, chosen: ChosenModel, fills: [RepairOptions.Fill]) {
    (self.path, self.chosen, self.fills) = (path, chosen, fills)
  }

  /// Creates Core Data's own tables where they are missing, so that the store can be described.
  ///
  /// - Returns: The names of the tables that were created.
  /// - Throws: A ``RepairError`` if something else has one of the names, or a `SQLiteError`.
  static func createSystemTables(
    at path: String, _ connection: borrowing Connection
  ) throws -> [String] {
    try ForeignForm.refuse(SystemTables.names, at: path, connection)
    var created: [String] = []
    for (name, statement) in zip(SystemTables.names, SystemTables.createStatements)
    where name != "Z_MODELCACHE" {
      let columns = try connection.rows("PRAGMA main.table_info(\(quoteIdentifier(name)))")
        .compactMap { $0[1].string?.uppercased() }
      let wanted = SystemTables.columns[name] ?? []
      guard !wanted.allSatisfy(columns.contains) else { continue }
      // What a table has without one of these columns can't be read; it is written again.
      if !columns.isEmpty { try connection.execute("DROP TABLE \(quoteIdentifier(name))") }
      try connection.execute(statement)
      created.append(name)
    }
    return created
  }

  /// Repairs the copy.
  ///
  /// - Throws: A ``RepairError``, or a `SQLiteError` if a page can't be read or written.
  mutating func run(_ connection: borrowing Connection) throws {
    let store = try StoreDescription(reading: connection)
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    try ForeignForm.refuse(in: layout, at: path, connection)
    for entity in store.appEntityNumbers { foundNames[entity.number] = entity.name }
    try mendTables(store, layout, connection)
    try mendDoubledKeys(layout, connection)
    try mendEntityNumbers(layout, connection)
    try mendRowEntities(layout, connection)
    try fillValues(layout, connection)
    try mendLinks(layout, connection)
    try mendJoinRows(layout, connection)
    try mendIndexes(connection)
    try mendMaximumKeys(layout, connection)
    try mendMetadata(connection)
    try mendModelCache(connection)
  }
}
