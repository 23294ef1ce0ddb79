package import Platform
package import SQLite
package import StoreFormat
import StorePages

extension CarriedPages {
  /// Finds out whether tables of a store are on the pages of an older file.
  ///
  /// Neither file has a log, and no process writes to them.
  ///
  /// - Parameters:
  ///   - tables: The tables.
  ///   - file: The store's main file.
  ///   - old: The older file.
  ///   - schema: The schema under which the store is open.
  ///   - oldSchema: The schema under which the older file is open.
  ///   - connection: The connection.
  /// - Returns: The tables with their numbers of rows; `nil` if a page differs or is in doubt, or if
  ///   an index doesn't have as many entries as its table has rows. Their rows may be equal
  ///   nevertheless.
  /// - Throws: A `SQLiteError` or a ``SystemError`` if a file can't be read.
  /// - Complexity: O(*n*) in the number of pages of the store.
  package static func found(
    _ tables: [String], of file: SharedFile, in old: SharedFile, schema: String, oldSchema: String,
    _ connection: borrowing Connection
  ) throws -> CarriedPages? {
    let before = try SchemaRow.all(connection, schema: oldSchema)
    let after = try SchemaRow.all(connection, schema: schema)
    let isDeclaredAlike = tables.allSatisfy { name in
      after[name].map { before[name]?.declares($0) == true } == true
    }
    guard isDeclaredAlike else { return nil }
    let carried = Set(
      after.values.filter { row in
        tables.contains(row.table) && before[row.name]?.declares(row) == true
      }.map(\.name))
    let report = try PageAudit.report(
      on: file, comparedWith: old,
      trees: after.values.sorted { $0.root < $1.root }.map { row in
        PageTree(
          name: row.name, root: row.root,
          oldRoot: carried.contains(row.name) ? before[row.name]?.root : nil)
      })
    // An index that lacks a row is for SQLite's check to find.
    let indexes = after.values.filter { $0.type == "index" && carried.contains($0.name) }
    guard report.findings.isEmpty,
      indexes.allSatisfy({ $0.isPartial || report.cells[$0.name] == report.cells[$0.table] })
    else { return nil }
    return CarriedPages(tables: Set(tables), trees: carried) { report.cells[$0] ?? 0 }
  }

  /// Returns the findings of SQLite's integrity check of the other tables.
  ///
  /// - Parameter connection: The connection to the store.
  /// - Returns: The findings; those of a table whose indexes aren't all on old pages are among them.
  /// - Throws: A `SQLiteError` if the store can't be read.
  package func integrityFindings(_ connection: borrowing Connection) throws -> [Finding] {
    try StoreCheck.integrityFindings(connection, besides: trees)
  }
}
