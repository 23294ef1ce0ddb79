package import SQLite

extension RowPairs where First == RowCursor, Second == RowCursor {
  /// Reads columns of a table in two schemas.
  ///
  /// Rows are paired by key if the first column is `Z_PK`. A table without Core Data's keys may
  /// have no rowid either, so its rows are ordered by all columns and paired by position.
  ///
  /// - Parameters:
  ///   - columns: The columns that are read, in the order of the table.
  ///   - table: The name of the table.
  ///   - first: The schema of the first set.
  ///   - second: The schema of the second set.
  ///   - filter: A `WHERE` clause for the first set.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if a table can't be read.
  package init(
    _ columns: [String], of table: String, in first: String, and second: String,
    where filter: String = "", _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let names = columns.map(quoteIdentifier).joined(separator: ", ")
    let isKeyed = columns.first == "Z_PK"
    let order =
      isKeyed ? "Z_PK" : (1...max(columns.count, 1)).map(String.init).joined(separator: ", ")
    let kind: RowCursor.Order = isKeyed ? .key : .place
    self.init(
      try RowCursor(
        "SELECT \(names) FROM \(qualified(table, in: first)) \(filter) ORDER BY \(order)", by: kind,
        connection),
      try RowCursor(
        "SELECT \(names) FROM \(qualified(table, in: second)) ORDER BY \(order)", by: kind,
        connection))
  }
}
