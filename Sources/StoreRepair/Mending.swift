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

  /// What was created of Core Data's own tables.
  struct CreatedParts {
    /// The tables, and those of them that had no primary key before.
    var tables: [String] = []
    var replaced: [String] = []

    /// The columns, as `TABLE.COLUMN`.
    var columns: [String] = []
  }

  /// Creates Core Data's own tables where they are missing, so that the store can be described.
  ///
  /// - Returns: What was created.
  /// - Throws: A ``RepairError`` if something else has one of the names, or a `SQLiteError`.
  static func createSystemTables(
    at path: String, _ connection: borrowing Connection
  ) throws -> CreatedParts {
    try ForeignForm.refuse(SystemTables.names, at: path, connection)
    var created = CreatedParts()
    for (name, statement) in zip(SystemTables.names, SystemTables.createStatements)
    where name != "Z_MODELCACHE" {
      let columns = try connection.rows("PRAGMA main.table_info(\(quoteIdentifier(name)))")
        .compactMap { $0[1].string?.uppercased() }
      let wanted = SystemTables.columns[name] ?? []
      guard !wanted.allSatisfy(columns.contains) else { continue }
      // A primary key can't be added to a table.
      guard let key = wanted.first, columns.contains(key) else {
        if !columns.isEmpty {
          try connection.execute("DROP TABLE \(quoteIdentifier(name))")
          created.replaced.append(name)
        }
        try connection.execute(statement)
        created.tables.append(name)
        continue
      }
      for column in wanted where !columns.contains(column) {
        try connection.execute(
          "ALTER TABLE \(quoteIdentifier(name)) ADD COLUMN \(identifier(column))")
        created.columns.append("\(name).\(column)")
      }
    }
    return created
  }

  /// Repairs the copy.
  ///
  /// - Throws: A ``RepairError``, or a `SQLiteError` if a page can't be read or written.
  mutating func run(_ connection: borrowing Connection) throws {
    let store = try StoreDescription(reading: connection)
    let layout = store.layout(of: model)
    try ForeignForm.refuse(in: layout, at: path, connection)
    for entity in store.appEntityNumbers { foundNames[entity.number] = entity.name }
    try mendTables(store, layout, connection)
    try mendDoubledKeys(layout, connection)
    try mendEntityNumbers(layout, connection)
    try renumberRows(layout, connection)
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
