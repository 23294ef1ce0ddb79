import StoreFormat
import StoreExchange
import Platform
public import Migrations

/// Recognises, plans, applies, verifies and rolls back: everything the tool does to a store.
public struct StoreMigrator: Sendable {
  /// The known versions and migrations.
  public let catalog: Catalog

  private let isCancelled: (@Sendable () -> Bool)?

  /// Creates a migrator.
  ///
  /// A function whose run is cancelled throws an error that says so
  /// (``MigrationError/isCancelled``), and the old store stays at its path. Once a new store is
  /// about to take its place, the run completes.
  ///
  /// - Parameters:
  ///   - catalog: The known versions and migrations.
  ///   - isCancelled: A closure that returns `true` from when on functions are to end early; `nil`
  ///     if they never are. It is called often, by any thread, so it must be fast.
  public init(catalog: Catalog, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.catalog = catalog
    self.isCancelled = isCancelled
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
          recognition: inspection.recognition, lacksModel: inspection.store.lacksModelCache,
          recorded: inspection.recordedVersion,
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

  /// Does a command's work, and wraps an error of any layer in a ``MigrationError``.
  ///
  /// Other threads of the process wait until the work on the store is done.
  package func reported<Result: ~Copyable>(
    _ path: String, _ work: () throws -> Result
  ) throws(MigrationError) -> Result {
    do {
      guard let isCancelled else { return try ThreadTurn.taking(path, work) }
      return try StoppableRun.working(until: isCancelled) {
        do {
          let result = try ThreadTurn.taking(path, work)
          // What was read may be incomplete.
          if !StopSignal.endsRun { return result }
        } catch  where !StopSignal.endsRun {
          throw error
        } catch {}
        // The error of whatever was interrupted says nothing.
        throw RequestError.cancelled(path)
      }
    } catch {
      throw MigrationError(wrapping: error, path: path)
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
