import SQLite
import StoreModel

/// Compares the tables of mirroring to CloudKit with the entities and rows of the store.
///
/// See `StoreFormat.md` §8.1. Z_PRIMARYKEY's numbers of mirroring are compared with those of the
/// snapshot, by the ledger.
struct MirroringCheck {
  let layout: StoreLayout
  let store: StoreDescription
  let schema: String

  init(_ store: StoreDescription, model: Model, schema: String) {
    self.store = store
    self.schema = schema
    layout = store.layout(of: model)
  }

  func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in store.mirroringTables where table.mirroredEntityPlace != nil {
      findings += try entityFindings(in: table, connection)
    }
    if let table = store.table(named: MirroringTables.records),
      table.mirroredEntityPlace != nil, table.hasColumn(MirroringTables.keyColumn)
    {
      findings += try pairFindings(in: table, connection)
      findings += try rowFindings(in: table, connection)
    }
    return findings + (try maximumFindings(connection))
  }

  /// Finds rows about entities that the model doesn't have.
  private func entityFindings(
    in table: StoreDescription.TableDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    let count = try table.strayRows(layout, schema: schema, connection)
    guard count > 0 else { return [] }
    return [
      Finding(
        .cloudKit,
        """
        \(counted(count, "row", "rows")) of '\(table.name)' \(count == 1 ? "is" : "are") about an \
        entity that isn't in the model
        """, about: [table.name, MirroringTables.entityColumn])
    ]
  }

  /// Finds rows of the app that have several records.
  private func pairFindings(
    in table: StoreDescription.TableDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    let columns = [MirroringTables.entityColumn, MirroringTables.keyColumn]
    let list = columns.joined(separator: ", ")
    // A damaged unique index may hide a pair, so none is used.
    let count =
      try connection.value(
        """
        SELECT count(*) FROM (SELECT 1 FROM \(name(table)) NOT INDEXED
          WHERE ZENTITYID IS NOT NULL AND ZENTITYPK IS NOT NULL
          GROUP BY \(list) HAVING count(*) > 1)
        """)?.int64 ?? 0
    guard count > 0 else { return [] }
    return [
      Finding(
        .cloudKit, "\(counted(count, "row has", "rows have")) several records in '\(table.name)'",
        about: [table.name] + columns)
    ]
  }

  /// Finds records of rows that don't exist, and that nothing marks for deletion.
  ///
  /// A row that was deleted since the last export is known only to the history.
  private func rowFindings(
    in table: StoreDescription.TableDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    let flags = ["ZNEEDSCLOUDDELETE", "ZNEEDSLOCALDELETE"].filter { table.hasColumn($0) }
    var conditions = flags.map { "coalesce(\($0), 0) = 0" }
    if let history = store.table(named: HistoryTables.changes) {
      conditions.append(
        """
        (ZENTITYID, ZENTITYPK) NOT IN (SELECT ZENTITY, ZENTITYPK FROM \(name(history))
          WHERE ZCHANGETYPE = 2 AND ZENTITY IS NOT NULL AND ZENTITYPK IS NOT NULL)
        """)
    }
    var missing: Int64 = 0
    for rows in layout.tables where store.table(named: rows.name) != nil {
      let numbers = layout.numbering.tree(of: rows.rootEntity)
        .compactMap(layout.numbering.number(of:)).map(String.init).joined(separator: ", ")
      let all =
        [
          "ZENTITYID IN (\(numbers))",
          "(ZENTITYPK IS NULL OR ZENTITYPK NOT IN (SELECT Z_PK FROM \(qualified(rows.name, in: schema))))",
        ] + conditions
      missing +=
        try connection.value(
          "SELECT count(*) FROM \(name(table)) WHERE \(all.joined(separator: " AND "))")?.int64 ?? 0
    }
    guard missing > 0 else { return [] }
    return [
      Finding(
        .cloudKit,
        """
        \(counted(missing, "record", "records")) of '\(table.name)' \
        \(missing == 1 ? "is" : "are") about a row that doesn't exist and isn't marked for deletion
        """, about: [table.name, MirroringTables.keyColumn])
    ]
  }

  private func maximumFindings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding]
  {
    var findings: [Finding] = []
    for row in store.entityNumbers where row.number >= MirroringTables.firstNumber {
      findings += try store.maximumFindings(
        .cloudKit, row.name, row, in: MirroringTables.table(of: row.name), schema: schema,
        connection)
    }
    return findings
  }

  private func name(_ table: StoreDescription.TableDescription) -> String {
    qualified(table.name, in: schema)
  }
}
