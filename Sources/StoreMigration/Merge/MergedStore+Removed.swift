import Migrations
import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// Rows that the migration removed one by one: they come back from the snapshot with their links.
extension MergedStore {
  /// Returns where the migration moved links of a table of the old version; `nil` if it didn't.
  func movedLinks(of table: JoinTable) -> MovedLinks? {
    replay.program.removals.flatMap {
      MovedLinks($0, of: table, in: replay.program.sourceLayout)
    }
  }

  /// Empties links of the old version that lead to rows that were deleted since.
  ///
  /// The rows that the migration removed come back as they were, and what they were linked to may be
  /// gone. So may be the row that others link to again.
  ///
  /// - Returns: The number of links.
  func emptyReturnedLinks(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    guard let removals = replay.program.removals else { return 0 }
    return try emptyLinks(removals, connection) + removeLinks(removals, connection)
  }

  /// Empties one-to-one links of rows that came back, if the other row has another link by now.
  ///
  /// What was written since stays, and both sides of a link say the same.
  ///
  /// - Returns: The number of links.
  func emptyReplacedLinks(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    let statements = replay.program.removals?.emptyingReplacedLinks(
      of: replay.route.source.model, replay.program.sourceLayout, from: Replay.oldSchema, in: result
    )
    var count: Int64 = 0
    for statement in statements ?? [] {
      try connection.execute(statement)
      count += connection.changes
    }
    return count
  }

  private func emptyLinks(
    _ removals: RowRemovals, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    var count: Int64 = 0
    for table in replay.program.sourceLayout.tables where removals.tables.contains(table.name) {
      let isReturned = "Z_PK IN (SELECT key FROM \(RowRemovals.keys(of: table.name)))"
      for column in table.columns {
        guard let other = destination(of: column) else { continue }
        let name = quoteIdentifier(column.name)
        try connection.execute(
          """
          UPDATE \(qualified(table.name, in: result)) AS own SET \(table.emptying(column))
          WHERE \(name) IS NOT NULL AND \(isReturned) AND NOT EXISTS (
            SELECT 1 FROM \(qualified(other.name, in: result)) AS other
            WHERE other.Z_PK = own.\(name))
          """)
        count += connection.changes
      }
    }
    return count
  }

  private func removeLinks(
    _ removals: RowRemovals, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let layout = replay.program.sourceLayout
    var count: Int64 = 0
    for join in layout.joinTables {
      let sides = [join.first, join.second].compactMap { side in
        layout.table(of: side.entity).map { (quoteIdentifier(side.keyColumn), $0.name) }
      }
      let returned = sides.filter { removals.tables.contains($0.1) }
        .map { "\($0.0) IN (SELECT key FROM \(RowRemovals.keys(of: $0.1)))" }
      guard !returned.isEmpty else { continue }
      let missing = sides.map { key, name in
        "NOT EXISTS (SELECT 1 FROM \(qualified(name, in: result)) AS other WHERE other.Z_PK = \(key))"
      }
      try connection.execute(
        """
        DELETE FROM \(qualified(join.name, in: result))
        WHERE (\(returned.joined(separator: " OR "))) AND (\(missing.joined(separator: " OR ")))
        """)
      count += connection.changes
    }
    return count
  }

  /// Returns the table of the rows whose keys are in a column of the old version.
  private func destination(of column: Column) -> Table? {
    replay.route.source.model.link(in: column)
      .flatMap { replay.program.sourceLayout.table(of: $0.entity) }
  }
}
