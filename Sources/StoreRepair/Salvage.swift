import SQLite
import StoreFormat

/// Writes a store with damaged pages into a new file, with every row that can be read.
///
/// SQLite reads the tables without damage. Of a damaged table, each leaf is read on its own, by the
/// cells that it has.
struct Salvage {
  /// The path of the store, as it was typed.
  let path: String
  let pages: RawPages

  /// The numbers of the entities in each table of the version, by uppercase name.
  ///
  /// It is empty before the version is known.
  var numbers: [String: Set<Int64>] = [:]

  /// An object of the schema.
  private struct Object {
    let type: String
    let name: String
    let table: String
    let root: UInt32
    let sql: String?
  }

  /// Writes all tables, indexes and triggers into an empty database.
  ///
  /// - Parameters:
  ///   - old: A connection to the damaged store.
  ///   - new: A connection to the empty database.
  /// - Returns: What was saved of the tables that are damaged.
  /// - Throws: A ``RepairError`` if a damaged table isn't in Core Data's form, or a `SQLiteError` if
  ///   the schema can't be read or the new file can't be written.
  /// - Complexity: O(*n*) in the size of the store, with four bytes of memory for each page,
  ///   and some for each page of a long value in a damaged table.
  func run(
    from old: borrowing Connection, to new: borrowing Connection
  ) throws -> SavedRows {
    let objects = try objects(old)
    if let reason = try obstacle(objects, old) {
      throw RepairError.unsavable(path, reason: reason)
    }
    try copySettings(from: old, to: new)
    let trees = objects.filter { $0.root > 0 }.map(\.root)
    // The schema's own tree begins on the first page.
    let ownership = try PageOwnership(of: [1] + trees, in: pages)
    var rows = SavedRows()
    try new.begin()
    for object in objects where object.type == "table" && !object.name.hasPrefix("sqlite_") {
      guard let sql = object.sql else { continue }
      try new.execute(sql, [])
      guard let place = trees.firstIndex(of: object.root) else { continue }
      let shape = try SalvageShape(object.name, sql: sql, new)
      try save(shape, sql, tree: place + 1, ownership, &rows, from: old, to: new)
    }
    try adopt(ownership, &rows, new)
    for place in rows.tables.indices {
      let indexes = objects.filter { $0.type == "index" && $0.table == rows.tables[place].name }
      try rows.tables[place].findLosses(indexes.map(\.name), old, new)
    }
    try copyCounters(from: old, to: new)
    try createRest(objects, new)
    try new.commit()
    return rows
  }

  /// Copies the rows of a table: as SQLite reads them, or by its pages if it is damaged.
  private func save(
    _ shape: SalvageShape, _ sql: String, tree: Int, _ ownership: PageOwnership,
    _ rows: inout SavedRows, from old: borrowing Connection, to new: borrowing Connection
  ) throws {
    let findings = try Self.findings(old, table: shape.name)
    let own = numbers[shape.name.uppercased()] ?? []
    guard !findings.isEmpty || ownership.isDisturbed(tree) else {
      try copy(shape, from: old, to: new)
      rows.intact.append(
        SalvagedTable(
          shape, own: own, foreign: foreignNumbers(shape.name), hasRowDamage: true))
      return
    }
    if let part = try ForeignForm.part(of: shape.name, sql: sql, new) {
      throw RepairError.foreignForm(path, table: shape.name, has: part)
    }
    let isHit = ownership.isDisturbed(tree) || ownership.concerns(tree, findings)
    var table = SalvagedTable(
      shape, own: own, foreign: foreignNumbers(shape.name), hasRowDamage: isHit)
    try table.addRows(of: tree, ownership, pages, new)
    rows.tables.append(table)
  }

  /// Copies the highest keys that AUTOINCREMENT has given, so that none is given again.
  private func copyCounters(
    from old: borrowing Connection, to new: borrowing Connection
  ) throws(SQLiteError) {
    do throws(SQLiteError) {
      for row in try old.rows("SELECT name, seq FROM sqlite_sequence") {
        try new.execute("DELETE FROM sqlite_sequence WHERE name = ?1 AND seq < ?2", row)
        try new.execute(
          """
          INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
          """, row)
      }
    } catch {
      // There is no such table without AUTOINCREMENT.
      guard error.isOfStatement || error.isCorrupt else { throw error }
    }
  }

  private func copySettings(
    from old: borrowing Connection, to new: borrowing Connection
  ) throws(SQLiteError) {
    for name in ["page_size", "auto_vacuum", "user_version", "application_id"] {
      try new.execute("PRAGMA \(name) = \(try old.pragma("main.\(name)").int64 ?? 0)")
    }
  }

  /// Returns what a new file can't get; `nil` if it can get all.
  private func obstacle(
    _ objects: [Object], _ old: borrowing Connection
  ) throws(SQLiteError) -> String? {
    if let table = objects.first(where: { $0.sql?.uppercased().hasPrefix("CREATE VIRTUAL") == true }
    ) {
      return "'\(table.name)' is a virtual table"
    }
    let encoding = try old.pragma("main.encoding").string ?? ""
    return encoding == "UTF-8" ? nil : "its texts are in \(encoding)"
  }

  /// Returns the numbers of entities whose rows are in other tables than this one.
  private func foreignNumbers(_ table: String) -> Set<Int64> {
    guard let own = numbers[table.uppercased()] else { return [] }
    return numbers.values.reduce(into: Set()) { $0.formUnion($1) }.subtracting(own)
  }

  /// Returns what saves the rows of a store whose version is known.
  ///
  /// A row with the number of an entity in another table is then that table's, if the store numbers its
  /// entities as the version does.
  func knowing(_ chosen: ChosenModel) -> Salvage {
    guard chosen.hasNumbers else { return self }
    let layout = StoreLayout(chosen.model)
    var salvage = self
    for table in layout.tables {
      let numbers = layout.numbering.tree(of: table.rootEntity).compactMap(
        layout.numbering.number(of:))
      salvage.numbers[table.name.uppercased()] = Set(numbers.map { Int64($0) })
    }
    // The history's numbers are the same in every store (`StoreFormat.md` §8).
    for (entity, table) in zip(HistoryTables.entities, HistoryTables.tableNames) {
      salvage.numbers[table] = [entity.number]
    }
    return salvage
  }

  /// Returns whether SQLite finds damage in a store.
  static func isDamaged(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try !findings(connection, table: nil).isEmpty
  }

  /// Returns the damage that SQLite finds in a store, or in one of its tables.
  ///
  /// A row that breaks a constraint isn't damage.
  private static func findings(
    _ connection: borrowing Connection, table: String?
  ) throws(SQLiteError) -> [String] {
    do throws(SQLiteError) {
      return try connection.integrityCheck("main", table: table, limit: 10_000)
        .filter { !$0.isAboutConstraint }
    } catch {
      guard error.isCorrupt else { throw error }
      return [error.message]
    }
  }

  private func objects(_ old: borrowing Connection) throws(SQLiteError) -> [Object] {
    try old.rows("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid")
      .map { row in
        Object(
          type: row[0].string ?? "", name: row[1].string ?? "", table: row[2].string ?? "",
          root: UInt32(clamping: row[3].int64 ?? 0), sql: row[4].string)
      }
  }

  /// Copies a table without damage, row by row.
  private func copy(
    _ shape: SalvageShape, from old: borrowing Connection, to new: borrowing Connection
  ) throws(SQLiteError) {
    var rows = try old.prepare(shape.query, isPersistent: true)
    var insert = try new.prepare(shape.insertion(ignoringDoubles: false), isPersistent: true)
    while try rows.step() {
      for place in 0..<rows.columnCount {
        try insert.bindColumn(of: rows, column: place, at: place + 1)
      }
      try insert.run()
    }
  }

  /// Creates indexes, views and triggers.
  ///
  /// A unique index that saved rows break is left out; the check of the result reports it.
  private func createRest(
    _ objects: [Object], _ new: borrowing Connection
  ) throws(SQLiteError) {
    for object in objects where object.type != "table" {
      guard let sql = object.sql else { continue }
      do throws(SQLiteError) {
        try new.execute(sql, [])
      } catch {
        guard error.isConstraint else { throw error }
      }
    }
  }
}

extension String {
  /// Whether a finding of SQLite's integrity check is about a constraint instead of a page.
  ///
  /// Source: <https://www.sqlite.org/pragma.html#pragma_integrity_check>
  fileprivate var isAboutConstraint: Bool {
    [
      "NULL value in ", "CHECK constraint failed in ", "NUMERIC value in ", "TEXT value in ",
      "non-INT value in ", "non-REAL value in ", "non-TEXT value in ", "non-BLOB value in ",
      "non-NUMERIC value in ", "non-INTEGER value in ",
    ].contains { hasPrefix($0) }
  }
}
