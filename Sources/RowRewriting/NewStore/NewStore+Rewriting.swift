import StoreFormat
package import SQLite

extension NewStore {
  /// Writes the rows of a table that exists already, and returns the counts.
  package func rewrite(_ rows: RowProgram, _ connection: borrowing Connection) throws -> Tally {
    try rows.prepare(connection, schema: source)
    if let plain = PlainRewriting(rows, schema: source),
      let tally = try rewriteAtOnce(rows, plain, connection)
    {
      return tally
    }
    return try rewriteOneByOne(rows, connection)
  }

  /// Writes all rows with one statement, or returns `nil` and leaves the table empty.
  func rewriteAtOnce(
    _ rows: RowProgram, _ plain: PlainRewriting, _ connection: borrowing Connection
  ) throws -> Tally? {
    let functions = rows.conversions.map { _ in PayloadFunction() }
    for (place, function) in functions.enumerated() {
      try connection.define(PayloadFunction.name(ofConversion: place)) { function.answer($0) }
    }
    let checks = plain.formulas.map {
      FormulaCheck($0.column, isWritten: plain.writtenPlaces.contains($0.place))
    }
    for (formula, check) in zip(plain.formulas, checks) {
      try connection.define(FormulaCheck.name(ofColumn: formula.place)) { check.answer($0) }
    }
    let table = qualified(rows.table.name, in: schema)
    do throws(SQLiteError) {
      try connection.execute("INSERT INTO \(table) \(plain.query)", plain.values)
    } catch {
      // A single row may be the reason; rewriting row by row finds it, and the error names it.
      guard error.isTooBig || error.isOfStatement else { throw error }
      try connection.execute("DELETE FROM \(table)")
      return nil
    }
    var tally = Tally(rows)
    tally.rows = connection.changes
    // The query skips rows whose number names no entity; rewriting row by row reports the first.
    guard try countRows(rows, connection) == tally.rows else {
      try connection.execute("DELETE FROM \(table)")
      return nil
    }
    for (place, function) in functions.enumerated() where tally.rows > 0 {
      tally.classes[place] = function.classes
    }
    for (formula, check) in zip(plain.formulas, checks) where !check.classes.isEmpty {
      tally.computed[formula.place] = check.classes
    }
    return tally
  }

  private func countRows(
    _ rows: RowProgram, _ connection: borrowing Connection
  ) throws -> Int64? {
    let filter = rows.rowCondition.map { " WHERE \($0)" } ?? ""
    return try connection.value(
      "SELECT count(*) FROM \(qualified(rows.sourceTable, in: source))\(filter)")?.int64
  }

  /// Writes each row with the values that the evaluator computes from the source's row.
  package func rewriteOneByOne(
    _ rows: RowProgram, _ connection: borrowing Connection
  ) throws -> Tally {
    var evaluator = RowEvaluator(rows)
    do {
      try write(rows, connection) { row, insert in
        try evaluator.bind(row, to: &insert)
        return true
      }
    } catch {
      throw try rows.completing(error, connection, schema: source)
    }
    return evaluator.finish()
  }

  /// Writes the source's rows one at a time, in the order of their keys.
  ///
  /// - Parameters:
  ///   - rows: The program of a table that exists already.
  ///   - connection: The connection.
  ///   - bind: A closure that binds a row's values, except constants, to the insertion; it returns
  ///     `false` to skip the row.
  /// - Throws: A ``RowError`` if a row would be too large; other errors of the closure and SQLite.
  package func write(
    _ rows: RowProgram, _ connection: borrowing Connection,
    bind: (_ row: borrowing Statement, _ insert: inout Statement) throws -> Bool
  ) throws {
    var query = try connection.prepare(rows.query(schema: source), isPersistent: true)
    let places = rows.table.columns.map { _ in "?" }.joined(separator: ", ")
    var insert = try connection.prepare(
      "INSERT INTO \(qualified(rows.table.name, in: schema)) VALUES (\(places))",
      isPersistent: true)
    // Constants are the same for every row, and a statement keeps its bindings.
    for (place, cell) in rows.cells.enumerated() {
      if case .constant(let value) = cell { try insert.bind(value, at: place + 1) }
    }
    while try query.step() {
      do {
        if try bind(query, &insert) { try insert.run() }
      } catch {
        throw rows.refusal(ofRow: query.int64(at: 0), for: error)
      }
    }
  }
}
