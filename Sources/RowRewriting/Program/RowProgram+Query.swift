package import SQLite
import Migrations

extension RowProgram {
  /// Returns the query that reads the source's rows in the order of their keys.
  ///
  /// - Parameters:
  ///   - schema: The schema under which the source is attached.
  ///   - names: Further columns of the table.
  ///   - expressions: SQL in place of that of columns, by their indices.
  ///   - further: Further expressions.
  ///   - condition: A condition for the rows; `nil` reads all rows.
  /// - Returns: A SELECT whose columns are ``sourceColumns``, then the further ones.
  package func query(
    schema: String, adding names: [String] = [], replacing expressions: [Int: String] = [:],
    further: [String] = [], where condition: String? = nil
  ) -> String {
    let conditions = [rowCondition, condition].compactMap(\.self)
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    // A damaged index may disagree with its table; the rows are those of the table.
    let selection = selection(
      schema: schema, adding: names.map(quoteIdentifier) + further, replacing: expressions)
    return "\(selection) NOT INDEXED\(filter) ORDER BY Z_PK"
  }

  /// Returns the query that reads one row of the source, by an expression for its key.
  package func query(schema: String, key: String) -> String {
    "\(selection(schema: schema)) WHERE Z_PK = \(key)"
  }

  /// Returns the expression for a column of the query.
  ///
  /// - Parameters:
  ///   - place: The index of the column.
  ///   - schema: The schema under which the source is attached.
  /// - Returns: SQL over the columns of the source's table.
  package func expression(ofColumn place: Int, schema: String = "main") -> String {
    switch sourceColumns[place] {
    case .named(let name): quoteIdentifier(name)
    case .isShared(let name):
      "EXISTS (SELECT 1 FROM temp.\(sharedTable(name)) WHERE value = \(quoteIdentifier(name)))"
    case .matchingKey(let lookup): lookup.expression
    case .computed(let column): column.sql(schema: schema)
    case .derived(let column): column.sql.inSchema(schema)
    case .isOf(let numbers):
      "CASE WHEN Z_ENT IN (\(numbers.map(String.init).joined(separator: ", "))) THEN 1 END"
    }
  }

  private func selection(
    schema: String, adding further: [String] = [], replacing expressions: [Int: String] = [:]
  ) -> String {
    let all =
      sourceColumns.indices.map { expressions[$0] ?? expression(ofColumn: $0, schema: schema) }
      + further
    return "SELECT \(all.joined(separator: ", ")) FROM \(qualified(sourceTable, in: schema))"
  }

  /// Creates what the query reads: names of rows, values that several rows have, and functions.
  package func prepare(_ connection: borrowing Connection, schema: String) throws {
    if hasComputedColumns || hasDerivedColumns || removals != nil || split != nil {
      try connection.prepareFormulas()
    }
    do throws(SQLiteError) {
      for statement in preparation(schema: schema) { try connection.execute(statement) }
    } catch {
      throw try locating(error, connection, schema: schema)
    }
  }

  /// Returns the statements of ``prepare(_:schema:)``.
  func preparation(schema: String) -> [SQLStatement] {
    var statements = removals?.preparation(schema: schema) ?? []
    statements += (split?.preparation ?? []).map { SQLStatement($0.inSchema(schema)) }
    // Columns of one relationship are prepared by the same statements.
    var prepared: Set<[String]> = []
    for case .derived(let column) in sourceColumns
    where prepared.insert(column.preparation).inserted {
      statements += column.preparation.map { SQLStatement($0.inSchema(schema)) }
    }
    for case .matchingKey(let lookup) in sourceColumns {
      statements += lookup.preparation(schema: schema)
    }
    for case .isShared(let name) in sourceColumns {
      let column = quoteIdentifier(name)
      let table = qualified(sourceTable, in: schema)
      let staying = losesRows ? " AND \(RowRemovals.staying(in: sourceTable))" : ""
      statements += [
        SQLStatement("DROP TABLE IF EXISTS temp.\(sharedTable(name))"),
        SQLStatement("CREATE TEMP TABLE \(sharedTable(name)) (value PRIMARY KEY) WITHOUT ROWID"),
        SQLStatement(
          """
          INSERT INTO temp.\(sharedTable(name)) SELECT \(column) FROM \(table)
          WHERE \(column) IS NOT NULL\(staying) GROUP BY \(column) HAVING count(*) > 1
          """),
      ]
    }
    return statements
  }

  /// Returns the query that counts the removed rows among those of the target's entities.
  package func removedCount(schema: String) -> String {
    let filter = entityCondition.map { " AND \($0)" } ?? ""
    return """
      SELECT count(*) FROM \(qualified(sourceTable, in: schema)) NOT INDEXED
      WHERE Z_PK IN (SELECT key FROM \(RowRemovals.keys(of: sourceTable)))\(filter)
      """
  }

  /// The condition for rows that are written; `nil` for all rows.
  package var rowCondition: String? {
    let conditions = [
      entityCondition, losesRows ? RowRemovals.staying(in: sourceTable) : nil, split?.condition,
    ].compactMap(\.self)
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }

  /// The condition for rows whose entity the target has; `nil` for all rows.
  private var entityCondition: String? {
    guard !carriesAllEntities else { return nil }
    let numbers = entityNumbers.keys.sorted().map(String.init).joined(separator: ", ")
    return "Z_ENT IN (\(numbers))"
  }

  private func sharedTable(_ column: String) -> String {
    quoteIdentifier("shared \(sourceTable) \(column)")
  }
}
