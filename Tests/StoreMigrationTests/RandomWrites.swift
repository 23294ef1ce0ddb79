import SQLite
import StoreFormat
import StoreModel
import TestSupport

/// Random inserts, updates and deletes in every entity, with only values that the types allow.
struct RandomWrites {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func run(on path: String, count: Int) throws {
    try run(through: Connection(path: path, mode: .readWrite), count: count)
  }

  mutating func run(through connection: borrowing Connection, count: Int) throws {
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel else { return }
    let layout = store.layout(of: model)
    for round in 0..<count {
      let table = layout.tables[round % layout.tables.count]
      switch number(3) {
      case 0: try insert(into: table, layout, connection)
      case 1: try update(table, connection)
      default: try delete(from: table, layout, model, connection)
      }
    }
  }

  private mutating func insert(
    into table: Table, _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws {
    let number = layout.numbering.number(of: table.rootEntity) ?? 0
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = \(number)")
    let key = try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")
    var values: [(String, Value)] = []
    for column in table.columns {
      switch column.content {
      case .primaryKey: values.append((column.name, key ?? 1))
      case .entityNumber: values.append((column.name, .integer(Int64(number))))
      case .optimisticLock: values.append((column.name, 1))
      case .attribute: values.append((column.name, value(for: column)))
      default: values.append((column.name, .null))
      }
    }
    let names = values.map { quoteIdentifier($0.0) }.joined(separator: ", ")
    let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table.name) (\(names)) VALUES (\(places))", values.map(\.1))
  }

  private mutating func update(_ table: Table, _ connection: borrowing Connection) throws {
    let columns = table.columns.filter {
      if case .attribute = $0.content { $0.name != "ZID" } else { false }
    }
    guard !columns.isEmpty, let key = try randomKey(of: table, connection) else { return }
    let column = columns[Int(number(UInt64(columns.count)))]
    try connection.execute(
      "UPDATE \(table.name) SET \(quoteIdentifier(column.name)) = ?1, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?2",
      [value(for: column), key])
  }

  /// Deletes a row, and the links that led to it.
  private mutating func delete(
    from table: Table, _ layout: StoreLayout, _ model: Model, _ connection: borrowing Connection
  ) throws {
    guard let key = try randomKey(of: table, connection) else { return }
    try connection.execute("DELETE FROM \(table.name) WHERE Z_PK = ?1", [key])
    let tree = layout.numbering.tree(of: table.rootEntity)
    for other in layout.tables {
      for column in other.columns {
        guard case .foreignKey(let entity, let name) = column.content,
          case .relationship(let found) = model[entity]?[name],
          tree.contains(found.destinationName)
        else { continue }
        try connection.execute(
          "UPDATE \(other.name) SET \(column.name) = NULL WHERE \(column.name) = ?1", [key])
      }
    }
  }

  private mutating func randomKey(
    of table: Table, _ connection: borrowing Connection
  ) throws -> Value? {
    let count = try connection.value("SELECT count(*) FROM \(table.name)")?.int64 ?? 0
    guard count > 0 else { return nil }
    return try connection.value(
      "SELECT Z_PK FROM \(table.name) ORDER BY Z_PK LIMIT 1 OFFSET \(number(UInt64(count)))")
  }

  private mutating func value(for column: Column) -> Value {
    guard case .attribute(_, let path, let type) = column.content else { return .null }
    switch type {
    case .boolean: return .integer(Int64(number(2)))
    case .integer16, .integer32, .integer64: return .integer(Int64(number(9)) + 1)
    case .double, .float: return .real(Double(number(4_000)) / 8 + 0.25)
    case .date, .decimal: return .real(Double(number(1_000_000)) + 0.5)
    case .uuid: return .blob((0..<16).map { _ in UInt8(truncatingIfNeeded: number(256)) })
    case .binary, .transformable: return .blob(Array("{\"n\":\(number(1_000))}".utf8))
    case .string where path.last == "metadata":
      return [.text("{\"n\":\(number(1_000))}"), .text("written by hand"), .null][Int(number(3))]
    default: return .text("text \(number(1_000))")
    }
  }

  private mutating func number(_ bound: UInt64) -> UInt64 { generator.number(bound) }
}
