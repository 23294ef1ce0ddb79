import SQLite
import StoreFormat
import StoreModel

extension Mending {
  /// Writes the entities of the model into `Z_PRIMARYKEY` if it has others or other numbers.
  mutating func mendEntityNumbers(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws {
    let store = try StoreDescription(reading: connection)
    let findings = StructureCheck(store, model: model).disagreements
      .filter { $0.check == .entityNumbers }
    guard !findings.isEmpty else { return }
    // Core Data doesn't assign a key twice. What a row under an unknown name counted may be any table's.
    var (highest, unknown): ([String: Int64], Int64) = ([:], 0)
    for row in store.appEntityNumbers {
      if let root = layout.numbering.root(of: row.entity(in: model, layout.numbering)) {
        highest[root] = max(highest[root] ?? 0, row.maximumKey)
      } else {
        unknown = max(unknown, row.maximumKey)
      }
    }
    try connection.execute(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < ?1", [.integer(HistoryTables.firstNumber)])
    for name in layout.numbering.names {
      guard let number = layout.numbering.number(of: name) else { continue }
      let parent = model[name]?.superentityName.flatMap(layout.numbering.number(of:)) ?? 0
      // Core Data counts the keys of a whole tree in the row of its root (`StoreFormat.md` §3.1).
      let maximum = parent == 0 ? max(highest[name] ?? 0, unknown) : 0
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)",
        [.integer(Int64(number)), .text(name), .integer(Int64(parent)), .integer(maximum)])
    }
    try mendHistoryNumbers(store, connection)
    account.add(
      .entityNumbers, "Z_PRIMARYKEY",
      "the entities in Z_PRIMARYKEY written as the version has them")
  }

  /// Writes the fixed numbers of the history's entities, if its tables have rows.
  private func mendHistoryNumbers(
    _ store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for (entity, table) in zip(HistoryTables.entities, HistoryTables.tableNames) {
      guard let name = store.table(named: table)?.name,
        try connection.value("SELECT 1 FROM \(quoteIdentifier(name)) LIMIT 1") != nil
      else { continue }
      try connection.execute(
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, 0)
        ON CONFLICT (Z_ENT) DO UPDATE SET Z_NAME = ?2
        """, [.integer(entity.number), .text(entity.name)])
    }
  }

  /// Raises each `Z_MAX` below the highest key of its table, and lowers one that no key can follow.
  ///
  /// Others aren't lowered, because Core Data doesn't assign a key twice (`StoreFormat.md` §3.1).
  mutating func mendMaximumKeys(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws {
    let store = try StoreDescription(reading: connection)
    var highest: [Int64: Int64] = [:]
    for table in layout.tables {
      guard let number = layout.numbering.number(of: table.rootEntity) else { continue }
      highest[Int64(number)] = try highestKey(of: table, layout, store, connection)
    }
    for (entity, name) in zip(HistoryTables.entities, HistoryTables.tableNames) {
      guard let table = store.table(named: name)?.name else { continue }
      highest[entity.number] = try connection.value(
        "SELECT max(Z_PK) FROM \(quoteIdentifier(table))")?.int64
    }
    var names: [String] = []
    for (number, highest) in highest.sorted(by: { $0.key < $1.key }) {
      guard let row = store.entityNumbers.first(where: { $0.number == number }),
        row.isWrong(forHighestKey: highest)
      else { continue }
      try setMaximum(highest, of: number, connection)
      names.append(row.name)
    }
    // The keys of a sub-entity are those of its root.
    for row in store.appEntityNumbers where row.maximumKey != 0 {
      let name = row.entity(in: model, layout.numbering)
      guard let root = layout.numbering.root(of: name), root != name else { continue }
      try setMaximum(0, of: row.number, connection)
      names.append(row.name)
    }
    guard !names.isEmpty else { return }
    account.add(
      .maximumKeys, "Z_PRIMARYKEY", count: Int64(names.count),
      "Z_MAX corrected for \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  /// Returns the highest key that a row of a table has, or that a link to one has; 0 without any.
  ///
  /// A link to a row that is gone must not lead to a later one.
  func highestKey(
    of table: Table, _ layout: StoreLayout, _ store: StoreDescription,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let tree = layout.numbering.tree(of: table.rootEntity)
    var columns = [("Z_PK", table.name), ("rowid", table.name)]
    for other in layout.tables where store.table(named: other.name) != nil {
      columns += other.columns.compactMap { column in
        model.link(in: column).flatMap {
          tree.contains($0.entity) ? (column.name, other.name) : nil
        }
      }
    }
    for join in layout.joinTables where store.table(named: join.name) != nil {
      columns += [join.first, join.second].filter { tree.contains($0.entity) }
        .map { ($0.keyColumn, join.name) }
    }
    var highest: Int64 = 0
    for (column, name) in columns {
      let key = quoteIdentifier(column)
      let found = try connection.value(
        "SELECT max(\(key)) FROM \(quoteIdentifier(name)) WHERE typeof(\(key)) = 'integer'")
      highest = max(highest, found?.int64 ?? 0)
    }
    return highest
  }

  private func setMaximum(
    _ maximum: Int64, of number: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2", [.integer(maximum), .integer(number)])
  }
}
