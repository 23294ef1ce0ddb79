package import Platform
package import SQLite
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
  /// - Returns: The tables with their numbers of rows; `nil` if a page differs or is in doubt. Their
  ///   rows may be equal nevertheless.
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
    let report = try PageAudit.report(
      on: file, comparedWith: old,
      trees: after.values.sorted { $0.root < $1.root }.map { row in
        // Indexes don't matter: rows are read in the order of their keys.
        PageTree(
          name: row.name, root: row.root,
          oldRoot: tables.contains(row.name) ? before[row.name]?.root : nil)
      })
    guard report.findings.isEmpty else { return nil }
    return CarriedPages(tables: Set(tables)) { report.cells[$0] ?? 0 }
  }
}
