import SQLite
import StoreFormat
import StoreModel
import StoreProof

/// Compares a repaired store with the one before, row by row, without the code that repaired it.
///
/// Every table of the old store is read beside that of the new one. Only as many values may differ,
/// and only as many rows may be gone, as the repair says that it changed and removed.
struct RepairProof {
  /// The path of the store, as it was typed.
  let path: String

  /// The schemas of the two stores.
  let old: String
  let new: String
  let account: RepairAccount

  /// What a comparison of one table found.
  private struct Comparison {
    var account: TableAccount
    var changed: [String: Int64] = [:]
    var added: Int64 = 0
  }

  /// Returns what became of the rows of each table.
  ///
  /// - Throws: A ``VerificationError`` if something differs that the repair doesn't say.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  func ledger(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws -> [TableAccount] {
    let entities = Dictionary(
      layout.tables.map { ($0.name.uppercased(), $0.rootEntity) },
      uniquingKeysWith: { first, _ in first })
    let own = Set(SystemTables.names)
    let names = try connection.rows(
      """
      SELECT name, sql FROM \(quoteIdentifier(old)).sqlite_schema WHERE type = 'table' ORDER BY rowid
      """
    ).filter { $0[1].string?.uppercased().hasPrefix("CREATE VIRTUAL") != true }
      .compactMap { $0[0].string }
      .filter { !own.contains($0.uppercased()) && !$0.hasPrefix("sqlite_") }
    return try names.map { name in
      let entity = entities[name.uppercased()]
      let start = Comparison(account: TableAccount(table: name, entity: entity))
      if let damaged = account.damaged.first(where: { $0.name == name }) {
        return try compareDamaged(damaged, start, connection)
      }
      let found =
        try account.rebuilt.contains(name.uppercased())
        ? compareRebuilt(name, start, connection) : compare(name, start, connection)
      try check(found)
      return found.account
    }
  }

  private func check(_ found: Comparison) throws {
    let table = found.account.table
    let removed = account.removed[table.uppercased()] ?? 0
    let changed = account.changed[table.uppercased()] ?? [:]
    guard found.added == 0, found.account.removed == removed, found.changed == changed else {
      throw VerificationError(
        path,
        findings: ["rows of '\(table)' differ from those before the repair in more than it says"])
    }
  }

  private func columns(
    of table: String, in schema: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(
      "PRAGMA \(quoteIdentifier(schema)).table_xinfo(\(quoteIdentifier(table)))"
    ).compactMap { $0[1].string }
  }

  /// Compares a table whose rows keep their row numbers.
  private func compare(
    _ table: String, _ start: Comparison, _ connection: borrowing Connection
  ) throws -> Comparison {
    var found = start
    let columns = try columns(of: table, in: old, connection)
    var pairs = try pairs(of: table, columns, connection)
    while let match = try pairs.next() {
      switch match {
      case .onlyInFirst:
        found.account.rows += 1
        found.account.removed += 1
      case .onlyInSecond: found.added += 1
      case .both:
        found.account.rows += 1
        let places = differences(pairs, columns.indices)
        for place in places { found.changed[columns[place].uppercased(), default: 0] += 1 }
        if places.isEmpty { found.account.unchanged += 1 } else { found.account.changed += 1 }
      }
    }
    return found
  }

  /// Returns the places of the columns whose values differ in a row of both stores.
  ///
  /// SQLite gives a number the form of its column when a row is written again, as all rows of some
  /// repairs are, and each row of which one value changes. Such a form is no difference.
  private func differences(_ pairs: borrowing QueryPairs, _ columns: Range<Int>) -> [Int] {
    func differing(by equality: Equality) -> [Int] {
      columns.filter {
        !pairs.first.row.holds(at: [$0 + 1], sameAs: pairs.second.row, by: equality)
      }
    }
    let places = differing(by: .identical)
    if places.isEmpty { return [] }
    let byContent = differing(by: .content)
    return byContent.isEmpty && !account.isWrittenAgain ? places : byContent
  }

  private func pairs(
    of table: String, _ columns: [String], _ connection: borrowing Connection
  ) throws(SQLiteError) -> QueryPairs {
    let list = columns.map(quoteIdentifier).joined(separator: ", ")
    do throws(SQLiteError) {
      return try QueryPairs(
        RowCursor(query("rowid, \(list)", of: table, in: old, by: "rowid"), by: .key, connection),
        RowCursor(query("rowid, \(list)", of: table, in: new, by: "rowid"), by: .key, connection))
    } catch {
      // A table without row numbers isn't Core Data's, and is never written.
      guard error.isOfStatement else { throw error }
      let order = (2...columns.count + 1).map(String.init).joined(separator: ", ")
      return try QueryPairs(
        RowCursor(query("0, \(list)", of: table, in: old, by: order), by: .place, connection),
        RowCursor(query("0, \(list)", of: table, in: new, by: order), by: .place, connection))
    }
  }

  private func query(
    _ list: String, of table: String, in schema: String, by order: String
  ) -> String {
    "SELECT \(list) FROM \(qualified(table, in: schema)) NOT INDEXED ORDER BY \(order)"
  }

  /// Compares a damaged table, as far as SQLite can read it, with what was saved.
  ///
  /// Each row that SQLite reads must be there, unless its cell has no record, or it is of an entity in
  /// another table. It may differ only if its cell has no record, if its record isn't as long as it
  /// says, if another has its key, or if the repair changed it. Rows of join tables name no entity; below a damaged page, SQLite may
  /// read rows of another table as theirs, so they are compared only if SQLite reads as many rows as
  /// were saved.
  private func compareDamaged(
    _ damaged: SalvagedTable, _ start: Comparison, _ connection: borrowing Connection
  ) throws -> TableAccount {
    let table = damaged.name
    let list = try columns(of: table, in: new, connection).map(quoteIdentifier)
    let kept = try connection.value("SELECT count(*) FROM \(qualified(table, in: new))")?.int64 ?? 0
    let removed = account.removed[table.uppercased()] ?? 0
    let changes = (account.changed[table.uppercased()] ?? [:]).values.reduce(0, +)
    var isSame = kept + removed == damaged.saved
    if damaged.namesEntities || damaged.isReadWhole {
      let (missing, different) = try differences(damaged, list, connection)
      // SQLite reads a cell without a record as a row of NULLs, of which the key may be another's.
      let unexplained =
        max(0, missing - removed)
        + max(0, different - changes - damaged.unsound - damaged.doubled)
      isSame = isSame && unexplained <= damaged.unreadable
    }
    guard isSame
    else {
      throw VerificationError(
        path, findings: ["rows of the damaged table '\(table)' that can be read weren't saved"])
    }
    var found = start.account
    found.rows = damaged.saved + (damaged.lost ?? 0)
    (found.removed, found.lost) = (removed, damaged.lost ?? 0)
    found.changed = min(kept, changes)
    found.unchanged = kept - found.changed
    return found
  }

  /// Counts the rows that SQLite reads of a damaged table, and that are missing or different.
  ///
  /// SQLite stops at damage, so it reads the table from both ends.
  private func differences(
    _ damaged: SalvagedTable, _ list: [String], _ connection: borrowing Connection
  ) throws(SQLiteError) -> (missing: Int64, different: Int64) {
    let first = try differences(damaged, list, by: "ASC", connection)
    if damaged.isReadWhole { return first }
    let last = try differences(damaged, list, by: "DESC", connection)
    return (max(first.missing, last.missing), max(first.different, last.different))
  }

  private func differences(
    _ damaged: SalvagedTable, _ list: [String], by order: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (missing: Int64, different: Int64) {
    let table = damaged.name
    var (missing, different) = (Int64(0), Int64(0))
    let old = try columns(of: table, in: old, connection).map(quoteIdentifier)
    let read = old.filter(list.contains).joined(separator: ", ")
    var twin = try connection.prepare(
      "SELECT \(read) FROM \(qualified(table, in: new)) WHERE rowid = ?1", isPersistent: true)
    do throws(SQLiteError) {
      var rows = try connection.prepare(
        """
        SELECT \(read), rowid\(damaged.namesEntities ? ", Z_ENT" : "") \
        FROM \(qualified(table, in: self.old)) NOT INDEXED ORDER BY rowid \(order)
        """)
      let places = Array(0..<rows.columnCount - (damaged.namesEntities ? 2 : 1))
      while try rows.step() {
        if damaged.namesEntities, damaged.foreignNumbers.contains(rows.int64(at: places.count + 1))
        {
          continue
        }
        try twin.bindInt64(rows.int64(at: places.count), at: 1)
        guard try twin.step() else {
          missing += 1
          continue
        }
        if !rows.holds(at: places, sameAs: twin, by: .content) { different += 1 }
        try twin.run()
      }
    } catch {
      guard error.isCorrupt else { throw error }
    }
    return (missing, different)
  }

  /// Compares a table that was written again: rows are paired by their values.
  ///
  /// Only its keys may differ. What else was mended in it isn't told apart from them.
  private func compareRebuilt(
    _ table: String, _ start: Comparison, _ connection: borrowing Connection
  ) throws -> Comparison {
    var found = start
    let (before, after) = (qualified(table, in: old), qualified(table, in: new))
    let rows = try connection.value("SELECT count(*) FROM \(before)")?.int64 ?? 0
    let kept = try connection.value("SELECT count(*) FROM \(after)")?.int64 ?? 0
    let changes = account.changed[table.uppercased()] ?? [:]
    let compared = try columns(of: table, in: old, connection).filter {
      $0.uppercased() != "Z_PK" && changes[$0.uppercased()] == nil
    }.map(quoteIdentifier).joined(separator: ", ")
    let gone =
      compared.isEmpty
      ? 0
      : try connection.value(
        """
        SELECT count(*) FROM (SELECT DISTINCT \(compared) FROM \(before) \
        EXCEPT SELECT \(compared) FROM \(after))
        """)?.int64 ?? 0
    let removed = account.removed[table.uppercased()] ?? 0
    guard gone <= removed else {
      throw VerificationError(path, findings: ["rows of '\(table)' are missing after the repair"])
    }
    found.account.rows = rows
    found.account.removed = rows - kept
    found.account.changed = account.renewed[table.uppercased()] ?? 0
    found.account.unchanged = kept - found.account.changed
    found.changed = changes
    return found
  }
}
