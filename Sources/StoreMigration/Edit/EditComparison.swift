import SQLite
import StoreFormat
import Migrations
import RowRewriting

/// Compares a store with its edited copy.
///
/// Keeps the rows that were written, and refuses a copy that differs in anything but rows.
struct EditComparison {
  /// The path of the store, as it was typed.
  let path: String
  let store: StoreDescription

  /// The names under which the store and its copy are open.
  let old: String
  let new: String

  private static let kept = EditedRows.schema

  /// Fills the attached database of ``EditedRows`` and returns the changes by entity.
  ///
  /// - Parameter connection: A connection with the store, the copy and the database.
  /// - Returns: The changes, in the order of the model; entities without any are left out.
  /// - Throws: ``MigrationError/verificationFailed(_:findings:)`` if the copy differs in anything else.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  func keep(_ connection: borrowing Connection) throws -> [EntityChange] {
    guard let model = store.cachedModel else {
      throw VersionError.noModel(path, reasons: store.problems)
    }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    try checkRest(layout, connection)
    try connection.begin(.deferred)
    try connection.execute(
      """
      CREATE TABLE \(Self.kept).\(EditedRows.removed)
      (ZTABLE TEXT, ZKEY INTEGER, ZENT INTEGER, PRIMARY KEY (ZTABLE, ZKEY)) WITHOUT ROWID
      """)
    var changes: [EntityChange] = []
    for table in layout.tables { changes += try keep(table, layout, connection) }
    try connection.commit()
    return changes
  }

  private func keep(
    _ table: Table, _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    guard let description = store.table(named: table.name) else { return [] }
    let names = description.columns.map { quoteIdentifier($0.name) }
    let (before, after) = (qualified(table.name, in: old), qualified(table.name, in: new))
    let kept = qualified(table.name, in: Self.kept)
    // Without types SQLite keeps every value as it is: <https://www.sqlite.org/datatype3.html#type_affinity>
    let others = names.filter { $0 != "\"Z_PK\"" }
    try connection.execute(
      "CREATE TABLE \(kept) (Z_PK INTEGER PRIMARY KEY, \(others.joined(separator: ", ")))")
    // What counts the saves is no content.
    let differs = names.filter { $0 != "\"Z_OPT\"" }.map {
      "n.\($0) IS NOT o.\($0) OR typeof(n.\($0)) <> typeof(o.\($0))"
    }
    let columns = (["Z_PK"] + others).map { "n.\($0)" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT INTO \(kept) SELECT \(columns) FROM \(after) AS n
      LEFT JOIN \(before) AS o ON o.Z_PK = n.Z_PK
      WHERE o.Z_PK IS NULL OR \(differs.joined(separator: " OR "))
      """)
    try connection.execute(
      """
      INSERT INTO \(Self.kept).\(EditedRows.removed) SELECT ?1, o.Z_PK, o.Z_ENT FROM \(before) AS o
      WHERE NOT EXISTS (SELECT 1 FROM \(after) AS n WHERE n.Z_PK = o.Z_PK)
      """, [.text(table.name)])
    let changes = try self.changes(in: table, layout, connection)
    if changes.allSatisfy({ $0.added + $0.changed == 0 }) {
      try connection.execute("DROP TABLE \(kept)")
    }
    return changes
  }

  private func changes(
    in table: Table, _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    let (before, kept) = (qualified(table.name, in: old), qualified(table.name, in: Self.kept))
    let counts = try connection.rows(
      """
      SELECT entity, sum(kind = 0), sum(kind = 1), sum(kind = 2) FROM (
      SELECT Z_ENT AS entity, EXISTS (SELECT 1 FROM \(before) AS o WHERE o.Z_PK = k.Z_PK) AS kind
      FROM \(kept) AS k UNION ALL
      SELECT ZENT, 2 FROM \(Self.kept).\(EditedRows.removed) WHERE ZTABLE = ?1)
      GROUP BY entity ORDER BY entity
      """, [.text(table.name)])
    return counts.map { row in
      EntityChange(
        entity: row[0].int64.flatMap { layout.numbering.name(of: Int($0)) } ?? table.rootEntity,
        added: row[1].int64 ?? 0, changed: row[2].int64 ?? 0, removed: row[3].int64 ?? 0)
    }
  }

  /// Everything else must be as it was: the schema, links in tables of their own, metadata, history.
  private func checkRest(_ layout: StoreLayout, _ connection: borrowing Connection) throws {
    let edited = Set(layout.tables.map { $0.name.lowercased() } + ["z_primarykey"])
    let others = store.tables.map(\.name).filter { !edited.contains($0.lowercased()) }
    for table in [nil] + others.map(Optional.some) {
      func rows(_ schema: String) -> String {
        table.map { "SELECT * FROM \(qualified($0, in: schema))" }
          ?? "SELECT type, name, tbl_name, sql FROM \(quoteIdentifier(schema)).sqlite_schema"
      }
      let (before, after) = (rows(old), rows(new))
      let difference = try connection.value(
        """
        SELECT 1 FROM (SELECT * FROM (\(before) EXCEPT \(after))
        UNION ALL SELECT * FROM (\(after) EXCEPT \(before))) LIMIT 1
        """)
      guard difference == nil else {
        throw VerificationError(
          path, findings: ["more than the rows of the model's entities was written"])
      }
    }
  }
}
