package import SQLite
import StoreFormat
import Migrations

extension NewStore {
  /// Returns the statements that make the new store, for reading.
  ///
  /// Rows are written by one statement a table, also where ``write(_:)`` evaluates them one by one.
  /// Converters are then functions of their names; an option that isn't given is `:user_id`.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store.
  ///   - isDecided: Whether another writer decides which rows of a table are written. Such rows
  ///     have no statement.
  /// - Returns: The statements, in the order in which they take effect.
  /// - Throws: An error of SQLite if the store's schema can't be read.
  package func script(
    _ connection: borrowing Connection, whereNot isDecided: (RowProgram) -> Bool
  ) throws -> [SQLStatement] {
    var statements: [SQLStatement] = []
    for action in program.actions {
      statements += try self.statements(before: action)
      guard case .rewrite(let rows) = action, !isDecided(rows) else { continue }
      statements += rows.preparation(schema: source)
      statements.append(
        SQLStatement(
          "INSERT INTO \(qualified(rows.table.name, in: schema)) \(rows.selection(schema: source))")
      )
    }
    return try statements + indexStatements + systemStatements + historyStatements
      + unmodeledStatements(connection) + triggerStatements()
  }
}

extension RowProgram {
  /// The SELECT of the target's columns, in order, from the rows of the source.
  fileprivate func selection(schema: String) -> String {
    let columns = zip(table.columns, cells).map { column, cell in
      "\(sql(of: cell)) AS \(quoteIdentifier(column.name))"
    }
    return """
      SELECT
        \(columns.joined(separator: ",\n  "))
      FROM \(qualified(sourceTable, in: schema)) WHERE \(ownedCondition) ORDER BY Z_PK
      """
  }

  private func sql(of cell: Cell) -> String {
    switch cell {
    case .column(let place): expression(ofColumn: place)
    case .constant(let value): value.literal
    case .entityNumber(let place): linkedNumbers.target(of: expression(ofColumn: place))
    case .constantWherePresent(let value, let place):
      "CASE WHEN \(expression(ofColumn: place)) IS NOT NULL THEN \(value.literal) END"
    case .converted(let place, let output): call(conversions[place], output: output)
    case .conditional(let condition, let test, let then, let otherwise):
      "CASE WHEN \(condition.sql(of: sql(of: test)) { expression(ofColumn: $0) }) THEN \(sql(of: then)) ELSE \(sql(of: otherwise)) END"
    case .missingOption(let option): ":\(option.rawValue.replacing("-", with: "_"))"
    }
  }

  /// Returns the call of a converter's function: `quantity_2(…)` gives its second output.
  private func call(_ conversion: RowConversion, output: Int) -> String {
    let name = conversion.converter.name.replacing("-", with: "_")
    let suffix = conversion.converter.outputCount > 1 ? "_\(output + 1)" : ""
    return "\(name)\(suffix)(\(conversion.inputs.map { sql(of: $0) }.joined(separator: ", ")))"
  }
}
