package import SQLite

/// Counts the rows of entities.
package struct EntityCounts {
  let layout: StoreLayout

  /// Prepares counting by a layout.
  package init(layout: StoreLayout) {
    self.layout = layout
  }

  /// Returns the number of rows of each entity, by name.
  ///
  /// Entities whose table is missing are left out.
  ///
  /// - Parameters:
  ///   - entities: The entities to count, with all that share a table with one; none for every entity.
  ///   - connection: The connection.
  ///   - schema: The name under which the store is attached.
  ///   - known: The rows of tables that needn't be counted any more; it helps where all are of one entity.
  /// - Returns: The counts.
  /// - Throws: A ``SQLiteError`` if a table can't be read.
  /// - Complexity: O(n) in the number of rows, over the smallest index or table there is.
  package func counts(
    of entities: Set<String>? = nil, _ connection: borrowing Connection, schema: String = "main",
    knowing known: [String: Int64] = [:]
  ) throws(SQLiteError) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for table in layout.tables {
      let name = qualified(table.name, in: schema)
      let tree = layout.numbering.tree(of: table.rootEntity)
      if let entities, entities.isDisjoint(with: tree) { continue }
      guard try exists(table.name, connection, schema: schema) else { continue }
      if tree.count == 1, let rows = known[table.name] {
        counts[table.rootEntity] = rows
        continue
      }
      if tree.count == 1 {
        // An index is smaller than its table; SQLite counts over the smallest by itself.
        counts[table.rootEntity] = try connection.value("SELECT count(*) FROM \(name)")?.int64 ?? 0
        continue
      }
      for entity in tree { counts[entity] = 0 }
      for row in try connection.rows("SELECT Z_ENT, count(*) FROM \(name) GROUP BY Z_ENT") {
        guard let number = row[0].int64,
          let entity = layout.numbering.name(of: Int(clamping: number))
        else { continue }
        counts[entity] = row[1].int64 ?? 0
      }
    }
    return counts
  }

  private func exists(
    _ table: String, _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> Bool {
    let master = "\(quoteIdentifier(schema)).sqlite_schema"
    return try connection.value(
      "SELECT 1 FROM \(master) WHERE type = 'table' AND upper(name) = upper(?1)", [.text(table)])
      != nil
  }
}
