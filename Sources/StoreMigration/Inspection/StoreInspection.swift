import JSONText
package import Platform
package import SQLite
package import StoreFormat
package import Migrations
package import StoreAccess
import OutboxConversion
import StoreProof

/// A look at a store that leaves every byte and every time stamp as it was.
///
/// A store that nobody uses is read without locks and without a `-shm`; of one in use counts only what
/// SQLite's ordinary reader reads, beside its writer.
package struct StoreInspection: ~Copyable {
  /// The store's files.
  package let files: StoreFiles

  /// The path as the user typed it.
  package let typedPath: String

  /// The other processes that have the store open.
  package let holders: [Holder]

  /// A Boolean value indicating whether the store is read as one of many, beside others' locks.
  let isShared: Bool

  /// What the store says of itself.
  package let store: StoreDescription

  /// Which version it is at.
  package let recognition: Recognition

  /// The connection that the store is read through.
  package let connection: Connection

  /// The files as they were before they were opened.
  private let moments: FileTimestamps

  /// Opens a store and recognises it.
  ///
  /// - Throws: A ``StoreAccessError`` that says why the file is no usable store.
  package init(path: String, catalog: Catalog) throws(StoreAccessError) {
    let files = try StoreFiles(resolving: path)
    let opened = try OpenedStore.open(files, typed: path)
    typedPath = path
    self.files = files
    holders = opened.holders
    isShared = opened.isShared
    store = opened.description
    recognition = Recognition(store, in: catalog)
    moments = opened.moments
    connection = opened.connection
  }

  /// Does what reads from the store; it counts for nothing if the store was written to meanwhile.
  ///
  /// Beside processes that use the store, SQLite's locks keep whole what one transaction reads.
  ///
  /// - Throws: What the body throws; ``StoreAccessError/inUse(_:holders:)`` if the store, which
  ///   nobody used, was written to.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    let result = Swift.Result { try body() }
    guard isShared || FileTimestamps(of: files) == moments else {
      throw StoreAccessError.inUse(typedPath, holders: [])
    }
    return try result.get()
  }
}

extension StoreInspection {
  /// The version that a migration starts at.
  ///
  /// It is the one that is recognised, or the store's own model where the target is a schema file.
  package func startingVersion(for request: MigrationRequest) throws(VersionError) -> ModelVersion {
    try recognition.startingVersion(for: request, of: store, typed: typedPath)
  }
}
