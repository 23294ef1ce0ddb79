import SQLite
import StoreFormat
import StoreModel

extension Mending {
  /// Writes tables again that lack their primary key, so that no two rows have one key.
  ///
  /// Another program can create such a table; Core Data doesn't. Of equal rows one stays. Of rows
  /// with one key and other values, the first keeps the key, and links to it lead to that row.
  mutating func mendDoubledKeys(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws {
    let store = try StoreDescription(reading: connection)
    for table in layout.tables {
      guard let found = store.table(named: table.name), !found.isVirtual,
        try !hasKey(["Z_PK"], table.name, connection)
      else { continue }
      let others = found.columns.filter { $0.name.uppercased() != "Z_PK" }
      let rest = others.map { "\(identifier($0.name)) \($0.declaredType)" }
      let statement =
        "CREATE TABLE \(identifier(found.name)) "
        + "( \((["Z_PK INTEGER PRIMARY KEY"] + rest).joined(separator: ", ")) )"
      try rebuild(found.name, statement, others.map(\.name), store, connection)
    }
    for table in layout.joinTables {
      let keys = [table.first.keyColumn, table.second.keyColumn]
      guard let found = store.table(named: table.name), !found.isVirtual,
        try !hasKey(keys, table.name, connection)
      else { continue }
      try rebuildJoin(table, store, connection)
    }
  }

  private func hasKey(
    _ columns: [String], _ table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let keys = try connection.rows("PRAGMA main.table_info(\(quoteIdentifier(table)))")
      .filter { ($0[5].int64 ?? 0) > 0 }.compactMap { $0[1].string?.uppercased() }
    return keys.sorted() == columns.map { $0.uppercased() }.sorted()
  }

  private static let old = "outbox_migrate_old"

  /// Renames a table, and creates it again; its indexes go with the old one.
  private func replace(
    _ table: String, by statement: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute("PRAGMA legacy_alter_table = ON")
    try connection.execute("ALTER TABLE \(quoteIdentifier(table)) RENAME TO \(Self.old)")
    try connection.execute(statement)
  }

  private mutating func rebuild(
    _ table: String, _ statement: String, _ others: [String], _ store: StoreDescription,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let name = quoteIdentifier(table)
    try replace(table, by: statement, connection)
    let columns = others.map(quoteIdentifier)
    let list = (["Z_PK"] + columns).joined(separator: ", ")
    try connection.execute("CREATE INDEX outbox_migrate_keys ON \(Self.old) (Z_PK)")
    let isFirst =
      "typeof(o.Z_PK) = 'integer' AND o.rowid = (SELECT min(rowid) FROM \(Self.old) WHERE Z_PK = o.Z_PK)"
    try connection.execute(
      "INSERT INTO \(name) (\(list)) SELECT \(list) FROM \(Self.old) AS o WHERE \(isFirst)")
    let isSame = columns.map { "n.\($0) IS o.\($0)" }.joined(separator: " AND ")
    let isDouble =
      "EXISTS (SELECT 1 FROM \(name) AS n WHERE n.Z_PK = o.Z_PK\(columns.isEmpty ? "" : " AND " + isSame))"
    let doubles =
      try connection.value(
        "SELECT count(*) FROM \(Self.old) AS o WHERE NOT (\(isFirst)) AND \(isDouble)")?.int64 ?? 0
    try connection.execute(
      """
      INSERT INTO \(name) (\(columns.joined(separator: ", "))) SELECT \(columns.joined(separator: ", ")) \
      FROM \(Self.old) AS o WHERE NOT (\(isFirst)) AND NOT \(isDouble) ORDER BY rowid
      """)
    let renewed = connection.changes
    account.noteRemoval(table, doubles)
    try finish(table, doubles: doubles, renewed: renewed, store, connection)
  }

  private mutating func rebuildJoin(
    _ table: JoinTable, _ store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try replace(table.name, by: table.createStatement, connection)
    let list = table.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let before = try connection.value("SELECT count(*) FROM \(Self.old)")?.int64 ?? 0
    try connection.execute(
      "INSERT OR IGNORE INTO \(quoteIdentifier(table.name)) (\(list)) SELECT \(list) FROM \(Self.old)"
    )
    let doubles = before - connection.changes
    account.noteRemoval(table.name, doubles)
    try finish(table.name, doubles: doubles, renewed: 0, store, connection)
  }

  /// Drops the old table, creates the indexes of the store again, and reports.
  private mutating func finish(
    _ table: String, doubles: Int64, renewed: Int64, _ store: StoreDescription,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute("DROP TABLE \(Self.old)")
    try connection.execute("PRAGMA legacy_alter_table = OFF")
    for index in store.indexes where index.table.lowercased() == table.lowercased() {
      guard let sql = index.sql else { continue }
      try connection.execute(sql, [])
    }
    account.rebuilt.insert(table.uppercased())
    var words = ["table '\(table)' got its primary key"]
    if doubles > 0 {
      words.append("\(counted(doubles, "doubled row was", "doubled rows were")) removed")
    }
    if renewed > 0 {
      words.append("\(counted(renewed, "row", "rows")) with the key of another got a new one")
    }
    account.add(
      .doubledKeys, table, count: doubles + renewed, words.joined(separator: "; "))
  }
}
