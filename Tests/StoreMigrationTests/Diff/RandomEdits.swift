import SQLite
import TestSupport
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Changes that an app could make to a store, and some that it couldn't, at random places.
struct RandomEdits {
  let layout: StoreLayout
  var random: SeededGenerator

  init(model: Model, tableNames: Set<String>, seed: UInt64) {
    layout = StoreLayout(model, joinTableNames: tableNames)
    random = SeededGenerator(seed: seed)
  }

  /// Makes a number of changes to the store at a path.
  static func make(_ count: Int, in path: String, seed: UInt64) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel else { return }
    var edits = RandomEdits(model: model, tableNames: store.tableNames, seed: seed)
    for _ in 0..<count { try edits.edit(connection) }
  }

  private mutating func edit(_ connection: borrowing Connection) throws {
    if !layout.joinTables.isEmpty, random.below(5) == 0 { return try editLink(connection) }
    let table = layout.tables[random.below(layout.tables.count)]
    let name = quoteIdentifier(table.name)
    let keys = try connection.rows("SELECT Z_PK FROM \(name)")
    guard !keys.isEmpty else { return }
    let key = keys[random.below(keys.count)][0]
    switch random.below(8) {
    case 0: try connection.execute("DELETE FROM \(name) WHERE Z_PK = ?1", [key])
    case 1: try duplicate(key, table, connection)
    case 2:
      let tree = layout.numbering.tree(of: table.rootEntity)
      let entity = layout.numbering.number(of: tree[random.below(tree.count)]) ?? 1
      try connection.execute(
        "UPDATE \(name) SET Z_ENT = ?1 WHERE Z_PK = ?2", [.integer(Int64(entity)), key])
    case 3: try connection.execute("UPDATE \(name) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1", [key])
    default:
      let column = table.columns[random.below(table.columns.count)]
      guard let value = value(for: column) else { return }
      try connection.execute(
        "UPDATE OR IGNORE \(name) SET \(quoteIdentifier(column.name)) = ?1 WHERE Z_PK = ?2",
        [value, key])
      // A link without the entity that it leads to is one that nobody writes.
      guard case .foreignKey(let entity, let link) = column.content,
        let other = table.column(.entityKey(entity: entity, relationship: link))
      else { return }
      let entityKey = quoteIdentifier(other.name)
      try connection.execute(
        "UPDATE \(name) SET \(entityKey) = ?1 WHERE Z_PK = ?2 AND \(entityKey) IS NULL",
        [.integer(1), key])
    }
  }

  private mutating func value(for column: Column) -> Value? {
    switch column.content {
    case .primaryKey, .entityNumber, .optimisticLock: nil
    case .entityKey: .integer(Int64(1 + random.below(3)))
    case .attribute: random.value()
    case .foreignKey, .inverselessKey, .ordering, .inverselessOrdering:
      random.below(4) == 0 ? .null : .integer(Int64(random.below(6)))
    }
  }

  private mutating func duplicate(
    _ key: Value, _ table: Table, _ connection: borrowing Connection
  ) throws {
    let columns = table.columns.dropFirst().map { quoteIdentifier($0.name) }
      .joined(separator: ", ")
    let name = quoteIdentifier(table.name)
    try connection.execute(
      """
      INSERT OR IGNORE INTO \(name) (Z_PK, \(columns))
      SELECT (SELECT max(Z_PK) + ?2 FROM \(name)), \(columns) FROM \(name) WHERE Z_PK = ?1
      """, [key, .integer(Int64(1 + random.below(3)))])
  }

  private mutating func editLink(_ connection: borrowing Connection) throws {
    let table = layout.joinTables[random.below(layout.joinTables.count)]
    let name = quoteIdentifier(table.name)
    let columns = table.columnNames.map(quoteIdentifier)
    let links = try connection.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(name)")
    if let link = links.isEmpty ? nil : links[random.below(links.count)], random.below(2) == 0 {
      try connection.execute(
        "DELETE FROM \(name) WHERE \(columns[0]) = ?1 AND \(columns[1]) = ?2", [link[0], link[1]])
    }
    let values = columns.map { _ in Value.integer(Int64(1 + random.below(9))) }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT OR \(random.below(2) == 0 ? "IGNORE" : "REPLACE") INTO \(name) "
        + "(\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
  }
}
