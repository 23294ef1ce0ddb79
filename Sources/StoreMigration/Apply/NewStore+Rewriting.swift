import SQLite
import StoreFormat

extension NewStore {
  /// Writes the rows of a table that was made, and returns what was counted.
  func rewrite(_ rows: RowProgram, _ connection: borrowing Connection) throws -> Tally {
    try rows.prepare(connection, schema: source)
    guard let plain = PlainRewriting(rows, schema: source) else {
      return try rewriteOneByOne(rows, connection)
    }
    return try rewrite(rows, plain, connection)
  }

  /// Has SQLite write all rows.
  private func rewrite(
    _ rows: RowProgram, _ plain: PlainRewriting, _ connection: borrowing Connection
  ) throws -> Tally {
    try connection.execute(
      "INSERT INTO \(qualified(rows.table.name, in: schema)) \(plain.query)", plain.values)
    var tally = Tally(rows)
    tally.rows = connection.changes
    try refuseUnowned(rows, among: tally.rows, connection)
    return tally
  }

  /// Refuses a row that wasn't written because its number names no entity of its table.
  private func refuseUnowned(
    _ rows: RowProgram, among written: Int64, _ connection: borrowing Connection
  ) throws {
    let table = qualified(rows.sourceTable, in: source)
    let filter = rows.entityCondition.map { " WHERE \($0)" } ?? ""
    guard try connection.value("SELECT count(*) FROM \(table)\(filter)")?.int64 != written else {
      return
    }
    let unowned = try connection.value(
      "SELECT Z_PK FROM \(table) WHERE (\(rows.ownedCondition)) IS NOT TRUE ORDER BY Z_PK LIMIT 1")
    throw rows.refusal(ofRow: unowned?.int64 ?? 0)
  }

  /// Reads each row, and writes what the evaluator makes of it.
  func rewriteOneByOne(
    _ rows: RowProgram, _ connection: borrowing Connection
  ) throws -> Tally {
    var evaluator = RowEvaluator(rows)
    var query = try connection.prepare(rows.query(schema: source), isPersistent: true)
    let places = rows.table.columns.map { _ in "?" }.joined(separator: ", ")
    var insert = try connection.prepare(
      "INSERT INTO \(schema).\(quoteIdentifier(rows.table.name)) VALUES (\(places))",
      isPersistent: true)
    try evaluator.bindConstants(to: &insert)
    while try query.step() {
      try evaluator.bind(query, to: &insert)
      do throws(SQLiteError) {
        try insert.run()
      } catch {
        guard error.isTooBig else { throw error }
        throw MigrationError.value(
          entity: rows.sourceEntity, key: query.int64(at: 0), attribute: "the row",
          reason: "would pass SQLite's limit for a row")
      }
    }
    return evaluator.finish()
  }
}
