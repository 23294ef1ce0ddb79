import SQLite

/// The columns of a table, and the statements that read and write its rows with their numbers.
struct SalvageShape: Hashable {
  let name: String

  /// The columns in their order.
  let columns: [String]

  /// The column that is the row's number, as `Z_PK`; `nil` if no column is.
  let keyColumn: Int?

  /// Whether rows have numbers.
  private let hasKeys: Bool

  /// Reads the columns of a table that was created already.
  init(
    _ name: String, sql: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    self.name = name
    // The last value is 0 for columns that can be written.
    let info = try connection.rows("PRAGMA main.table_xinfo(\(quoteIdentifier(name)))")
      .filter { ($0[6].int64 ?? 0) == 0 }
    columns = info.compactMap { $0[1].string }
    let keys = info.indices.filter { (info[$0][5].int64 ?? 0) > 0 }
    // SQLite makes an index for each primary key that isn't the row's number.
    let hasIndex =
      try connection.value(
        "SELECT 1 FROM pragma_index_list(?1, 'main') WHERE origin = 'pk'", [.text(name)]) != nil
    let isAlias = keys.count == 1 && !hasIndex
    hasKeys = !sql.uppercased().contains("WITHOUT ROWID")
    keyColumn = isAlias && hasKeys ? keys[0] : nil
  }

  /// Whether the row's number is written beside the columns.
  var writesKey: Bool { keyName != nil }

  /// The name under which the row's number is written; `nil` if it isn't.
  ///
  /// It is one that no column has. A table whose columns have all of them keeps its order, but not its
  /// numbers. Source: <https://www.sqlite.org/lang_createtable.html#rowid>
  private var keyName: String? {
    guard hasKeys && keyColumn == nil else { return nil }
    let taken = Set(columns.map { $0.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
  }

  private var list: String {
    ([keyName].compactMap(\.self) + columns.map(quoteIdentifier)).joined(separator: ", ")
  }

  /// The query for all rows.
  var query: String { "SELECT \(list) FROM \(quoteIdentifier(name)) NOT INDEXED" }

  /// Returns the statement that adds a row, or leaves it out if there is one with its key.
  func insertion(ignoringDoubles: Bool) -> String {
    let count = columns.count + (writesKey ? 1 : 0)
    let parameters = (0..<count).map { "?\($0 + 1)" }.joined(separator: ", ")
    return
      "INSERT \(ignoringDoubles ? "OR IGNORE " : "")INTO \(quoteIdentifier(name)) (\(list)) VALUES (\(parameters))"
  }
}
