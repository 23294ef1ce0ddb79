import Migrations
package import SQLite

/// An SQL expression over the rows of a table, which fails for some of them.
private struct FailingExpression {
  let sql: String

  /// The query for the keys of the rows for which it is evaluated, in order.
  let keys: String

  /// The table, with its schema.
  let table: String

  /// How an error names the rows and the expression.
  let entity: String
  let name: String
  let place: String?

  /// Returns the error for the first row for which the expression fails; `nil` if it fails for no row.
  func firstFailure(_ connection: borrowing Connection) throws(SQLiteError) -> RowError? {
    var keys = try connection.prepare(keys)
    var value = try connection.prepare("SELECT \(sql) FROM \(table) WHERE Z_PK = ?1")
    while try keys.step() {
      let key = keys.int64(at: 0)
      try value.bindInt64(key, at: 1)
      do throws(SQLiteError) { try value.run() } catch {
        guard error.isOfFormula else { throw error }
        let reason = error.isTooBig ? "the result is too large" : error.message
        return RowError(
          entity: entity, key: key, attribute: name,
          reason: "can't be computed by its formula\(place.map { " (\($0))" } ?? ""): \(reason)")
      }
    }
    return nil
  }
}

extension RowProgram {
  /// Returns the error for the first row for which a formula fails; else the error itself.
  ///
  /// A failed statement doesn't say which of its rows and formulas failed, so each is tried alone.
  ///
  /// - Complexity: O(*n*) in the number of rows, for each formula, if it is one that failed.
  func locating(
    _ error: SQLiteError, _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> any Error {
    guard error.isOfFormula else { return error }
    for expression in removingExpressions(schema: schema) + orderingExpressions(schema: schema) {
      if let failure = try expression.firstFailure(connection) { return failure }
    }
    var first: RowError?
    for each in computedColumns {
      let expression = FailingExpression(
        sql: each.column.sql(schema: schema), keys: keyQuery(schema: schema),
        table: qualified(sourceTable, in: schema), entity: sourceEntity,
        name: sourceProperties[each.place], place: each.column.formula?.place)
      first = RowError.first(first, try expression.firstFailure(connection))
    }
    return first ?? error
  }

  private func keyQuery(schema: String) -> String {
    "SELECT Z_PK FROM \(qualified(sourceTable, in: schema)) NOT INDEXED"
      + (rowCondition.map { " WHERE \($0)" } ?? "") + " ORDER BY Z_PK"
  }

  /// The formulas of steps that number rows, or choose among their links.
  private func orderingExpressions(schema: String) -> [FailingExpression] {
    sourceColumns.indices.flatMap { place -> [FailingExpression] in
      guard case .derived(let derived) = sourceColumns[place] else { return [] }
      return derived.formulas.map {
        FailingExpression(
          sql: $0.sql.inSchema(schema), keys: $0.keys.inSchema(schema),
          table: qualified($0.table, in: schema), entity: $0.entity, name: $0.name, place: nil)
      }
    }
  }

  /// The formulas of steps that remove rows.
  private func removingExpressions(schema: String) -> [FailingExpression] {
    (removals?.removals ?? []).flatMap { removal in
      let formulas: [String] =
        switch removal.rule {
        case .deleted(let condition): [condition]
        case .united(let rows): rows.parts + [rows.order]
        }
      let keys =
        "SELECT Z_PK \(removal.selection) AND \(RowRemovals.staying(in: removal.table)) ORDER BY Z_PK"
      return formulas.map {
        FailingExpression(
          sql: $0.inSchema(schema), keys: keys.inSchema(schema),
          table: qualified(removal.table, in: schema), entity: removal.object, name: removal.step,
          place: nil)
      }
    }
  }
}

extension SQLiteError {
  /// Whether a function in a formula failed, or its result is too large.
  package var isOfFormula: Bool { isOfStatement || isTooBig }
}
