import SQLite
import StoreFormat

/// The rows of a join table.
struct JoinRows: Sendable {
  let table: JoinTable
  let firsts: [RowSet]
  let seconds: [RowSet]

  init(_ table: JoinTable, in fixture: FixturePlan) {
    self.table = table
    firsts = fixture.rowSets(under: table.first.entity)
    seconds = fixture.rowSets(under: table.second.entity)
  }

  /// Writes links for a range of the first side's rows: zero to two for each.
  func write(
    of rowSet: RowSet, rows: Range<Int>, in fixture: FixturePlan,
    to connection: borrowing Connection
  ) throws(SQLiteError) {
    guard firsts.contains(rowSet), !seconds.isEmpty else { return }
    let names = table.columnNames
    let parameters = names.map { _ in "?" }.joined(separator: ", ")
    var statement = try connection.prepare(
      """
      INSERT OR IGNORE INTO \(identifier(table.name)) \
      (\(names.map(identifier).joined(separator: ", "))) VALUES (\(parameters))
      """)
    for index in rows {
      var random = fixture.random(stableHash(table.name) ^ rowSet.hash, index)
      for position in 0..<random.below(3) {
        let other = random.pick(seconds)
        let keys = [rowSet.key(index), other.key(random.below(other.count))]
        let positions = names.dropFirst(2).map { _ in Int64(position + 1) * 1_024 }
        try statement.bind((keys + positions).map { .integer($0) })
        try statement.run()
      }
    }
  }
}
