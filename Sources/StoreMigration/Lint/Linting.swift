import StoreFormat
package import Migrations

/// What `lint` found in one store.
package struct StoreLintReport: Hashable, Sendable {
  /// The app, the version the store is at, and the newest version that it can be migrated to.
  package let app: String
  package let from: String
  package let to: String

  /// The findings, in the order of the migrations.
  package let findings: [LintFinding]

  /// The warnings about the store's files.
  package let warnings: [PlanWarning]
}

extension StoreMigrator {
  /// Checks schema and migration files without a store.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - others: The versions and migrations that the files build upon.
  /// - Returns: The findings in the files.
  package static func lint(
    _ files: MigrationFileSet, besides others: Catalog
  ) -> [LintFinding] {
    FileLint(files: files, catalog: others.merging(files.catalog)).findings
  }

  /// Checks what an app's own migrations would do to a store, without changing a byte of it.
  ///
  /// - Throws: A ``MigrationError`` if the store can't be read, or if there is no route from its
  ///   version.
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
          findings: try lint.findings(inspection.connection), warnings: inspection.warnings)
      }
    }
  }
}
