package import Platform
package import SQLite
package import StoreFormat

/// A store's connection with what was read through it first.
@frozen package struct OpenedStore: ~Copyable {
  /// The other processes that have the store open.
  package let holders: [Holder]

  /// A Boolean value indicating whether it is read as one of many, beside others' locks.
  package let isShared: Bool
  package let connection: Connection
  package let description: StoreDescription

  /// The files as they were before.
  package let moments: FileTimestamps

  /// Opens a store for reading.
  ///
  /// One that another process changes in the meantime is opened again: what was read then counts for
  /// nothing, and what can't be read may be no fault of the store's.
  package static func open(
    _ files: StoreFiles, typed path: String
  ) throws(StoreAccessError) -> OpenedStore {
    var attempts = 0
    while true {
      let before = FileTimestamps(of: files)
      do throws(StoreAccessError) {
        let opened = try openOnce(files, before, typed: path)
        // Of a store that is written to all the time, only a whole look can say that it wasn't in between.
        if opened.isShared || !before.areQuiet || FileTimestamps(of: files) == before {
          return opened
        }
        throw .inUse(path, holders: [])
      } catch {
        let holders = (try? lockHolders(of: files.path)) ?? []
        let hasChanged = FileTimestamps(of: files) != before
        guard hasChanged || (!holders.isEmpty && error.isOfOneInUse) else { throw error }
        attempts += 1
        if attempts == 5 { throw .inUse(path, holders: holders.map(\.description)) }
      }
      pause(for: .milliseconds(20))
    }
  }

  /// Opens a store as one that nobody uses, or as one of many.
  ///
  /// Where nothing was written to it lately, it is read while another thread looks for who has it open: a write
  /// in the meantime would show. Reading so writes nothing and takes no lock. It stays so beside processes that
  /// have it open and no more: as one of many SQLite would make a `-wal` and a `-shm`.
  private static func openOnce(
    _ files: StoreFiles, _ moments: FileTimestamps, typed path: String
  ) throws(StoreAccessError) -> OpenedStore {
    try files.checkHeader(typed: path)
    var alone: Result<OpenedStore, StoreAccessError>?
    let (_, found) = concurrently(
      { if moments.areQuiet { alone = opened(files, moments, heldBy: [], typed: path) } },
      { Result { () throws(SystemError) in try lockHolders(of: files.path) } })
    let holders: [Holder]
    do {
      holders = try found.get()
    } catch {
      throw .unreadable(error)
    }
    if holders.allSatisfy(\.isIdle), let opened = alone.take() {
      return try opened.get().beside(holders)
    }
    // Closing a descriptor of the file would drop the locks of a connection that was opened before.
    alone = nil
    return try opened(files, moments, heldBy: holders, typed: path).get()
  }

  /// Returns the same with the processes that were found.
  private consuming func beside(_ holders: [Holder]) -> OpenedStore {
    OpenedStore(
      holders: holders, isShared: isShared, connection: connection, description: description,
      moments: moments)
  }

  private static func opened(
    _ files: StoreFiles, _ moments: FileTimestamps, heldBy holders: [Holder], typed path: String
  ) -> Result<OpenedStore, StoreAccessError> {
    do throws(StoreAccessError) {
      let connection = try connection(to: files, isShared: !holders.isEmpty, typed: path)
      let description = try describe(connection, typed: path)
      return .success(
        OpenedStore(
          holders: holders, isShared: !holders.isEmpty, connection: connection,
          description: description, moments: moments))
    } catch {
      return .failure(error)
    }
  }

  private static func describe(
    _ connection: borrowing Connection, typed path: String
  ) throws(StoreAccessError) -> StoreDescription {
    do {
      return try StoreDescription(reading: connection)
    } catch {
      throw StoreAccessError(error, path: path)
    }
  }

  private static func connection(
    to files: StoreFiles, isShared: Bool, typed path: String
  ) throws(StoreAccessError) -> Connection {
    do {
      return try connection(to: files.path, isShared: isShared)
    } catch {
      throw StoreAccessError(error, path: path)
    }
  }

  /// Opens a connection for reading, whose temporary tables don't grow in memory.
  package static func connection(to path: String, isShared: Bool) throws(SQLiteError) -> Connection
  {
    let connection = try Connection(path: path, mode: isShared ? .readOnly : .readOnlyUnshared)
    try connection.keepLittleInMemory()
    return connection
  }
}

extension Holder {
  /// A Boolean value indicating whether the process has the store open and no lock on it.
  fileprivate var isIdle: Bool { uses == [.isOpen] }
}

extension StoreAccessError {
  /// A Boolean value indicating whether a store looks like this while another process writes it.
  fileprivate var isOfOneInUse: Bool {
    switch self {
    case .inUse, .hotJournal, .truncated, .emptyFile, .missingWAL: true
    case .noSuchStore, .directory, .strangeCompanion, .notADatabase, .encrypted, .damaged,
      .notAStore, .brokenRule, .readOnly, .unreadable, .cannotCreate, .io, .sqlite:
      false
    }
  }
}
