package import Platform
package import SQLite
package import StoreFormat
import StoreAccess

/// A store that only this process can read and write, until it is released (b).
///
/// # Invariants
///
/// 1. While it exists, no other process can write to the store, or open and read it.
/// 2. Other descriptors of the main file were opened before the lock was taken and are closed after
///    it is released: POSIX drops a process's locks on a file when it closes any descriptor of it
///    (d).
/// 3. Taking and releasing it leaves every byte of the store unchanged.
///
/// The letters in comments are those of the protocol in `Durability.md`.
///
/// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_locking_mode>
package struct ExclusiveStore: ~Copyable {
  package let files: StoreFiles

  /// The folder that the store lies in.
  let folder: Directory
  package let connection: Connection

  /// The main file, which another thread may read while the connection is in use.
  package let file: SharedFile

  /// A second connection, which reads the main file without a lock (d).
  private let unlockedConnection: SharedConnection
  private let probe: LockProbe
  private let hadWAL: Bool
  private let hadIndex: Bool

  private init(
    files: StoreFiles, folder: consuming Directory, connection: consuming Connection,
    file: SharedFile, unlockedConnection: SharedConnection, probe: consuming LockProbe,
    hadWAL: Bool, hadIndex: Bool
  ) {
    self.files = files
    self.folder = folder
    self.connection = connection
    self.file = file
    self.unlockedConnection = unlockedConnection
    self.probe = probe
    (self.hadWAL, self.hadIndex) = (hadWAL, hadIndex)
  }

  /// Takes SQLite's exclusive lock without waiting (b).
  ///
  /// - Throws: ``StoreAccessError/inUse(_:holders:)`` if another process has the store open.
  package static func take(_ files: StoreFiles, typed path: String) throws -> ExclusiveStore {
    // Every other descriptor of the main file is opened before the lock: closing one drops it (d).
    let probe = try LockProbe(of: files.path)
    // An idle connection in DELETE mode has no lock, but could later write through the old file.
    let holders = try probe.holders()
    guard holders.isEmpty else {
      throw StoreAccessError.inUse(path, holders: holders.map(\.description))
    }
    let folder = try files.openFolder()
    let file = SharedFile(try folder.open(files.name, for: .updating))
    // A log that a killed run kept is put back (c).
    let hadWAL = try folder.has(files.walName) || files.hasKeptLog
    let hadIndex = try folder.has(files.sharedMemoryName)
    let unlockedConnection = SharedConnection(
      try Connection(path: files.path, mode: .immutable, followingLinks: false))
    let connection = try Connection(path: files.path, mode: .readWrite, followingLinks: false)
    let (isLocked, failure) = lockAfterFailure(connection)
    // SQLite opened the file by its path, where a run that just ended may have put another one (b).
    let isThere = try file.descriptor.status().identity == folder.status(of: files.name).identity
    guard isLocked && isThere else {
      if let failure { throw failure }
      throw StoreAccessError.inUse(path, holders: try probe.holders().map(\.description))
    }
    let store = ExclusiveStore(
      files: files, folder: folder, connection: connection, file: file,
      unlockedConnection: unlockedConnection, probe: probe,
      hadWAL: hadWAL, hadIndex: hadIndex)
    if let failure { throw failure }
    return store
  }

  /// The second connection, for another thread; `nil` if the store has a log.
  ///
  /// With a log, the main file alone doesn't have all rows.
  package var secondConnection: SharedConnection? {
    get throws(SystemError) { try files.hasLog ? nil : unlockedConnection }
  }

  /// Takes the lock, once more if a read fails.
  ///
  /// By then, SQLite may have created an empty log. Only who has the lock may remove it: the store's
  /// `deinit` does.
  ///
  /// - Returns: Whether the lock is taken, and the error to report in any case.
  private static func lockAfterFailure(
    _ connection: borrowing Connection
  ) -> (isLocked: Bool, failure: (any Error)?) {
    do {
      guard try lock(connection) else { return (false, nil) }
    } catch {
      return ((try? lock(connection)) ?? false, error)
    }
    do {
      // This reads the schema, which may be damaged.
      try connection.keepLittleInMemory()
      return (true, nil)
    } catch {
      return (true, error)
    }
  }

  /// Takes the lock; returns `false` if it is busy.
  private static func lock(_ connection: borrowing Connection) throws -> Bool {
    // Without this, closing the connection would fold the log into the main file (invariant 3
    // above).
    try connection.set(.noCheckpointOnClose, to: true)
    do throws(SQLiteError) {
      // Set the mode first: a read before it would create a `-shm`.
      // <https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory>
      try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
      // In exclusive mode the lock outlives the transaction: it stays until the connection closes.
      try connection.execute("BEGIN EXCLUSIVE; COMMIT")
      return true
    } catch {
      guard error.isBusy else { throw error }
      return false
    }
  }

  /// Releases the store; throws if the empty log can't be removed.
  ///
  /// `deinit` repeats the removal, which has no effect then.
  package consuming func release() throws(SystemError) { try removeEmptyLog() }

  // The first error is reported. If this fails too, an empty log stays, which does no harm.
  deinit { try? removeEmptyLog() }

  /// Removes the empty log that opening a file in WAL mode makes where there was none.
  func removeEmptyLog() throws(SystemError) {
    // An index that came since is of a log that another run emptied, and needs it (c).
    let hasIndex = try folder.has(files.sharedMemoryName)
    guard hadIndex || !hasIndex else { return }
    if !hadWAL, let status = try folder.statusIfPresent(of: files.walName), status.size == 0 {
      try folder.removeIfPresent(files.walName)
    }
  }
}
