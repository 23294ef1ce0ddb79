import SQLite
import StoreFormat

/// The rows of a many-to-many relationship's table.
struct JoinRows: Sendable {
  let table: JoinTable
  let firsts: [Crowd]
  let seconds: [Crowd]

  init(_ table: JoinTable, in world: World) {
    self.table = table
    firsts = world.crowds(under: table.first.entity)
    seconds = world.crowds(under: table.second.entity)
  }

  /// Writes the links of a part of the first side's rows: none, one or two for each.
  func write(
    of crowd: Crowd, rows: Range<Int>, in world: World, to connection: borrowing Connection
  ) throws(SQLiteError) {
    guard firsts.contains(crowd), !seconds.isEmpty else { return }
    let names = table.columnNames
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    var statement = try connection.prepare(
      """
      INSERT OR IGNORE INTO \(identifier(table.name)) \
      (\(names.map(identifier).joined(separator: ", "))) VALUES (\(marks))
      """)
    for index in rows {
      var random = world.random(stableHash(table.name) ^ crowd.hash, index)
      for place in 0..<random.below(3) {
        let other = random.pick(seconds)
        let keys = [crowd.key(index), other.key(random.below(other.count))]
        let places = names.dropFirst(2).map { _ in Int64(place + 1) * 1_024 }
        try statement.bind((keys + places).map { .integer($0) })
        try statement.run()
      }
    }
  }
}
