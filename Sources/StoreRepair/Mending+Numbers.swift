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
    var highest: [String: Int64] = [:]
    for row in store.appEntityNumbers {
      let name = row.entity(in: model, layout.numbering)
      highest[name] = max(highest[name] ?? 0, row.maximumKey)
    }
    try connection.execute(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < ?1", [.integer(HistoryTables.firstNumber)])
    for name in layout.numbering.names {
      guard let number = layout.numbering.number(of: name) else { continue }
      let parent = model[name]?.superentityName.flatMap(layout.numbering.number(of:)) ?? 0
      // Core Data counts the keys of a whole tree in the row of its root (`StoreFormat.md` §3.1).
      let maximum = parent == 0 ? highest[name] ?? 0 : 0
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)",
        [.integer(Int64(number)), .text(name), .integer(Int64(parent)), .integer(maximum)])
    }
    try mendHistoryNumbers(store, connection)
    account.add(
      .entityNumbers, "Z_PRIMARYKEY",
      "the entities in Z_PRIMARYKEY were written as the version has them")
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

  /// Raises each `Z_MAX` that is below the highest key of its table.
  ///
  /// It is never lowered, because Core Data doesn't assign a key twice (`StoreFormat.md` §3.1).
  mutating func mendMaximumKeys(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws {
    let store = try StoreDescription(reading: connection)
    var wanted: [(number: Int64, table: String)] = layout.tables.compactMap { table in
      layout.numbering.number(of: table.rootEntity).map { (Int64($0), table.name) }
    }
    wanted += zip(HistoryTables.entities, HistoryTables.tableNames).compactMap { entity, table in
      store.table(named: table).map { (entity.number, $0.name) }
    }
    var names: [String] = []
    for (number, table) in wanted {
      guard let row = store.entityNumbers.first(where: { $0.number == number }),
        let highest = try connection.value("SELECT max(Z_PK) FROM \(quoteIdentifier(table))")?
          .int64,
        row.maximumKey < highest
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
      "Z_MAX was corrected for \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private func setMaximum(
    _ maximum: Int64, of number: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2", [.integer(maximum), .integer(number)])
  }
}
