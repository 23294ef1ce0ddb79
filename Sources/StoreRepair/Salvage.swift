import SQLite
import StoreFormat

/// Writes a store with damaged pages into a new file, with every row that can be read.
///
/// SQLite reads the tables without damage. Of a damaged table, each leaf is read on its own, by the
/// cells that it has.
struct Salvage {
  let pages: RawPages

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
  /// - Returns: The tables that are damaged.
  /// - Throws: A `SQLiteError` if the schema can't be read or the new file can't be written.
  /// - Complexity: O(*n*) in the size of the store, with three bytes of memory for each page.
  func run(
    from old: borrowing Connection, to new: borrowing Connection
  ) throws -> [SalvagedTable] {
    let objects = try objects(old)
    for name in ["page_size", "auto_vacuum", "user_version", "application_id"] {
      try new.execute("PRAGMA \(name) = \(try old.pragma("main.\(name)").int64 ?? 0)")
    }
    let trees = objects.filter { $0.root > 0 }
    // The schema's own tree begins on the first page.
    let ownership = try PageOwnership(of: [1] + trees.map(\.root), in: pages)
    var damaged: [SalvagedTable] = []
    try new.begin()
    for object in objects where object.type == "table" && !object.name.hasPrefix("sqlite_") {
      guard let sql = object.sql else { continue }
      try new.execute(sql, [])
      guard object.root > 0 else { continue }
      let shape = try SalvageShape(object.name, sql: sql, new)
      guard try Self.isDamaged(old, table: object.name) else {
        try copy(shape, from: old, to: new)
        continue
      }
      let place = trees.firstIndex { $0.root == object.root } ?? 0
      var table = SalvagedTable(shape)
      try table.addRows(of: place + 1, ownership, pages, new)
      damaged.append(table)
    }
    try adopt(ownership, &damaged, new)
    for place in damaged.indices {
      let indexes = objects.filter { $0.type == "index" && $0.table == damaged[place].name }
      try damaged[place].findLosses(indexes.map(\.name), old, new)
    }
    try createRest(objects, new)
    try new.commit()
    return damaged
  }

  /// Returns whether SQLite finds damage in a store, or in one of its tables.
  static func isDamaged(
    _ connection: borrowing Connection, table: String? = nil
  ) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      return try !StoreCheck.integrityFindings(connection, table: table, limit: 1).isEmpty
    } catch {
      guard error.isCorrupt else { throw error }
      return true
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
    var insert = try new.prepare(shape.insertion, isPersistent: true)
    while try rows.step() {
      for place in 0..<rows.columnCount {
        try insert.bindColumn(of: rows, column: place, at: place + 1)
      }
      try insert.run()
    }
  }

  /// Adds the rows of leaves that nothing leads to, where only one damaged table can have them.
  private func adopt(
    _ ownership: PageOwnership, _ damaged: inout [SalvagedTable], _ new: borrowing Connection
  ) throws {
    guard !damaged.isEmpty else { return }
    for page in try ownership.orphans() {
      guard let bytes = try pages.read(page) else { continue }
      let cells = LeafCell.all(on: bytes, usable: pages.usable)
      var fitting: [Int] = []
      for place in damaged.indices
      where try damaged[place].canHave(cells, pages, ownership) { fitting.append(place) }
      guard let place = fitting.first, fitting.count == 1 else { continue }
      _ = try damaged[place].add(cells, soundOnly: true, pages, ownership, new)
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
