package import SQLite

/// Writes rows of an entity as Core Data does.
///
/// New rows get the next key of `Z_PRIMARYKEY`, and `Z_OPT` counts updates. See `StoreFormat.md`
/// §6. The caller must open a transaction.
package struct RowWriter: Hashable, Sendable {
  /// The table with the entity's rows.
  package let table: Table

  private let entity: String
  private let number: Int64
  private let rootNumber: Int64

  /// Creates a writer, or returns `nil` if the layout doesn't contain the entity.
  package init?(_ entity: String, in layout: StoreLayout) {
    guard let table = layout.table(of: entity), let number = layout.numbering.number(of: entity),
      let root = layout.numbering.number(of: table.rootEntity)
    else { return nil }
    self.table = table
    self.entity = entity
    self.number = Int64(number)
    rootNumber = Int64(root)
  }

  /// Returns the quoted name of a property's column, or `nil` if it has no column of its own.
  ///
  /// - Complexity: O(*n*) in the number of columns.
  package func column(of property: String) -> String? {
    table.columns.first { column in
      switch column.content {
      case .attribute(_, let path, _): path == [property]
      case .foreignKey(_, let name): name == property
      default: false
      }
    }.map { quoteIdentifier($0.name) }
  }

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - values: The values by property; for a to-one relationship, the key of its destination.
  ///     Properties without their own column are ignored, and columns without a value are NULL.
  ///   - connection: A connection with the store as `main`.
  /// - Returns: The row's key.
  /// - Throws: A ``SQLiteError`` if the row can't be written.
  package func insert(
    _ values: [String: Value], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let key = try KeySequence(of: rootNumber, table: table.name).next(connection)
    let cells = self.cells(values)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + cells.map(\.column)
    let parameters = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT INTO \(quoteIdentifier(table.name)) (\(names.joined(separator: ", ")))
      VALUES (\(parameters))
      """, [.integer(key), .integer(number), 1] + cells.map(\.value))
    return key
  }

  /// Updates a row.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - values: The values by property, as for ``insert(_:_:)``; other columns aren't changed.
  ///   - connection: A connection with the store as `main`.
  /// - Throws: A ``SQLiteError`` if the row can't be written.
  package func update(
    _ key: Int64, _ values: [String: Value], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let cells = self.cells(values)
    guard !cells.isEmpty else { return }
    let changes = cells.enumerated().map { "\($1.column) = ?\($0 + 2)" }
    // Core Data doesn't save a row whose values are unchanged, so don't increment `Z_OPT` then.
    let differs = cells.enumerated().map { "\($1.column) IS NOT ?\($0 + 2)" }
    try connection.execute(
      """
      UPDATE \(quoteIdentifier(table.name)) SET Z_OPT = Z_OPT + 1, \(changes.joined(separator: ", "))
      WHERE Z_PK = ?1 AND (\(differs.joined(separator: " OR ")))
      """, [.integer(key)] + cells.map(\.value))
  }

  /// Deletes a row.
  package func remove(_ key: Int64, _ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      "DELETE FROM \(quoteIdentifier(table.name)) WHERE Z_PK = ?1", [.integer(key)])
  }

  private func cells(_ values: [String: Value]) -> [(column: String, value: Value)] {
    values.sorted { $0.key < $1.key }.compactMap { name, value in
      column(of: name).map { ($0, value) }
    }
  }
}
