import RowRewriting
import SQLite
import StoreFormat
import StoreProof

/// Links that the migration left out: they come back from the snapshot.
extension MergedStore {
  /// Merges a join table whose links the new version has elsewhere.
  func mergeLinks(
    _ relinked: RelinkedJoin, in table: JoinTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> EntityChange {
    let names = table.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let new = qualified(table.name, in: result)
    let sets = RowSets(
      base: relinked.query(schema: Replay.baseSchema), present: relinked.query(schema: schema))
    let old = "SELECT \(names) FROM \(qualified(table.name, in: Replay.oldSchema))"
    let keys = [table.first, table.second].map { quoteIdentifier($0.keyColumn) }
      .joined(separator: ", ")
    let staying =
      movedLinks(of: table)?.unmoved(old, without: sets.removed, table)
      ?? "\(old) WHERE (\(keys)) NOT IN (SELECT c0, c1 FROM (\(sets.removed)))"
    try connection.execute(
      """
      INSERT INTO \(new) (\(names)) \(staying);
      INSERT OR REPLACE INTO \(new) (\(names)) \(sets.added);
      """)
    return try sets.change(of: table.path, connection)
  }

  /// Empties relinked links of the old version that lead to rows that were deleted since.
  ///
  /// - Returns: The number of links.
  func emptyRelinked(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    var count: Int64 = 0
    for links in replay.program.relinked {
      for place in links.origins.map(\.place) {
        // A link that led to no row before stays as it was.
        let lost = zip(place.keys, links.tables).filter { $0.0 != "Z_PK" }.map { key, table in
          let key = quoteIdentifier(key)
          return """
            (\(key) IN (SELECT Z_PK FROM \(qualified(table, in: Replay.oldSchema)))
            AND \(key) NOT IN (SELECT Z_PK FROM \(qualified(table, in: result))))
            """
        }
        let table = qualified(place.table, in: result)
        let condition = "WHERE \(lost.joined(separator: " OR "))"
        try connection.execute(
          place.isJoin
            ? "DELETE FROM \(table) \(condition)"
            : "UPDATE \(table) SET \(emptying(place)) \(condition)")
        count += connection.changes
      }
    }
    return count
  }

  /// Returns the assignments that empty a link in a table of entities.
  private func emptying(_ place: RelinkedLinks.Place) -> String {
    let table = replay.program.sourceLayout.tables.first { $0.name == place.table }
    let key = table?.columns.first { $0.name != "Z_PK" && place.keys.contains($0.name) }
    guard let table, let key else { return "" }
    return table.emptying(key)
  }
}
