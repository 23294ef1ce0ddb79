import StoreModel
package import SQLite
package import StoreFormat
package import Migrations

/// Writes the migrated store into a new file beside the old one.
///
/// The old store is read through `main` by default, and the new one is written through an attached
/// schema. Tables that no step changes are copied record by record. Other tables are written once,
/// however many migrations there are.
package struct NewStore {
  package let program: StoreProgram
  package let store: StoreDescription
  package let target: ModelVersion

  /// The schema of the old store.
  package var source: String

  /// The schema under which the new file is attached.
  package var schema: String

  /// Writes the rows of some tables instead of the evaluator.
  package var tableWriter: TableWriter?

  /// Writes the rows of one table and returns the counts; `nil` for a table that it doesn't handle.
  package typealias TableWriter = (
    _ rows: RowProgram, _ store: NewStore, _ connection: borrowing Connection
  ) throws -> Tally?

  package init(
    program: StoreProgram, store: StoreDescription, target: ModelVersion, source: String = "main",
    schema: String = NewStore.schema
  ) {
    self.program = program
    self.store = store
    self.target = target
    self.source = source
    self.schema = schema
  }

  /// The default name of the new file's schema.
  package static let schema = "new"

  /// Writes the attached file in one transaction, and returns the counts by table of the target.
  package func write(_ connection: borrowing Connection) throws -> [String: Tally] {
    try configure(connection)
    try connection.begin(.deferred)
    var tallies: [String: Tally] = [:]
    for action in program.actions { try run(action, connection, &tallies) }
    // After the rows: SQLite builds an index at once faster than it updates it for every row.
    try completeIndexes(connection)
    try writeSystemTables(connection)
    try carryHistory(connection)
    try copyUnmodeledTables(connection)
    try connection.commit()
    return tallies
  }

  /// Writes only the tables that aren't copied unchanged, which is enough for a comparison.
  package func writeChangedTables(_ connection: borrowing Connection) throws {
    try connection.begin(.deferred)
    var tallies: [String: Tally] = [:]
    for action in program.actions {
      if case .carry = action { continue }
      try run(action, connection, &tallies)
    }
    try connection.commit()
  }

  /// Sets the page size, vacuum mode and header numbers to those of the old file.
  ///
  /// The new file needs no durable journal and no syncing before the exchange, because an
  /// incomplete file is discarded.
  package func configure(_ connection: borrowing Connection) throws {
    let pageSize = try connection.pragma("\(source).page_size").int64 ?? 4096
    let autoVacuum = try connection.pragma("\(source).auto_vacuum").int64 ?? 2
    let userVersion = try connection.pragma("\(source).user_version").int64 ?? 0
    let applicationID = try connection.pragma("\(source).application_id").int64 ?? 0
    // Setting the vacuum mode writes to the file, so it comes after `synchronous = OFF`.
    try connection.execute(
      """
      PRAGMA \(schema).synchronous = OFF;
      PRAGMA \(schema).journal_mode = MEMORY;
      PRAGMA \(schema).secure_delete = OFF;
      PRAGMA \(schema).page_size = \(pageSize);
      PRAGMA \(schema).auto_vacuum = \(autoVacuum);
      PRAGMA \(schema).user_version = \(userVersion);
      PRAGMA \(schema).application_id = \(applicationID);
      """)
    try connection.rememberIndexes(schema, asLargeAs: source, limit: 2_048)
  }
}

// MARK: - Tables of entities and relationships

extension NewStore {
  package func run(
    _ action: TableAction, _ connection: borrowing Connection, _ tallies: inout [String: Tally]
  ) throws {
    switch action {
    case .carry(let name): try carry(name, connection)
    case .create(let table): try create(table.createStatement, connection)
    case .rewrite(let rows):
      try create(rows.table.createStatement, connection)
      tallies[rows.table.name] =
        try tableWriter?(rows, self, connection) ?? rewrite(rows, connection)
    case .rejoin(let join): try rejoin(join, connection)
    }
  }

  private func rejoin(_ join: JoinProgram, _ connection: borrowing Connection) throws {
    try create(join.table.createStatement, connection)
    guard let table = join.sourceTable else { return }
    let columns = join.sourceColumns.map { $0.map(quoteIdentifier) ?? "NULL" }
    let names = join.table.columnNames.map(quoteIdentifier)
    try connection.execute(
      """
      INSERT INTO \(schema).\(quoteIdentifier(join.table.name)) (\(names.joined(separator: ", ")))
      SELECT \(columns.joined(separator: ", ")) FROM \(source).\(quoteIdentifier(table))
      """)
  }

  /// Copies a table and its indexes unchanged.
  ///
  /// If both tables have the same schema and the new one is empty, SQLite copies records without
  /// decoding them, also those of the indexes (<https://www.sqlite.org/src/file?name=src/insert.c>,
  /// "xfer").
  private func carry(_ name: String, _ connection: borrowing Connection) throws {
    guard let table = store.table(named: name) else { return }
    try makeLike(table, connection)
    let quoted = quoteIdentifier(table.name)
    try connection.execute("INSERT INTO \(schema).\(quoted) SELECT * FROM \(source).\(quoted)")
  }

  /// Creates a table and its indexes as they are in the store.
  private func makeLike(
    _ table: StoreDescription.TableDescription, _ connection: borrowing Connection
  ) throws {
    try create(table.sql, connection)
    for index in store.indexes where index.table.lowercased() == table.name.lowercased() {
      if let sql = index.sql, !isObsolete(index) { try create(sql, connection) }
    }
  }

  /// Returns whether the source's model has an index that the target's doesn't have.
  private func isObsolete(_ index: StoreDescription.IndexDescription) -> Bool {
    func isAsked(by layout: StoreLayout) -> Bool {
      layout.indexes.contains {
        $0.table.lowercased() == index.table.lowercased() && $0.columns == index.columns
          && $0.isUnique == index.isUnique
      }
    }
    return isAsked(by: program.sourceLayout) && !isAsked(by: program.targetLayout)
  }

  /// Runs one `CREATE` statement of the store's schema in the new file; other text is refused.
  package func create(_ sql: String, _ connection: borrowing Connection) throws {
    for prefix in ["CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX "]
    where sql.hasPrefix(prefix) {
      try connection.execute(prefix + "\(schema)." + sql.dropFirst(prefix.count), [])
      return
    }
    throw SQLiteError(code: 1, message: "a statement of the store's schema has an unknown form")
  }

  /// Creates the indexes of the target's model that weren't copied.
  private func completeIndexes(_ connection: borrowing Connection) throws {
    let carried = Set(
      program.actions.compactMap { if case .carry(let name) = $0 { name } else { nil } })
    for index in program.targetLayout.indexes {
      let isThere =
        carried.contains(index.table)
        && store.indexes.contains {
          $0.table.lowercased() == index.table.lowercased() && $0.columns == index.columns
            && (!index.isUnique || $0.isUnique)
        }
      if !isThere { try create(index.createStatement, connection) }
    }
  }
}

// MARK: - Core Data's own tables

extension NewStore {
  private func writeSystemTables(_ connection: borrowing Connection) throws {
    for statement in SystemTables.createStatements { try create(statement, connection) }
    for row in entityRows {
      try connection.execute(
        "INSERT INTO \(schema).Z_PRIMARYKEY VALUES (?1, ?2, ?3, ?4)",
        [
          .integer(row.number), .text(row.name), .integer(row.superNumber),
          .integer(row.maximumKey),
        ])
    }
    guard var metadata = store.metadata else { return }
    metadata.set(model: target.model)
    try connection.execute(
      "INSERT INTO \(schema).Z_METADATA VALUES (1, ?1, ?2)",
      [.text(metadata.uuid), .blob(metadata.plist)])
    try connection.execute(
      "INSERT INTO \(schema).Z_MODELCACHE VALUES (?1)", [.blob(try target.modelCache())])
  }

  /// The rows of `Z_PRIMARYKEY`; the highest key of a root entity is never lowered.
  private var entityRows: [StoreDescription.EntityNumber] {
    let numbering = program.targetLayout.numbering
    var maximumKeys: [Int64: Int64] = [:]
    for row in store.appEntityNumbers {
      guard let number = program.entityNumbers[row.number],
        let name = numbering.name(of: Int(number)),
        let root = numbering.root(of: name).flatMap(numbering.number(of:))
      else { continue }
      maximumKeys[Int64(root)] = max(maximumKeys[Int64(root)] ?? 0, row.maximumKey)
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

  /// Copies history, adapted to the entities of the target.
  ///
  /// Changes of removed entities are deleted, and entity numbers are updated. Update masks become
  /// NULL if the meaning of their bits changes.
  package func carryHistory(_ connection: borrowing Connection) throws {
    let tables = store.tables.map(\.name).filter {
      HistoryTables.tableNames.contains($0.uppercased())
    }
    for name in tables { try carry(name, connection) }
    guard tables.contains(where: { $0.uppercased() == "ACHANGE" }) else { return }
    let dropped = program.droppedEntities.sorted().map(String.init).joined(separator: ", ")
    if !dropped.isEmpty {
      try connection.execute("DELETE FROM \(schema).ACHANGE WHERE ZENTITY IN (\(dropped))")
    }
    let moved = program.entityNumbers.filter { $0 != $1 }
    if !moved.isEmpty {
      let cases = moved.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
      try connection.execute(
        """
        UPDATE \(schema).ACHANGE SET ZENTITY = CASE ZENTITY \(cases.joined(separator: " ")) ELSE ZENTITY END
        WHERE ZENTITY IN (\(moved.keys.sorted().map(String.init).joined(separator: ", ")))
        """)
    }
    let changed = program.changedEntities.sorted().map(String.init).joined(separator: ", ")
    guard !changed.isEmpty else { return }
    try connection.execute(
      "UPDATE \(schema).ACHANGE SET ZCOLUMNS = NULL WHERE ZENTITY IN (\(changed)) AND ZCOLUMNS IS NOT NULL"
    )
  }

  /// Copies tables that belong neither to the model nor to Core Data, with their row ids.
  package func copyUnmodeledTables(_ connection: borrowing Connection) throws {
    for table in store.unmodeledTables(in: program.sourceLayout) {
      try makeLike(table, connection)
      let columns = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
      let (from, to) = (qualified(table.name, in: source), qualified(table.name, in: schema))
      if try hasFreeRowID(table, connection) {
        try connection.execute(
          "INSERT INTO \(to) (rowid, \(columns)) SELECT rowid, \(columns) FROM \(from)")
      } else {
        try connection.execute("INSERT INTO \(to) SELECT * FROM \(from)")
      }
    }
    // The highest keys that AUTOINCREMENT has assigned. Deleted rows may have had higher keys than
    // the copied ones. <https://www.sqlite.org/autoinc.html>
    let sequences = "sqlite_schema WHERE name = 'sqlite_sequence'"
    guard try connection.value("SELECT 1 FROM \(schema).\(sequences)") != nil else { return }
    try connection.execute(
      """
      DELETE FROM \(schema).sqlite_sequence;
      INSERT INTO \(schema).sqlite_sequence SELECT name, seq FROM \(source).sqlite_sequence
      """)
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
