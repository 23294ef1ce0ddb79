import Platform
import SQLite
import StoreFormat
import StoreModel

/// Recognises, plans, applies, verifies and rolls back: everything the tool does to a store.
public struct StoreMigrator: Sendable {
  /// The versions and migrations that are known.
  public let catalog: Catalog

  public init(catalog: Catalog) {
    self.catalog = catalog
  }

  /// Says which version a store is at, leaving every byte of it as it was.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - countsRows: Whether to count the rows of each entity.
  /// - Returns: The version, or the nearest one with the differences.
  /// - Throws: A ``MigrationError`` that says why the file is no usable store.
  /// - Complexity: O(n) in the number of rows if they are counted.
  public func status(of path: String, countsRows: Bool = true) throws(MigrationError)
    -> StatusReport
  {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let files = inspection.files
    do {
      let counts = countsRows ? try inspection.rowCounts() : [:]
      return StatusReport(
        path: path, mainBytes: try FileStatus(of: files.path).size,
        walBytes: try FileStatus.ifPresent(at: files.wal)?.size ?? 0,
        recognition: inspection.recognition,
        versionIdentifiers: inspection.store.metadata?.versionIdentifiers ?? [],
        entities: inspection.store.appEntityNumbers.map {
          StatusReport.EntityRows(name: $0.name, rows: counts[$0.name])
        },
        holders: inspection.holders.map(\.description),
        remains: try Recovery(files: files).remains().map(\.description))
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }

  /// Works out what a migration would do, leaving every byte of the store as it was.
  public func plan(
    for path: String, _ request: MigrationRequest = MigrationRequest()
  ) throws(MigrationError) -> Plan {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let version = try inspection.startingVersion(for: request)
    let route = try Route(from: version, to: request, catalog: catalog)
    do {
      return try Planner(
        route: route, request: request, store: inspection.store, files: inspection.files
      ).plan(inspection.connection)
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }
}

extension StoreInspection {
  /// The version that a migration starts at: the one that is recognised, or the store's own model where
  /// the target is a schema file.
  func startingVersion(for request: MigrationRequest) throws(MigrationError) -> ModelVersion {
    try recognition.startingVersion(for: request, of: store, typed: typedPath)
  }

  /// The rows of each entity that the store has a table for, by name.
  func rowCounts() throws(SQLiteError) -> [String: Int64] {
    guard let model = store.cachedModel ?? recognition.version?.model else { return [:] }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    return try EntityCounts(layout: layout).counts(connection)
  }
}

extension Recognition {
  func startingVersion(
    for request: MigrationRequest, of store: StoreDescription, typed typedPath: String
  ) throws(MigrationError) -> ModelVersion {
    if !unsupported.isEmpty { throw .unsupported(typedPath, reasons: unsupported) }
    switch (match, version) {
    case (.exact, let version?): return version
    case (.torn, _) where store.cachedModel == nil || store.metadata == nil:
      throw .noModel(typedPath, reasons: store.problems)
    case (.torn, _): throw .torn(typedPath, findings: disagreements)
    default: break
    }
    if let schema = request.schema, let model = store.cachedModel {
      let name = model.versionIdentifiers.first { !$0.isEmpty && $0 != schema.version }
      return ModelVersion(
        SchemaFile(app: schema.app, version: name ?? "present", model: model))
    }
    if match == .partial, let version { throw .partial(typedPath, version: version.name) }
    throw .unknown(typedPath, summary: summary)
  }
}

extension Recognition {
  /// Where an unknown store stands, in a few words.
  public var summary: String {
    guard let version else { return "it is near none of them" }
    let distance = counted(differences.count, "difference", "differences")
    return isNewer
      ? "it is newer than any known version of \(version.app)"
      : "nearest is \(version.app) \(version.name), with \(distance)"
  }
}
