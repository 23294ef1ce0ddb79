import StoreFormat
import StoreExchange
import Platform
public import Migrations

/// Recognises, plans, applies, verifies and rolls back: everything the tool does to a store.
public struct StoreMigrator: Sendable {
  /// The known versions and migrations.
  public let catalog: Catalog

  public init(catalog: Catalog) {
    self.catalog = catalog
  }

  /// Reports which version a store is at, without changing a byte of it.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - countsRows: Whether to count the rows of each entity.
  /// - Returns: The version, or the nearest one with the differences.
  /// - Throws: A ``MigrationError`` if the file isn't a store that can be read.
  /// - Complexity: O(n) in the number of rows if they are counted.
  public func status(of path: String, countsRows: Bool = true) throws(MigrationError)
    -> StatusReport
  {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      let files = inspection.files
      return try inspection.reading {
        let counts = countsRows ? try inspection.rowCounts() : [:]
        return StatusReport(
          path: path, mainBytes: try FileStatus(of: files.path).size,
          walBytes: try FileStatus.ifPresent(at: files.wal)?.size ?? 0,
          recognition: inspection.recognition, recorded: inspection.recordedVersion,
          versionIdentifiers: inspection.store.metadata?.versionIdentifiers ?? [],
          entities: inspection.store.entityNames.map {
            StatusReport.EntityRows(name: $0, rows: counts[$0])
          },
          mirroring: try inspection.mirroring(countsRows: countsRows, catalog),
          holders: inspection.holders.map(\.description),
          remains: try Recovery(files: files).leftovers().map(\.description),
          warnings: inspection.warnings)
      }
    }
  }

  /// Opens a store, recognises it, and leaves every byte as it was.
  ///
  /// - Parameter path: The path of the store's main file.
  /// - Returns: The open store.
  /// - Throws: A ``MigrationError`` that says why the file is no usable store.
  package func inspection(of path: String) throws(MigrationError) -> StoreInspection {
    try reported(path) { try StoreInspection(path: path, catalog: catalog) }
  }
}
