package import SQLite

extension RowProgram {
  /// A column with the results of a formula, and its index in ``sourceColumns``.
  struct PlacedColumn: Hashable, Sendable {
    let place: Int
    let column: ComputedColumn
  }

  /// The columns with the results of formulas.
  var computedColumns: [PlacedColumn] {
    sourceColumns.enumerated().compactMap { place, column in
      if case .computed(let computed) = column {
        PlacedColumn(place: place, column: computed)
      } else {
        nil
      }
    }
  }

  /// Returns the error for a row that a formula refuses; `nil` if none does.
  func refusal(of row: borrowing Statement, by columns: [PlacedColumn]) -> RowError? {
    // A loop over the elements would copy each of them for each row.
    for index in columns.indices {
      if let refusal = refusal(of: row, by: columns[index]) { return refusal }
    }
    return nil
  }

  /// Returns the error for a row that a formula refuses; `nil` if it doesn't.
  fileprivate func refusal(of row: borrowing Statement, by column: PlacedColumn) -> RowError? {
    column.column.problem(row, at: column.place).map {
      RowError(
        entity: sourceEntity, key: row.int64(at: 0), attribute: sourceProperties[column.place],
        reason: $0)
    }
  }

  /// Returns an error with the rows of the table that formulas refuse, or for which one fails.
  ///
  /// - Parameters:
  ///   - error: The error of the first row that can't be carried, or of a failed statement.
  ///   - connection: The connection, which ``prepare(_:schema:)`` has prepared.
  ///   - schema: The schema under which the source is attached.
  /// - Returns: The error itself if a formula isn't the cause.
  /// - Throws: An error of SQLite.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  package func completing(
    _ error: any Error, _ connection: borrowing Connection, schema: String
  ) throws -> any Error {
    if let error = error as? SQLiteError {
      return try locating(error, connection, schema: schema)
    }
    let columns = computedColumns
    guard !columns.isEmpty, let refused = error as? RowError else { return error }
    var refusals: [RowError] = []
    var count: Int64 = 0
    do throws(SQLiteError) {
      var query = try connection.prepare(query(schema: schema), isPersistent: true)
      while try query.step() {
        guard let refusal = refusal(of: query, by: columns) else { continue }
        if refusals.isEmpty && refusal != refused { return refused }
        count += 1
        if refusals.count < RowError.listLimit { refusals.append(refusal) }
      }
    } catch {
      // A formula fails for another row; the first refused row is the one to report.
      guard error.isOfFormula else { throw error }
      return refused
    }
    return refused.listing(refusals, of: count)
  }
}

extension RowEvaluator {
  /// Counts the formulas that refuse a row, and returns whether one does.
  mutating func countRefusals(of row: borrowing Statement) -> Bool {
    var first: RowError?
    for index in computedColumns.indices {
      guard let refusal = program.refusal(of: row, by: computedColumns[index]) else { continue }
      tally.refused[computedColumns[index].place, default: 0] += 1
      first = first ?? refusal
    }
    guard let first else { return false }
    tally.refusal = .first(tally.refusal, first)
    return true
  }
}
