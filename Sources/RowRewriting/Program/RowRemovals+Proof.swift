package import SQLite

extension RowRemovals.Removal {
  /// Returns the queries that count the rows for which the step did something else than it says.
  ///
  /// They don't use the statements that found the rows: removed rows are compared with the ones that
  /// they were united with, pair by pair, and the rows that stay among each other.
  ///
  /// - Precondition: The temporary tables are filled from the same schema.
  package func faults(schema: String) -> [String] {
    let keys = RowRemovals.keys(of: table)
    let staying = RowRemovals.staying(in: table)
    switch rule {
    case .deleted(let condition):
      return [
        "SELECT count(*) \(selection) AND \(staying) AND \(condition)".inSchema(schema),
        """
        SELECT count(*) \(selection) AND NOT coalesce(\(condition), 0)
        AND Z_PK IN (SELECT key FROM \(keys) WHERE step = \(place))
        """.inSchema(schema),
      ]
    case .united(let rows):
      let values = "(SELECT Z_PK AS key, Z_ENT AS entity, \(rows.columns) \(selection))"
      let isEqual = rows.names.map { "won.\($0) = lost.\($0) COLLATE \(rows.collation)" }
      let isBetter = rows.isNewest ? "won.value > lost.value" : "won.value < lost.value"
      return [
        """
        SELECT count(*) FROM \(keys) AS pair JOIN \(values) AS lost ON lost.key = pair.key
        LEFT JOIN \(values) AS won ON won.key = pair.winner
        WHERE pair.step = \(place) AND NOT coalesce(
          won.entity = lost.entity AND \(isEqual.joined(separator: " AND "))
          AND (\(isBetter) OR lost.value IS NULL AND won.value IS NOT NULL
            OR won.value IS lost.value AND won.key < lost.key), 0)
        """.inSchema(schema),
        """
        SELECT count(*) FROM (SELECT 1 FROM \(values) WHERE key NOT IN (SELECT key FROM \(keys))
          AND \(rows.isComplete)
          GROUP BY entity, \(rows.groups) HAVING count(*) > 1)
        """.inSchema(schema),
      ]
    }
  }
}

extension RowRemovals {
  /// Returns the step that removes a row, and the row that it is united with, if there is one.
  ///
  /// - Precondition: The temporary tables are filled.
  package func removal(
    of key: Int64, in table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (place: Int, winner: Int64?)? {
    guard tables.contains(table) else { return nil }
    let row = try connection.rows(
      "SELECT step, winner FROM \(Self.keys(of: table)) WHERE key = ?1", [.integer(key)]
    ).first
    return row.map { (Int($0[0].int64 ?? 0), $0[1].int64) }
  }

  /// Returns the number of rows that a step unites with a row.
  ///
  /// - Precondition: The temporary tables are filled.
  package func count(
    unitedWith key: Int64, in table: String, byStep place: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.value(
      "SELECT count(*) FROM \(Self.keys(of: table)) WHERE winner = \(key) AND step = \(place)")?
      .int64 ?? 0
  }
}
