package import Platform
package import SQLite
package import StoreFormat
import StoreModel
package import Migrations
import StoreExchange
package import StoreAccess
import OutboxConversion
import StoreProof

/// A store that is open for reading; its bytes and time stamps stay unchanged.
///
/// A store that no other process uses is read without locks and without a `-shm`. A store in use is
/// read by SQLite's ordinary reader, concurrently with its writer.
package struct StoreInspection: ~Copyable {
  /// The store's files.
  package let files: StoreFiles

  /// The path as the user typed it.
  package let typedPath: String

  /// The other processes that have the store open.
  package let holders: [Holder]

  /// Whether the connection takes locks, beside other processes.
  let isShared: Bool

  /// The store's metadata, cached model, entity numbers, tables and indexes.
  package let store: StoreDescription

  /// The version that the store is recognised as.
  package let recognition: Recognition

  /// The known versions.
  private let catalog: Catalog

  /// The connection that the store is read through.
  package let connection: Connection

  /// A Boolean value indicating whether the store's log may have been left behind.
  package let lacksLog: Bool

  /// The end of the log that SQLite leaves out, unless another process may still write it.
  package let unfinishedLog: UnfinishedLog?

  /// The time stamps of the files before they were opened.
  private let moments: FileTimestamps

  /// Opens a store and recognises it.
  ///
  /// - Throws: A ``StoreAccessError`` if the file isn't a store that can be read.
  package init(path: String, catalog: Catalog) throws(StoreAccessError) {
    let files = try StoreFiles(resolving: path)
    let lacksLog = (try? files.lacksLog) == true
    let opened = try OpenedStore.open(files, typed: path)
    typedPath = path
    self.files = files
    self.lacksLog = lacksLog
    holders = opened.holders
    isShared = opened.isShared
    unfinishedLog = opened.isShared ? nil : try? UnfinishedLog(of: files)
    self.catalog = catalog
    store = catalog.completing(opened.description)
    recognition = Recognition(store, in: catalog)
    moments = opened.moments
    connection = opened.connection
  }

  /// Runs a closure that reads the store, and discards its result if the store was written to.
  ///
  /// If other processes use the store, writing is allowed: SQLite's locks keep the reads of one
  /// transaction consistent.
  ///
  /// - Throws: What the body throws; ``StoreAccessError/inUse(_:holders:)`` if the store was
  ///   written to although no other process used it before.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    let result = Swift.Result { try body() }
    // Before the body's own error, which a write may have caused.
    guard try isShared || FileTimestamps(of: files) == moments else {
      throw StoreAccessError.inUse(typedPath, holders: [])
    }
    return try result.get()
  }
}

extension StoreInspection {
  /// Returns the version that a migration starts from.
  ///
  /// This is the recognised version, or the store's own model if the target is a schema file.
  package func startingVersion(for request: MigrationRequest) throws(VersionError) -> ModelVersion {
    // A wrong target would be blamed on a store that isn't recognised.
    if let target = request.target, request.schema == nil, recognition.match != .exact,
      !catalog.apps.contains(where: { catalog.version(target, of: $0) != nil })
    {
      throw .noTarget(target)
    }
    return try recognition.startingVersion(for: request, of: store, typed: typedPath)
  }

  /// Returns the version that the store is at, even if the tool can't migrate it.
  package func presentVersion(for request: MigrationRequest) throws(VersionError) -> ModelVersion {
    try recognition.presentVersion(for: request, of: store, typed: typedPath)
  }

  /// The version that a run of this tool brought the store to, if its schema isn't known.
  ///
  /// Receipts that can't be read are ignored: they only name a version here.
  var recordedVersion: StatusReport.RecordedVersion? {
    guard recognition.match == .unknown, let digest = store.metadata?.hashes?.digest,
      let receipt = try? SnapshotFolder.done(of: files).last(where: { $0.1.digest == digest })?.1
    else { return nil }
    return StatusReport.RecordedVersion(app: receipt.app, name: receipt.to)
  }
}
