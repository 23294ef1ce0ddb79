package import SQLite

/// Writes rows of one entity as Core Data does.
///
/// Under the next key of `Z_PRIMARYKEY`, and counted in `Z_OPT`.
///
/// See `StoreFormat.md` §6. The caller opens the transaction.
package struct RowWriter: Hashable, Sendable {
  /// The table of the entity's rows.
  package let table: Table

  private let entity: String
  private let number: Int64
  private let rootNumber: Int64

  /// Prepares to write rows of an entity; none where the layout has no such entity.
  package init?(_ entity: String, in layout: StoreLayout) {
    guard let table = layout.table(of: entity), let number = layout.numbering.number(of: entity),
      let root = layout.numbering.number(of: table.rootEntity)
    else { return nil }
    self.table = table
    self.entity = entity
    self.number = Int64(number)
    rootNumber = Int64(root)
  }

  /// The quoted name of a property's column; none where it has no column of its own.
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

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - values: The values by property, a to-one relationship's as the key of its destination. Those of
  ///     properties without a column of their own are left out; columns without a value are NULL.
  ///   - connection: A connection with the store as `main`.
  /// - Returns: The row's key.
  /// - Throws: A `SQLiteError` if the row can't be written.
  package func insert(
    _ values: [String: Value], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let key = try KeySequence(of: rootNumber, table: table.name).next(connection)
    let cells = self.cells(values)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + cells.map(\.column)
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT INTO \(quoteIdentifier(table.name)) (\(names.joined(separator: ", ")))
      VALUES (\(places))
      """, [.integer(key), .integer(number), 1] + cells.map(\.value))
    return key
  }

  /// Gives a row other values.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - values: The values by property, as for ``insert(_:_:)``; other columns keep theirs.
  ///   - connection: A connection with the store as `main`.
  /// - Throws: A `SQLiteError` if the row can't be written.
  package func update(
    _ key: Int64, _ values: [String: Value], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let cells = self.cells(values)
    guard !cells.isEmpty else { return }
    let changes = cells.enumerated().map { "\($1.column) = ?\($0 + 2)" }
    // A row whose values are the same isn't saved by Core Data, and isn't counted.
    let differs = cells.enumerated().map { "\($1.column) IS NOT ?\($0 + 2)" }
    try connection.execute(
      """
      UPDATE \(quoteIdentifier(table.name)) SET Z_OPT = Z_OPT + 1, \(changes.joined(separator: ", "))
      WHERE Z_PK = ?1 AND (\(differs.joined(separator: " OR ")))
      """, [.integer(key)] + cells.map(\.value))
  }

  /// Removes a row.
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
