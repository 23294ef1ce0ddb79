package import Platform
package import SQLite
package import StoreFormat

/// An open store: its connection, and what was read through it first.
@frozen package struct OpenedStore: ~Copyable {
  /// The other processes that have the store open.
  package let holders: [Holder]

  /// Whether it is read with SQLite's locks, beside other processes.
  package let isShared: Bool
  package let connection: Connection
  package let description: StoreDescription

  /// The state of the files before they were opened.
  package let moments: FileTimestamps

  /// Opens a store for reading.
  ///
  /// A store that another process changes in the meantime is opened again: what was read doesn't
  /// count, and an error may not be the store's fault.
  package static func open(
    _ files: StoreFiles, typed path: String
  ) throws(StoreAccessError) -> OpenedStore {
    var attempts = 0
    while true {
      let before = try FileTimestamps(of: files)
      do throws(StoreAccessError) {
        let opened = try openOnce(files, before, typed: path)
        // If the store was written to just now, only its user can check, after the last read, that
        // it wasn't changed in between: see ``moments``.
        if opened.isShared || !before.areQuiet { return opened }
        if try FileTimestamps(of: files) == before { return opened }
        throw .inUse(path, holders: [])
      } catch {
        let holders = (try? lockHolders(of: files.path)) ?? []
        let hasChanged = try FileTimestamps(of: files) != before
        guard hasChanged || (!holders.isEmpty && error.isOfOneInUse) else { throw error }
        attempts += 1
        if attempts == 5 { throw .inUse(path, holders: holders.map(\.description)) }
      }
      pause(for: .milliseconds(20))
    }
  }

  /// Opens a store without locks if no other process uses it, else with SQLite's locks.
  ///
  /// If the store wasn't written to lately, it is read without locks while another thread looks for
  /// the processes that have it open; a write in the meantime would change the timestamps. Reading
  /// without locks writes nothing. A store that other processes only have open, without a lock, is
  /// read in this way, too: with locks, SQLite would create a `-wal` and a `-shm`.
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
    // Closing any descriptor of the file drops all locks on it: close this one before the next
    // connection takes its lock.
    alone = nil
    return try opened(files, moments, heldBy: holders, typed: path).get()
  }

  /// Returns the same store with the holders that were found.
  private consuming func beside(_ holders: [Holder]) -> OpenedStore {
    OpenedStore(
      holders: holders, isShared: isShared, connection: connection, description: description,
      moments: moments)
  }

  private static func opened(
    _ files: StoreFiles, _ moments: FileTimestamps, heldBy holders: [Holder], typed path: String
  ) -> Result<OpenedStore, StoreAccessError> {
    let log = EmptyLog(of: files)
    defer { log.restoreMode() }
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
  /// Whether the process has the store open, without a lock on it.
  fileprivate var isIdle: Bool { uses == [.isOpen] }
}

extension StoreAccessError {
  /// Whether another process that writes can cause the error.
  fileprivate var isOfOneInUse: Bool {
    switch self {
    case .inUse, .hotJournal, .truncated, .emptyFile, .missingWAL: true
    case .noSuchStore, .directory, .strangeCompanion, .notADatabase, .encrypted, .damaged,
      .notAStore, .brokenRule, .readOnly, .unreadable, .cannotCreate, .io, .sqlite:
      false
    }
  }
}
