package import SQLite
import StoreFormat
import StoreModel
import Migrations

/// Core Data's own tables, and those of nobody.
extension NewStore {
  /// The statements that write the tables with the entities, the metadata and the model.
  var systemStatements: [SQLStatement] {
    get throws {
      var statements: [SQLStatement] = []
      for text in SystemTables.createStatements { statements.append(try create(text)) }
      for row in entityRows {
        statements.append(
          SQLStatement(
            "INSERT INTO \(schema).Z_PRIMARYKEY VALUES "
              + "(\(row.number), \(Value.text(row.name).literal), \(row.superNumber), \(row.maximumKey))"
          ))
      }
      guard var metadata = store.metadata else { return statements }
      metadata.set(model: target.model)
      return statements + [
        SQLStatement(
          "INSERT INTO \(schema).Z_METADATA VALUES (1, :uuid, :plist)",
          [.text(metadata.uuid), .blob(metadata.plist)]),
        SQLStatement(
          "INSERT INTO \(schema).Z_MODELCACHE VALUES (:model)", [.blob(try target.modelCache())]),
      ]
    }
  }

  /// The rows of `Z_PRIMARYKEY`; the highest key of a root entity is never lowered.
  ///
  /// It is that of the source's root, which the target may lack, although it has a sub-entity.
  private var entityRows: [StoreDescription.EntityNumber] {
    let (old, numbering) = (program.sourceLayout.numbering, program.targetLayout.numbering)
    var maximumKeys: [Int64: Int64] = [:]
    for (source, number) in program.entityNumbers {
      guard let root = numbering.rootNumber(of: number), let oldRoot = old.rootNumber(of: source)
      else { continue }
      for row in store.appEntityNumbers where row.number == source || row.number == oldRoot {
        maximumKeys[root] = max(maximumKeys[root] ?? 0, row.maximumKey)
      }
    }
    // A part has the key of an owner.
    for split in program.splits {
      let owners = split.entityNumbers.compactMap { old.rootNumber(of: $0) }
      for row in store.appEntityNumbers where owners.contains(row.number) {
        maximumKeys[split.number] = row.maximumKey
      }
    }
    let rows = numbering.names.enumerated().map { place, name in
      let parent = target.model[name]?.superentityName.flatMap(numbering.number(of:)) ?? 0
      let isRoot = numbering.root(of: name) == name
      return StoreDescription.EntityNumber(
        number: Int64(place + 1), name: name, superNumber: Int64(parent),
        maximumKey: isRoot ? maximumKeys[Int64(place + 1)] ?? 0 : 0)
    }
    return rows + store.entityNumbers.filter { $0.number >= HistoryTables.firstNumber }
  }

  /// The statements that copy history, adapted to the entities of the target.
  package var historyStatements: [SQLStatement] {
    get throws(SQLiteError) {
      let tables = store.tables.map(\.name).filter {
        HistoryTables.tableNames.contains($0.uppercased())
      }
      var statements: [SQLStatement] = []
      for name in tables { statements += try carry(name) }
      return statements + historyChanges
    }
  }

  /// The statements that adapt copied history to the entities of the target.
  ///
  /// Changes of removed entities are deleted, and entity numbers are updated. Update masks become
  /// NULL if the meaning of their bits changes.
  var historyChanges: [SQLStatement] {
    guard let changes = store.table(named: "ACHANGE") else { return [] }
    var statements: [SQLStatement] = []
    let dropped = program.droppedEntities.sorted().map(String.init).joined(separator: ", ")
    if !dropped.isEmpty {
      statements.append(
        SQLStatement("DELETE FROM \(schema).ACHANGE WHERE ZENTITY IN (\(dropped))"))
    }
    let moved = program.entityNumbers.filter { $0 != $1 }
    if !moved.isEmpty {
      statements.append(
        SQLStatement(
          """
          UPDATE \(schema).ACHANGE SET ZENTITY = \(program.entityNumbers.target(of: "ZENTITY"))
          WHERE ZENTITY IN (\(moved.keys.sorted().map(String.init).joined(separator: ", ")))
          """))
    }
    let changed = program.changedEntities.sorted().map(String.init).joined(separator: ", ")
    guard !changed.isEmpty, changes.hasColumn("ZCOLUMNS") else { return statements }
    return statements + [
      SQLStatement(
        "UPDATE \(schema).ACHANGE SET ZCOLUMNS = NULL WHERE ZENTITY IN (\(changed)) AND ZCOLUMNS IS NOT NULL"
      )
    ]
  }

  /// Copies tables that belong neither to the model nor to Core Data, with their row ids.
  package func copyUnmodeledTables(_ connection: borrowing Connection) throws {
    for statement in try unmodeledStatements(connection) { try connection.execute(statement) }
    try copySequences(connection)
  }

  /// Copies the highest keys that AUTOINCREMENT has assigned.
  func copySequences(_ connection: borrowing Connection) throws(SQLiteError) {
    // Deleted rows may have had higher keys than the copied ones. <https://www.sqlite.org/autoinc.html>
    let sequences = "sqlite_schema WHERE name = 'sqlite_sequence'"
    guard try connection.value("SELECT 1 FROM \(schema).\(sequences)") != nil else { return }
    try connection.execute(
      """
      DELETE FROM \(schema).sqlite_sequence;
      INSERT INTO \(schema).sqlite_sequence SELECT name, seq FROM \(source).sqlite_sequence
      """)
  }

  /// Returns the statements that copy the tables of nobody.
  func unmodeledStatements(_ connection: borrowing Connection) throws -> [SQLStatement] {
    let renumbered = Set(store.renumberedTables(by: program).map(\.name))
    var statements: [SQLStatement] = []
    for table in store.unmodeledTables(in: program.sourceLayout) {
      if renumbered.contains(table.name) {
        statements += try renumberedStatements(table, connection)
        continue
      }
      statements += try makeLike(table)
      let columns = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
      let (from, to) = (qualified(table.name, in: source), qualified(table.name, in: schema))
      statements.append(
        try hasFreeRowID(table, connection)
          ? SQLStatement(
            "INSERT INTO \(to) (rowid, \(columns)) SELECT rowid, \(columns) FROM \(from)")
          : SQLStatement("INSERT INTO \(to) SELECT * FROM \(from)"))
    }
    return statements
  }

  /// Returns the statements that copy a table of mirroring, which gets other entity numbers.
  func renumberedStatements(
    _ table: StoreDescription.TableDescription, _ connection: borrowing Connection
  ) throws -> [SQLStatement] {
    let rowID = try hasFreeRowID(table, connection) ? ["rowid"] : []
    return try makeLike(table) + [renumberedCopy(of: table, rowID: rowID)]
  }

  /// Returns whether the rows have ids that no column holds, so that only `rowid` can copy them.
  private func hasFreeRowID(
    _ table: StoreDescription.TableDescription, _ connection: borrowing Connection
  ) throws -> Bool {
    let names = Set(table.columns.map { $0.name.lowercased() })
    // A column of this name hides the row id.
    guard names.isDisjoint(with: ["rowid"]) else { return false }
    let name = quoteIdentifier(table.name)
    let isWithout = try connection.rows("PRAGMA \(source).table_list(\(name))").contains {
      $0[4] == 1
    }
    let keys = try connection.rows("PRAGMA \(source).table_info(\(name))").filter {
      $0[5].int64 ?? 0 > 0
    }
    // An INTEGER PRIMARY KEY is the row id: <https://www.sqlite.org/lang_createtable.html#rowid>
    let hasAlias = keys.count == 1 && keys[0][2].string?.uppercased() == "INTEGER"
    return !isWithout && !hasAlias
  }
}
