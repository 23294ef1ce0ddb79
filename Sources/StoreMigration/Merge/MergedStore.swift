import SQLite
import StoreFormat
import Migrations
import RowRewriting
import StoreProof

/// The old version's store with what was written to the new one since: a three-way merge.
///
/// The *snapshot* is the store before the migration, the *base* is what the migration made of it,
/// and the *present* is what the app made of the base. Where base and present agree, the snapshot's
/// values are used, bit for bit. Where they differ, the inverse steps migrate the present's values.
/// Values that the old version has no place for are parked. If an edit made the base, both versions
/// are the same.
struct MergedStore {
  /// How the base was made.
  let replay: Replay

  /// The builder of the inverse migration's program.
  let backward: ProgramBuilder

  /// The inverse migration's program.
  let program: StoreProgram

  /// The present store and its schema name.
  let present: StoreDescription
  let schema: String

  /// The schema name of the new file.
  var result = NewStore.schema

  /// What a merge did.
  struct Outcome {
    /// The later writes that were merged, by the old version's entities.
    var merged: [EntityChange] = []

    /// The number of parked values by `Entity.property`, and of parked rows by entity.
    ///
    /// The names are the new version's.
    var parked: [String: Int64] = [:]

    /// The number of links that came back, to rows that were deleted since.
    var emptied: Int64 = 0

    /// The number of one-to-one links that didn't come back, because the other row has another.
    var replaced: Int64 = 0
  }

  init(
    _ replay: Replay, present: StoreDescription, schema: String, catalog: Catalog
  ) throws {
    self.replay = replay
    self.present = present
    self.schema = schema
    let route = try replay.route.inverse(in: catalog)
    backward = ProgramBuilder(
      lineage: route.lineage, source: route.source.model, target: route.target.model,
      store: present, options: [:], restoring: replay.old)
    program = try backward.program()
  }

  /// Returns the columns of a new version's table that the old version's values are computed from.
  func placedColumns(of name: String) throws(ProgramError) -> Set<String> {
    var placed: Set<String> = []
    for table in program.targetLayout.tables {
      guard let rows = try backward.rowProgram(for: table), rows.sourceTable == name else {
        continue
      }
      for column in rows.usedColumns {
        if case .named(let name) = rows.sourceColumns[column] { placed.insert(name) }
      }
    }
    return program.relinked.reduce(into: placed) { $0.formUnion($1.sourceColumns(of: name)) }
  }

  /// Fills the attached file, and parks what migrating it again wouldn't reproduce.
  func write(
    _ connection: borrowing Connection, parking: inout ParkingFile?
  ) throws -> Outcome {
    try frame.configure(connection)
    try connection.begin(.deferred)
    var outcome = Outcome()
    try createTables(connection)
    try replay.program.removals?.prepare(connection, schema: Replay.oldSchema)
    for links in program.relinked {
      try links.prepare(connection, as: Replay.baseSchema, schema: replay.schema(of:))
      try links.prepare(connection, schema: schema)
    }
    for action in program.actions { try merge(action, connection, &outcome) }
    outcome.emptied = try emptyReturnedLinks(connection) + emptyRelinked(connection)
    outcome.replaced = try emptyReplacedLinks(connection)
    try writeSystemTables(connection)
    try mergeHistory(connection)
    try frame.copyUnmodeledTables(connection)
    try createIndexes(connection)
    // The indexes find the owners of a row.
    try mergeParts(connection, &outcome)
    try connection.commit()
    outcome.merged = outcome.merged.filter { $0.added + $0.changed + $0.removed > 0 }
    // An edit keeps the model, so every value of the present has a place in the old store.
    guard replay.edited == nil else { return outcome }
    outcome.parked = try UnrestoredValues(merged: self).park(connection, &parking)
    return outcome
  }

  private var frame: NewStore {
    NewStore(
      program: program, store: present, target: replay.route.source, source: schema, schema: result)
  }
}

// MARK: - Tables

extension MergedStore {
  private func merge(
    _ action: TableAction, _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    switch action {
    // The new version doesn't have the entity, so its rows can't have been written to since.
    case .create(let table): try copyOld(table.name, connection)
    // Their values are merged after the rows that have them in the new version.
    case .rewrite(let rows) where rows.split != nil: try copyOld(rows.table.name, connection)
    case .rewrite(let rows): try merge(rows, connection, &outcome)
    case .carry(let name):
      guard let table = program.targetLayout.tables.first(where: { $0.name == name }),
        let rows = try backward.rowProgram(for: table)
      else { return try mergeLinks(of: name, connection, &outcome) }
      try merge(rows, connection, &outcome)
    case .rejoin(let join): try mergeLinks(join, connection, &outcome)
    }
  }

  private func merge(
    _ rows: RowProgram, _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    var merge = RowMerge(rows, in: self)
    do { try merge.run(connection) } catch {
      throw try rows.completing(error, connection, schema: schema)
    }
    outcome.merged += merge.changes(program.targetLayout)
  }

  /// Copies a table's rows from the snapshot.
  private func copyOld(_ name: String, _ connection: borrowing Connection) throws {
    let (old, new) = (qualified(name, in: Replay.oldSchema), qualified(name, in: result))
    try connection.execute("INSERT INTO \(new) SELECT * FROM \(old)")
  }

  /// Creates the snapshot's tables that belong to the model or to Core Data.
  ///
  /// History tables that the present store has are carried from there.
  private func createTables(_ connection: borrowing Connection) throws {
    let unmodeled = replay.old.unmodeledTables(in: program.targetLayout).map(\.name)
    for table in replay.old.tables
    where !unmodeled.contains(table.name) && !isHistory(table.name)
      && !table.name.lowercased().hasPrefix("sqlite_")
    {
      try connection.execute(frame.create(table.sql))
    }
  }

  private func createIndexes(_ connection: borrowing Connection) throws {
    let unmodeled = Set(
      present.unmodeledTables(in: program.sourceLayout).map { $0.name.lowercased() })
    for index in replay.old.indexes
    where !unmodeled.contains(index.table.lowercased()) && !isHistory(index.table) {
      if let sql = index.sql { try connection.execute(frame.create(sql)) }
    }
  }

  private func isHistory(_ table: String) -> Bool {
    HistoryTables.tableNames.contains(table.uppercased()) && present.table(named: table) != nil
  }
}

// MARK: - Tables of Core Data's own

extension MergedStore {
  /// Copies metadata and model from the snapshot, and merges the highest keys of both stores.
  private func writeSystemTables(_ connection: borrowing Connection) throws {
    for name in ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"] { try copyOld(name, connection) }
    let keys = qualified("Z_PRIMARYKEY", in: result)
    for row in present.entityNumbers where row.maximumKey > 0 {
      let number =
        row.number >= HistoryTables.firstNumber
        ? row.number : program.entityNumbers[row.number].map(rootNumber(of:))
      guard let number else { continue }
      try connection.execute(
        "UPDATE \(keys) SET Z_MAX = max(Z_MAX, ?1) WHERE Z_ENT = ?2",
        [.integer(row.maximumKey), .integer(number)])
    }
  }

  /// Returns the number of an entity's root, which has the highest key of its table.
  private func rootNumber(of number: Int64) -> Int64 {
    let numbering = program.targetLayout.numbering
    let root = numbering.name(of: Int(number)).flatMap(numbering.root).flatMap(numbering.number)
    return root.map { Int64($0) } ?? number
  }

  /// Merges history: the snapshot's rows unchanged, and later ones with renumbered entities.
  private func mergeHistory(_ connection: borrowing Connection) throws {
    for statement in try frame.historyStatements { try connection.execute(statement) }
    for name in HistoryTables.tableNames
    where present.table(named: name) != nil && replay.old.table(named: name) != nil {
      let (old, new) = (qualified(name, in: Replay.oldSchema), qualified(name, in: result))
      try connection.execute("INSERT OR REPLACE INTO \(new) SELECT * FROM \(old)")
    }
  }
}
