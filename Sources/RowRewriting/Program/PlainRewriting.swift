package import SQLite

/// A query that computes the rows of a table in SQL.
///
/// SQLite then writes the rows from table to table. Only payloads and the results of formulas pass
/// through Swift, by functions that convert the first and check the second. The rows are the same as
/// ``RowEvaluator`` computes.
package struct PlainRewriting {
  /// A SELECT of the target's columns, in order, from rows whose number names an entity.
  package let query: String

  /// The values of its parameters.
  package let values: [Value]

  /// The formulas whose results the query checks.
  let formulas: [RowProgram.PlacedColumn]

  /// The indices of those whose results are written.
  let writtenPlaces: Set<Int>

  /// Creates the query; `nil` if values may be lost, or if SQL can't compute a cell.
  package init?(_ rows: RowProgram, schema: String) {
    // Links that lead elsewhere are checked row by row.
    guard rows.conversions.allSatisfy({ $0.payloadColumn != nil }), rows.drops.isEmpty,
      !rows.hasDerivedColumns
    else { return nil }
    formulas = rows.computedColumns
    var expressions = CellExpressions(rows: rows, schema: schema)
    var columns: [String] = []
    for cell in rows.cells {
      guard let expression = expressions.expression(for: cell) else { return nil }
      columns.append(expression)
    }
    writtenPlaces = expressions.writtenPlaces
    let places = rows.cells.flatMap { rows.columns(of: $0) }
    guard
      formulas.allSatisfy({ formula in
        formula.column.missingOption == nil
          && places.count { $0 == formula.place }
            == (expressions.writtenPlaces.contains(formula.place) ? 1 : 0)
      })
    else { return nil }
    let checks = formulas.filter { !expressions.writtenPlaces.contains($0.place) }.map {
      $0.column.sql(
        schema: schema, through: FormulaCheck.name(ofColumn: $0.place), otherwise: "1")
    }
    // SQLite evaluates the columns of the rows that are written, and no others.
    if !checks.isEmpty {
      columns[0] = "CASE WHEN \(checks.joined(separator: " AND ")) THEN \(columns[0]) END"
    }
    query = """
      SELECT \(columns.joined(separator: ", ")) FROM \(qualified(rows.sourceTable, in: schema))
      WHERE \(rows.ownedCondition) ORDER BY Z_PK
      """
    values = expressions.values
  }
}

/// Translates cells to SQL.
private struct CellExpressions {
  let rows: RowProgram
  let schema: String
  var values: [Value] = []

  /// The indices of columns with results of formulas that are written as they are.
  var writtenPlaces: Set<Int> = []

  init(rows: RowProgram, schema: String) { (self.rows, self.schema) = (rows, schema) }

  /// Returns the expression for a cell, or `nil` if SQL can't compute it.
  mutating func expression(for cell: RowProgram.Cell) -> String? {
    switch cell {
    case .column(let place):
      guard case .computed(let column) = rows.sourceColumns[place] else {
        return rows.expression(ofColumn: place, schema: schema)
      }
      writtenPlaces.insert(place)
      return column.sql(schema: schema, through: FormulaCheck.name(ofColumn: place))
    case .constant(let value): return parameter(value)
    case .entityNumber(let place):
      return rows.linkedNumbers.target(of: rows.expression(ofColumn: place))
    case .constantWherePresent(let value, let place):
      return
        "CASE WHEN \(rows.expression(ofColumn: place)) IS NOT NULL THEN \(parameter(value)) END"
    case .conditional(.null, let test, let then, let otherwise):
      guard !rows.hasFormula(in: cell), let test = expression(for: test),
        let then = expression(for: then), let otherwise = expression(for: otherwise)
      else { return nil }
      return "CASE WHEN \(test) IS NULL THEN \(then) ELSE \(otherwise) END"
    case .converted(let place, _):
      return rows.conversions[place].payloadColumn.map {
        "\(PayloadFunction.name(ofConversion: place))(\(rows.expression(ofColumn: $0)))"
      }
    case .conditional, .missingOption: return nil
    }
  }

  private mutating func parameter(_ value: Value) -> String {
    values.append(value)
    return "?\(values.count)"
  }
}

extension RowProgram {
  /// Returns whether a cell depends on the result of a formula.
  ///
  /// A condition doesn't evaluate each of its values for each row, so they can't be counted.
  fileprivate func hasFormula(in cell: Cell) -> Bool {
    columns(of: cell).contains {
      if case .computed = sourceColumns[$0] { true } else { false }
    }
  }

  /// The condition for rows that an app reads: the number names an entity of the table.
  var ownedCondition: String {
    let numbers = entityNumbers.keys.sorted().map(String.init).joined(separator: ", ")
    // As for `RowEvaluator`, a number that isn't an integer names no entity.
    let staying = losesRows ? " AND \(RowRemovals.staying(in: sourceTable))" : ""
    let part = split?.condition.map { " AND \($0)" } ?? ""
    return "Z_ENT IN (\(numbers)) AND typeof(Z_ENT) = 'integer'\(staying)\(part)"
  }

  /// Returns the error for a row that can't be written; if it is too large, the error names it.
  package func refusal(ofRow key: Int64, for error: any Error) -> any Error {
    guard let error = error as? SQLiteError, error.isTooBig else { return error }
    return RowError(
      entity: sourceEntity, key: key, attribute: "the row",
      reason: "would exceed SQLite's limit for a row")
  }

  /// Returns the error for a row whose number names no entity.
  package func refusal(ofRow key: Int64) -> RowError {
    RowError(
      entity: sourceEntity, key: key, attribute: "Z_ENT",
      reason: "names no entity of its table")
  }
}
