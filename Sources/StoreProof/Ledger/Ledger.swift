package import SQLite
package import StoreFormat
import Migrations
package import RowRewriting
package import OutboxConversion

/// The proof that nothing was lost: it reads both stores once, side by side, in key order.
///
/// The ledger doesn't use the evaluator that computed the rows. Copied cells are compared bit by
/// bit, payloads are converted back, and formulas are evaluated by expressions of the proof's own.
/// Other conversions are checked by their own rules; only one that is the input of another, or of a
/// condition, is computed again.
package struct Ledger: Sendable {
  package let program: StoreProgram
  package let store: StoreDescription

  /// The schema under which the old store is attached.
  package let sourceSchema: String

  /// The schema under which each table of the new store is attached.
  package let targetSchema: @Sendable (String) -> String

  /// The values that are compared.
  package let scope: Scope

  /// The files that list the outbox rows that aren't in the new store; `nil` if all rows are.
  package let setAside: SetAside?

  /// The tables whose pages are proven to be the old store's; `nil` if all rows are compared.
  package let carriedOnPages: CarriedPages?

  /// The values that the ledger accounts for.
  package enum Scope: Hashable, Sendable {
    /// All values: the new store was just written.
    case everything

    /// The values in the content hash; `Z_OPT` and history change when an app opens the store.
    case content
  }

  package init(
    program: StoreProgram, store: StoreDescription, sourceSchema: String,
    targetSchema: @escaping @Sendable (String) -> String, scope: Scope = .everything,
    setAside: SetAside? = nil, carriedOnPages: CarriedPages? = nil
  ) {
    self.program = program
    self.store = store
    self.sourceSchema = sourceSchema
    self.targetSchema = targetSchema
    self.scope = scope
    self.setAside = setAside
    self.carriedOnPages = carriedOnPages
  }

  /// The result of the comparison.
  package struct Result: Sendable {
    package var entries: [LedgerEntry] = []
    package var findings: [Finding] = []

    /// The outcomes of the rows of a deliverable outbox; `nil` for other stores.
    package var delivery: DeliveryCounts?

    /// The tables whose pages prove that their rows are the old store's.
    package var carried: Set<String> = []

    /// The digests of tables for the content hash of each store, as far as they were computed.
    package var digests = (old: [String: [UInt8]](), new: [String: [UInt8]]())
  }

  /// The maximum number of findings per table: one is enough to fail, a few more show a pattern.
  static let findingLimit = 10

  /// Reads both stores and accounts for every row and value.
  package func result(_ connection: borrowing Connection) throws -> Result {
    let account = LedgerAccount(self)
    try account.comparePieces(.all, connection)
    return try account.result()
  }
}

// MARK: - Copied tables

extension Ledger {
  /// The columns of entity tables that aren't compared.
  var leftOut: Set<String> { scope == .content ? ["Z_OPT"] : [] }

  /// Compares a copied table, which must have the same rows in both stores.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - changed: The columns that aren't compared, in upper case.
  ///   - filter: A `WHERE` clause for the rows of the old store.
  ///   - connection: The connection.
  ///   - result: Receives the entries of the columns, and the findings.
  /// - Throws: A ``SQLiteError`` if a row can't be read.
  func compareCarried(
    _ name: String, leavingOut changed: Set<String> = [], where filter: String = "",
    _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    guard let table = store.table(named: name) else { return }
    let columns = table.columns.map(\.name).filter { !changed.contains($0.uppercased()) }
    if let pages = carriedOnPages, pages.tables.contains(table.name) {
      result.carried.insert(table.name)
      return try countCarried(table.name, columns, pages, &result)
    }
    var pairs = try QueryPairs(
      columns, of: table.name, in: sourceSchema, and: targetSchema(name), where: filter, connection)
    var digest = OptionalDigest(contentPlaces(of: name, in: columns))
    var account = CarriedTable(name, columns.map { entry(for: $0, of: name) })
    while let match = try pairs.next() {
      account.compare(match, pairs.first.row, pairs.second.row)
      if match != .onlyInSecond { digest.add(pairs.first.row) }
    }
    result.entries += account.entries
    result.findings += account.problems.findings
    // Equal tables have the same digest.
    if account.problems.findings.isEmpty, let value = digest.finish() {
      result.digests.old[name] = value
      result.digests.new[name] = value
    }
  }

  /// Returns the indices of the content hash's columns among the columns of a copied table.
  ///
  /// The result is `nil` if the table isn't in the hash, or if its rows may be read in another
  /// order.
  func contentPlaces(of name: String, in columns: [String]) -> [Int]? {
    if let table = program.sourceLayout.tables.first(where: { $0.name == name }) {
      return table.contentPlaces(in: columns)
    }
    let isSame = [program.sourceLayout, program.targetLayout].allSatisfy { layout in
      layout.joinTables.contains { $0.name == name && $0.columnNames == columns }
    }
    return isSame ? Array(columns.indices) : nil
  }

  /// Compares a history table, whose entity numbers and update masks may change.
  func compareHistory(
    _ name: String, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    let dropped = program.droppedEntities.sorted().map(String.init).joined(separator: ", ")
    let isChange = name == "ACHANGE"
    try compareCarried(
      name, leavingOut: isChange ? ["ZENTITY", "ZCOLUMNS"] : [],
      where: isChange && !dropped.isEmpty ? " WHERE ZENTITY NOT IN (\(dropped))" : "", connection,
      &result)
  }

  /// Counts the rows of dropped tables as set aside, because their loss was accepted.
  func accountForDropped(
    _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    let inlined = program.inlines.map(\.table)
    for name in program.droppedTables where !inlined.contains(name) {
      guard let table = store.table(named: name) else { continue }
      let from = "\(quoteIdentifier(sourceSchema)).\(quoteIdentifier(table.name))"
      let rows = try connection.value("SELECT count(*) FROM \(from)")?.int64 ?? 0
      for column in table.columns where !leftOut.contains(column.name.uppercased()) {
        var entry = entry(for: column.name, of: table.name)
        entry.rows = rows
        entry.setAside = rows
        result.entries.append(entry)
      }
    }
  }

  /// Returns the entry of a column, by the model's names if the column is in the model.
  func entry(for column: String, of table: String) -> LedgerEntry {
    let layout = program.sourceLayout
    if let found = layout.tables.first(where: { $0.name == table }) {
      let property = found.columns.first { $0.name == column }?.content.property
      return LedgerEntry(entity: found.rootEntity, property: property ?? column)
    }
    guard let join = layout.joinTables.first(where: { $0.name == table }) else {
      return LedgerEntry(entity: table, property: column)
    }
    let side = join.first.keyColumn == column ? join.second : join.first
    return LedgerEntry(entity: side.entity, property: side.relationship)
  }

  func checkEmpty(
    _ table: Table, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    let name = qualified(table.name, in: targetSchema(table.name))
    if try connection.value("SELECT 1 FROM \(name) LIMIT 1") != nil {
      result.findings.append(Finding(.ledger, "'\(table.name)' is new and has rows"))
    }
  }

  func compareJoin(
    _ join: JoinProgram, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    if let relinked = join.relinked {
      return try compare(relinked, in: join.table, connection, &result)
    }
    let names = join.table.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let target = qualified(join.table.name, in: targetSchema(join.table.name))
    try join.moved?.removals.prepare(connection, schema: sourceSchema)
    let new = try RowCursor("SELECT \(names) FROM \(target) ORDER BY 1, 2", by: .link, connection)
    guard let table = join.sourceTable, let query = join.query(schema: sourceSchema) else {
      if new.key != nil {
        result.findings.append(Finding(.ledger, "'\(join.table.name)' is new and has rows"))
      }
      return
    }
    let old = try RowCursor("\(query) ORDER BY 1, 2", by: .link, connection)
    var pairs = RowPairs(old, new)
    var (rows, identical): (Int64, Int64) = (0, 0)
    var hasSurplus = false
    let compared = Array(join.sourceColumns.indices)
    while let match = try pairs.next() {
      if match == .onlyInSecond { hasSurplus = true } else { rows += 1 }
      if match == .both,
        pairs.first.row.holds(at: compared, sameAs: pairs.second.row, by: .identical)
      {
        identical += 1
      }
    }
    if hasSurplus {
      result.findings.append(Finding(.ledger, "'\(join.table.name)' has an extra link"))
    }
    // One entry for each column, as for a table that is copied.
    for column in join.sourceColumns.compactMap(\.self) {
      var entry = entry(for: column, of: table)
      (entry.rows, entry.identical) = (rows, identical)
      result.entries.append(try accountForMoved(join, entry, connection))
    }
  }
}

/// The ledger entries of a copied table.
private struct CarriedTable {
  private let name: String
  private let accounts: [LedgerEntry]
  private var rows: Int64 = 0

  /// The number of values of each column that the new store doesn't have.
  private var lost: [Int64]

  /// The indices of all columns.
  private let compared: [Int]
  package private(set) var problems = Ledger.Problems()

  /// Creates entries without rows.
  init(_ name: String, _ accounts: [LedgerEntry]) {
    self.name = name
    self.accounts = accounts
    lost = accounts.map { _ in 0 }
    compared = Array(accounts.indices)
  }

  var entries: [LedgerEntry] {
    zip(accounts, lost).map { account, lost in
      var entry = account
      entry.rows = rows
      entry.identical = rows - lost
      return entry
    }
  }

  /// Compares a pair of rows; if only one store has a row, the other statement isn't read.
  mutating func compare(
    _ match: QueryPairs.Match, _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    guard match != .onlyInSecond else {
      return problems.report("'\(name)' has an extra row", new)
    }
    rows += 1
    if match == .onlyInFirst {
      for place in lost.indices { lost[place] += 1 }
      return problems.report("the new store's '\(name)' doesn't have it", old)
    }
    if old.holds(at: compared, sameAs: new, by: .identical) { return }
    for place in lost.indices where !old.holds(at: place, sameAs: new, at: place, by: .identical) {
      lost[place] += 1
      problems.report("a value of '\(name).\(accounts[place].property)' was not copied", old)
    }
  }
}

extension Ledger {
  /// The findings about a table, up to ``findingLimit``.
  struct Problems {
    package private(set) var findings: [Finding] = []

    /// Adds a finding about a row, unless the limit is reached.
    package mutating func report(_ message: String, _ row: borrowing Statement) {
      guard findings.count < Ledger.findingLimit else { return }
      findings.append(Finding(.ledger, "row \(row.int64(at: 0)): \(message)"))
    }
  }
}
