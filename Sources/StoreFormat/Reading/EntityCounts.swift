package import SQLite

/// Counts rows by entity.
package struct EntityCounts {
  let layout: StoreLayout

  /// Creates a counter for a layout.
  package init(layout: StoreLayout) {
    self.layout = layout
  }

  /// Returns the number of rows of each entity, by name.
  ///
  /// Entities without a table are left out.
  ///
  /// - Parameters:
  ///   - entities: The entities to count, together with all entities in the same tables; `nil` for
  ///     all.
  ///   - connection: The connection.
  ///   - schema: The schema of the store.
  ///   - known: Known row counts of tables; used only for tables with a single entity.
  /// - Returns: The counts.
  /// - Throws: A ``SQLiteError`` if a table can't be read.
  /// - Complexity: O(*n*) in the number of rows, over the smallest index or the table.
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
        // SQLite counts over the smallest index, which is smaller than the table.
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
