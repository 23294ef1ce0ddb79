import StoreFormat
package import Migrations
package import StoreMigration

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
  ///   - checksCloudKit: Whether to check what CloudKit allows.
  /// - Returns: The findings in the files.
  package static func lint(
    _ files: MigrationFileSet, besides others: Catalog, checksCloudKit: Bool = false
  ) -> [LintFinding] {
    FileLint(
      files: files, catalog: others.merging(files.catalog), checksCloudKit: checksCloudKit
    ).findings
  }

  /// Checks what CloudKit's production schema allows between two versions, without a store.
  ///
  /// - Parameters:
  ///   - source: The older version.
  ///   - request: The newer version.
  /// - Returns: The findings.
  /// - Throws: A ``MigrationError`` if there is no such version.
  package func lintCloudKit(
    from source: ModelVersion, to request: MigrationRequest
  ) throws(MigrationError) -> [LintFinding] {
    do throws(VersionError) {
      return try lint(from: source, request, nil, unsupported: []).schemaChanges
    } catch {
      throw MigrationError(.version(error))
    }
  }

  /// Checks what an app's own migrations would do to a store, without changing a byte of it.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - request: The version that the app migrates the store to; by default, the newest.
  ///   - checksCloudKit: Whether to check what CloudKit allows; a store that mirrors is checked for
  ///     what its production schema allows in any case.
  /// - Returns: The findings.
  /// - Throws: A ``MigrationError`` if the store can't be read, or if there is no route from its
  ///   version.
  /// - Complexity: O(n) in the number of rows.
  package func lint(
    _ path: String, _ request: MigrationRequest = MigrationRequest(), checksCloudKit: Bool = false
  ) throws(MigrationError) -> StoreLintReport {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      let version = try inspection.presentVersion(for: request)
      let lint = try lint(
        from: version, request, inspection.store,
        unsupported: inspection.recognition.unsupported)
      return try inspection.reading {
        let mirroring = try inspection.store.mirroringCounts(inspection.connection)
        let cloud =
          (mirroring == nil && !checksCloudKit ? [] : lint.schemaChanges)
          + (checksCloudKit ? LintFinding.violations(in: lint.target) : [])
        return StoreLintReport(
          app: version.app, from: version.name, to: lint.target.name,
          findings: lint.unsupported.map { .unsupported($0) }
            + (mirroring.map { [.mirrored($0)] } ?? [])
            + (try lint.findings(inspection.connection)) + cloud, warnings: inspection.warnings)
      }
    }
  }

  /// Finds the migrations from a version; those that the models don't determine are checked, too.
  private func lint(
    from version: ModelVersion, _ request: MigrationRequest, _ store: StoreDescription?,
    unsupported: [String]
  ) throws(VersionError) -> StoreLint {
    let target =
      request.schema.map { ModelVersion($0) }
      ?? request.target.flatMap { catalog.version($0, of: version.app) }
    let known = catalog.merging(
      Catalog(versions: [version] + (target.map { [$0] } ?? []), migrations: []))
    var migrations: [Migration] = []
    var isUndecided = false
    var unsupported = unsupported
    do throws(VersionError) {
      migrations = try Route(from: version, to: request, catalog: catalog).migrations
    } catch {
      guard let target, error.isAboutModels else { throw error }
      migrations = [InferredMigration(from: version, to: target).migration]
      isUndecided = true
      if case .onlyApp(_, _, let changes) = error { unsupported += changes.map(\.description) }
    }
    return StoreLint(
      source: version, migrations: migrations, catalog: known, isUndecided: isUndecided,
      unsupported: unsupported,
      layout: store?.layout(of: version.model) ?? StoreLayout(version.model))
  }
}

extension VersionError {
  /// Whether the two models are known, and only this tool can't migrate between them.
  fileprivate var isAboutModels: Bool {
    switch self {
    case .undecided, .onlyApp: true
    case .unknown, .torn, .noModel, .partial, .unsupported, .mirrored, .otherApp, .noVersion,
      .noTarget, .noPath, .namesake, .unrelated, .backward, .otherCache, .lineage:
      false
    }
  }
}
