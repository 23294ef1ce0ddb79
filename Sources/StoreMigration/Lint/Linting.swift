import SQLite
import StoreFormat
package import Migrations
import StoreAccess
import RowRewriting
import OutboxConversion
import StoreProof

/// What lint found in one store.
package struct StoreLintReport: Hashable, Sendable {
  /// The app, the version the store is at, and the newest that it can get to.
  package let app: String
  package let from: String
  package let to: String

  /// What is found, in the order of the migrations.
  package let findings: [LintFinding]
}

extension StoreMigrator {
  /// Looks at schema and migration files alone.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - others: What they build upon.
  /// - Returns: What is found; nothing of the others' own.
  package static func lint(
    _ files: MigrationFileSet, besides others: Catalog
  ) -> [LintFinding] {
    FileLint(files: files, catalog: others.merging(files.catalog)).findings
  }

  /// Looks at what an app's own migrations would do to a store, leaving every byte of it as it was.
  ///
  /// - Throws: A ``MigrationError`` that says why the file is no usable store, or why no way leads on.
  /// - Complexity: O(n) in the number of rows.
  package func lint(_ path: String) throws(MigrationError) -> StoreLintReport {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      let request = MigrationRequest()
      let version = try inspection.startingVersion(for: request)
      let route = try Route(from: version, to: request, catalog: catalog)
      let lint = StoreLint(
        route: route, catalog: catalog,
        layout: StoreLayout(version.model, joinTableNames: inspection.store.tableNames))
      return try inspection.reading {
        StoreLintReport(
          app: version.app, from: version.name, to: route.target.name,
          findings: try lint.findings(inspection.connection))
      }
    }
  }
}
