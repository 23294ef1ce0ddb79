package import Platform
package import SQLite
import StoreFormat
package import Migrations
import StorePages

/// What a migration writes in a copy of the old file, and what stays on its pages.
package struct CopyPlan: Hashable, Sendable {
  /// The tables that are removed before others are written, and with them their indexes.
  let removedTables: [String]

  /// The indexes of other tables that are removed.
  let removedIndexes: [String]

  /// The tables whose rows stay on their pages.
  package let carriedTables: Set<String>

  /// Those tables and their indexes.
  package let carriedTrees: Set<String>
}

extension NewStore {
  /// Returns the plan for a copy of the old file; `nil` if an empty file is needed.
  ///
  /// A copy has everything that the file has, so there may be nothing that a new file lacks.
  private func copyPlan(_ connection: borrowing Connection) throws -> CopyPlan? {
    let isPlain =
      store.views.isEmpty && store.tables.allSatisfy { $0.sql.hasPrefix("CREATE TABLE ") }
    guard isPlain else { return nil }
    let renumbered = Set(store.renumberedTables(by: program).map(\.name))
    var carried = Set(
      program.actions.compactMap {
        if case .carry(let name) = $0 { name.lowercased() } else { nil }
      })
    carried.formUnion(
      store.unmodeledTables(in: program.sourceLayout).map(\.name)
        .filter { !renumbered.contains($0) }.map { $0.lowercased() })
    let history = Set(HistoryTables.tableNames.map { $0.lowercased() })
    // Only this table of history is ever changed, and then in its place.
    carried.formUnion(history.filter { historyChanges.isEmpty || $0 != "achange" })
    func isCarried(_ table: String) -> Bool { carried.contains(table.lowercased()) }
    let removed = store.tables.map(\.name).filter {
      !isCarried($0) && !history.contains($0.lowercased())
    }
    let statistics = try connection.rows(
      "SELECT name FROM \(source).sqlite_schema WHERE name LIKE 'sqlite\\_stat%' ESCAPE '\\'"
    ).compactMap { $0[0].string }
    let found = store.indexes.filter { isCarried($0.table) }
    let tables = store.tables.map(\.name).filter(isCarried)
    return CopyPlan(
      removedTables: removed + statistics,
      removedIndexes: found.filter { !indexes.copies($0) && $0.sql != nil }.map(\.name),
      carriedTables: Set(tables),
      carriedTrees: Set(tables + found.filter { indexes.copies($0) || $0.sql == nil }.map(\.name)))
  }

  /// Returns the plan for a copy of the old file; `nil` if an empty file is needed or quicker.
  ///
  /// - Parameters:
  ///   - origin: What the file should begin as; `nil` to choose.
  ///   - file: The old file, which has no log.
  ///   - connection: The connection to the old store.
  /// - Returns: The plan, or `nil`.
  /// - Throws: An error if the file can't be read.
  /// - Complexity: O(*n*) in the number of interior pages of the tables that change.
  package func copyPlan(
    for origin: MigrationRequest.FileOrigin?, of file: SharedFile,
    _ connection: borrowing Connection
  ) throws -> CopyPlan? {
    guard origin != .new, let plan = try copyPlan(connection) else { return nil }
    if origin == .copy { return plan }
    let roots = try connection.rows(
      "SELECT name, rootpage FROM \(source).sqlite_schema WHERE rootpage > 0"
    ).filter { !plan.carriedTrees.contains($0[0].string ?? "") }.compactMap {
      $0[1].int64.flatMap(UInt32.init(exactly:))
    }
    guard let size = try PageEstimate(of: roots, in: file) else { return nil }
    // Free pages would be copied with what was deleted from them.
    let changed = size.pages + size.freeCount
    let isQuicker =
      size.pageCount >= Self.smallestCopy && changed * Self.copyFactor <= size.pageCount
    return isQuicker ? plan : nil
  }

  /// A file is copied if at most one of so many pages changes, or is free (`Performance.md`).
  private static let copyFactor: Int64 = 3

  /// The number of pages below which a new file is as quick.
  private static let smallestCopy: Int64 = 256
}
