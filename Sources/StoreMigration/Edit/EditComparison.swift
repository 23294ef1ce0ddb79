import SQLite
import StoreFormat
import Migrations
import StoreProof

/// Compares a store with its edited copy.
///
/// Stores the written rows for ``EditedRows``, and refuses a copy in which anything but rows
/// differs.
struct EditComparison {
  /// The path of the store, as it was typed.
  let path: String
  let store: StoreDescription

  /// The schema names of the store and of its copy.
  let old: String
  let new: String

  private static let kept = EditedRows.schema

  /// Fills the attached database of ``EditedRows`` and returns the changes by entity.
  ///
  /// - Parameter connection: A connection that has the store, the copy and that database.
  /// - Returns: The changes, in the order of the model; unchanged entities are left out.
  /// - Throws: A ``VerificationError`` if anything else differs, a ``VersionError`` if the store
  ///   has no model, or a `SQLiteError`.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  func storeChanges(_ connection: borrowing Connection) throws -> [EntityChange] {
    guard let model = store.cachedModel else {
      throw VersionError.noModel(path, reasons: store.problems)
    }
    let layout = store.layout(of: model)
    try checkRest(layout, connection)
    try connection.begin(.deferred)
    try connection.execute(
      """
      CREATE TABLE \(Self.kept).\(EditedRows.removed)
      (ZTABLE TEXT, ZKEY INTEGER, ZENT INTEGER, PRIMARY KEY (ZTABLE, ZKEY)) WITHOUT ROWID
      """)
    var changes: [EntityChange] = []
    for table in layout.tables { changes += try storeChanges(of: table, layout, connection) }
    try connection.commit()
    return changes
  }

  private func storeChanges(
    of table: Table, _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    guard let description = store.table(named: table.name) else { return [] }
    let columns = description.columns.map(\.name)
    // The key and the entity number come first, then all columns. `Z_OPT` isn't compared: it counts
    // saves.
    let read = ["Z_PK", "Z_ENT"] + columns
    let compared = read.indices.dropFirst(2).filter { read[$0] != "Z_OPT" }
    try createTable(for: table.name, columns, connection)
    var pairs = try QueryPairs(read, of: table.name, in: old, and: new, connection)
    var insert = try connection.prepare(insertion(into: table.name, columns), isPersistent: true)
    var remove = try connection.prepare(
      "INSERT INTO \(qualified(EditedRows.removed, in: Self.kept)) VALUES (?1, ?2, ?3)")
    var (counts, written) = (ChangeCounts(), false)
    while let match = try pairs.next() {
      switch match {
      case .onlyInFirst:
        try remove.bind(.text(table.name), at: 1)
        for place in 0..<2 {
          try remove.bindColumn(of: pairs.first.row, column: place, at: place + 2)
        }
        try remove.run()
        counts.countRemoved(pairs.first.row.int64(at: 1))
      case .both
      where pairs.first.row.holds(at: compared, sameAs: pairs.second.row, by: .identical):
        break
      case .both, .onlyInSecond:
        written = true
        for place in columns.indices {
          try insert.bindColumn(of: pairs.second.row, column: place + 2, at: place + 1)
        }
        try insert.run()
        let number = pairs.second.row.int64(at: 1)
        if match == .both { counts.countChanged(number) } else { counts.countAdded(number) }
      }
    }
    if !written { try connection.execute("DROP TABLE \(qualified(table.name, in: Self.kept))") }
    return counts.changes(in: table, of: layout)
  }

  private func insertion(into table: String, _ columns: [String]) -> String {
    """
    INSERT INTO \(qualified(table, in: Self.kept)) \
    (\(columns.map(quoteIdentifier).joined(separator: ", "))) \
    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
    """
  }

  /// Creates the table that keeps the written rows of a table.
  ///
  /// Without types, SQLite stores every value as it is:
  /// <https://www.sqlite.org/datatype3.html#type_affinity>
  private func createTable(
    for table: String, _ columns: [String], _ connection: borrowing Connection
  ) throws {
    let others = columns.filter { $0 != "Z_PK" }.map(quoteIdentifier).joined(separator: ", ")
    try connection.execute(
      "CREATE TABLE \(qualified(table, in: Self.kept)) (Z_PK INTEGER PRIMARY KEY, \(others))")
  }

  /// Refuses a copy that differs elsewhere: in the schema, join tables, metadata or history.
  private func checkRest(_ layout: StoreLayout, _ connection: borrowing Connection) throws {
    let edited = Set(layout.tables.map { $0.name.lowercased() } + ["z_primarykey"])
    let others = store.tables.map(\.name).filter { !edited.contains($0.lowercased()) }
    let isSame =
      try hasSameSchema(connection)
      && others.allSatisfy { try hasSameRows($0, connection) }
    guard isSame else {
      throw VerificationError(
        path, findings: ["something other than the rows of the model's entities was written"])
    }
  }

  private func hasSameSchema(_ connection: borrowing Connection) throws -> Bool {
    let columns = ["type", "name", "tbl_name", "sql"]
    return try isSame(
      QueryPairs(columns, of: "sqlite_schema", in: old, and: new, connection), columns)
  }

  private func hasSameRows(_ table: String, _ connection: borrowing Connection) throws -> Bool {
    guard let columns = store.table(named: table)?.columns.map(\.name) else { return true }
    return try isSame(QueryPairs(columns, of: table, in: old, and: new, connection), columns)
  }

  private func isSame(_ pairs: consuming QueryPairs, _ columns: [String]) throws -> Bool {
    let compared = Array(columns.indices)
    while let match = try pairs.next() {
      guard match == .both,
        pairs.first.row.holds(at: compared, sameAs: pairs.second.row, by: .identical)
      else { return false }
    }
    return true
  }
}
