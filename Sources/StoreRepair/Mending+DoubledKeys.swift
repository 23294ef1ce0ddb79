import SQLite
import StoreFormat
import StoreModel

extension Mending {
  /// Writes tables again that lack their primary key, so that no two rows have one key.
  ///
  /// Another program can create such a table; Core Data doesn't. Of equal rows one stays. Of rows
  /// with one key and other values, the first keeps the key, and links to it lead to that row. The
  /// others get keys that no row had, and that no link has.
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
      let used = try highestKey(of: table, layout, store, connection)
      let last = max(used, store.appEntityNumbers.map(\.maximumKey).max() ?? 0)
      try rebuild(found.name, statement, others.map(\.name), after: last, store, connection)
    }
    for table in layout.joinTables {
      let keys = [table.first.keyColumn, table.second.keyColumn]
      guard let found = store.table(named: table.name), !found.isVirtual,
        try !hasKey(keys, table.name, connection)
      else { continue }
      let known = Set(table.columnNames.map { $0.uppercased() })
      if let other = found.columns.first(where: { !known.contains($0.name.uppercased()) }) {
        throw RepairError.foreignForm(
          path, table: found.name, has: "no primary key, but a column '\(other.name)'")
      }
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

  /// What is written again with a table.
  private struct Rebuilt {
    let table: String

    /// The statements of the table's triggers.
    let triggers: [String]

    /// The number of rows that were removed, because an equal one stays.
    var doubles: Int64 = 0

    /// The number of rows that got a new key, and the first of these keys.
    var renewed: Int64 = 0
    var firstKey: Int64 = 0
  }

  /// Renames a table, and creates it again; its indexes and triggers go with the old one.
  private func replace(
    _ table: String, by statement: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Rebuilt {
    // SQLite changes the table's name in them when it is renamed.
    let triggers = try connection.rows(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?1)",
      [.text(table)])
    try connection.execute("PRAGMA legacy_alter_table = ON")
    try connection.execute("ALTER TABLE \(quoteIdentifier(table)) RENAME TO \(Self.old)")
    try connection.execute(statement)
    return Rebuilt(table: table, triggers: triggers.compactMap { $0[0].string })
  }

  private mutating func rebuild(
    _ table: String, _ statement: String, _ others: [String], after last: Int64,
    _ store: StoreDescription, _ connection: borrowing Connection
  ) throws {
    let name = quoteIdentifier(table)
    var rebuilt = try replace(table, by: statement, connection)
    let columns = others.map(quoteIdentifier)
    let list = (["Z_PK"] + columns).joined(separator: ", ")
    try connection.execute("CREATE INDEX outbox_migrate_keys ON \(Self.old) (Z_PK)")
    // SQLite compares 3.0 and 3 as equal.
    let isFirst =
      "typeof(o.Z_PK) = 'integer' AND o.rowid = (SELECT min(rowid) FROM \(Self.old) "
      + "WHERE Z_PK = o.Z_PK AND typeof(Z_PK) = 'integer')"
    try connection.execute(
      "INSERT INTO \(name) (\(list)) SELECT \(list) FROM \(Self.old) AS o WHERE \(isFirst)")
    let isSame = columns.map { "n.\($0) IS o.\($0)" }.joined(separator: " AND ")
    let isDouble =
      "EXISTS (SELECT 1 FROM \(name) AS n WHERE n.Z_PK = o.Z_PK\(columns.isEmpty ? "" : " AND " + isSame))"
    rebuilt.doubles =
      try connection.value(
        "SELECT count(*) FROM \(Self.old) AS o WHERE NOT (\(isFirst)) AND \(isDouble)")?.int64 ?? 0
    let source = "\(Self.old) AS o WHERE NOT (\(isFirst)) AND NOT \(isDouble)"
    rebuilt.renewed = try connection.value("SELECT count(*) FROM \(source)")?.int64 ?? 0
    guard rebuilt.renewed < Int64.max - last else { throw RepairError.noKeys(path, table: table) }
    let selected = (["?1 + row_number() OVER (ORDER BY rowid)"] + columns).joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(name) (\(list)) SELECT \(selected) FROM \(source)", [.integer(last)])
    rebuilt.firstKey = last + 1
    try finish(rebuilt, store, connection)
  }

  private mutating func rebuildJoin(
    _ table: JoinTable, _ store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var rebuilt = try replace(table.name, by: table.createStatement, connection)
    let list = table.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let before = try connection.value("SELECT count(*) FROM \(Self.old)")?.int64 ?? 0
    try connection.execute(
      "INSERT OR IGNORE INTO \(quoteIdentifier(table.name)) (\(list)) SELECT \(list) FROM \(Self.old)"
    )
    rebuilt.doubles = before - connection.changes
    try finish(rebuilt, store, connection)
  }

  /// Drops the old table, creates the indexes and triggers of the store again, and reports.
  private mutating func finish(
    _ rebuilt: Rebuilt, _ store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (table, doubles, renewed) = (rebuilt.table, rebuilt.doubles, rebuilt.renewed)
    try connection.execute("DROP TABLE \(Self.old)")
    try connection.execute("PRAGMA legacy_alter_table = OFF")
    for index in store.indexes where index.table.lowercased() == table.lowercased() {
      guard let sql = index.sql else { continue }
      try connection.execute(sql, [])
    }
    for trigger in rebuilt.triggers { try connection.execute(trigger, []) }
    account.noteRemoval(table, doubles)
    account.renewed[table.uppercased()] = renewed
    account.rebuilt.insert(table.uppercased())
    var words = ["table '\(table)' with its primary key"]
    if doubles > 0 {
      words.append("without \(counted(doubles, "doubled row", "doubled rows"))")
    }
    if renewed > 0 {
      words.append("\(counted(renewed, "row", "rows")) with the key of another under a new one")
    }
    let keys = (0..<min(renewed, Int64(RepairAccount.keyLimit))).map { rebuilt.firstKey + $0 }
    account.add(
      .doubledKeys, table, count: doubles + renewed, keys: keys, words.joined(separator: "; "))
  }
}
