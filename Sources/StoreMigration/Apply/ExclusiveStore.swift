import Platform
import SQLite
import StoreFormat
import Migrations
import StoreAccess

/// A store that this process alone can read and write, until it lets go.
///
/// # Invariants
///
/// 1. While it exists no other process can write the store, nor open it and read.
/// 2. Other descriptors of the main file were opened before the lock was taken and are closed after it is
///    released: POSIX drops a process's locks when it closes any descriptor of the file.
/// 3. Taking and releasing it leaves every byte of the store as it was.
///
/// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_locking_mode>
struct ExclusiveStore: ~Copyable {
  let files: StoreFiles
  let connection: Connection

  /// The main file, which another thread may read while the connection is in use.
  let file: SharedFile

  /// Reads the main file without a lock.
  private let reader: SharedConnection
  private let probe: LockProbe
  private let hadWAL: Bool

  private init(
    files: StoreFiles, connection: consuming Connection, file: SharedFile,
    reader: SharedConnection, probe: consuming LockProbe, hadWAL: Bool
  ) {
    self.files = files
    self.connection = connection
    self.file = file
    self.reader = reader
    self.probe = probe
    self.hadWAL = hadWAL
  }

  /// Takes SQLite's exclusive lock, or doesn't: nobody is waited for.
  ///
  /// - Throws: ``StoreAccessError/inUse(_:holders:)`` if another process has the store open.
  static func take(_ files: StoreFiles, typed path: String) throws -> ExclusiveStore {
    let probe = try LockProbe(of: files.path)
    let holders = try probe.holders()
    guard holders.isEmpty else {
      throw StoreAccessError.inUse(path, holders: holders.map(\.description))
    }
    let file = SharedFile(try FileDescriptor(opening: files.path, for: .updating))
    let hadWAL = try FileSystem.exists(files.wal)
    let reader = SharedConnection(try Connection(path: files.path, mode: .immutable))
    let connection = try Connection(path: files.path, mode: .readWrite)
    let isLocked = try lock(connection)
    // A run that ended in between has put another file at the path.
    let isThere = try file.descriptor.status().identity == FileStatus(of: files.path).identity
    guard isLocked && isThere else {
      throw StoreAccessError.inUse(path, holders: try probe.holders().map(\.description))
    }
    return ExclusiveStore(
      files: files, connection: connection, file: file, reader: reader, probe: probe, hadWAL: hadWAL
    )
  }

  /// A connection for another thread; none where the main file alone doesn't say what the store holds.
  var helper: SharedConnection? {
    get throws(SystemError) { try files.hasLog ? nil : reader }
  }

  /// Takes the lock and returns whether it was to be had.
  private static func lock(_ connection: borrowing Connection) throws -> Bool {
    try connection.set(.noCheckpointOnClose, to: true)
    do throws(SQLiteError) {
      // The mode comes first: what reads before would make a `-shm`.
      try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
      try connection.keepLittleInMemory()
      // In exclusive mode the lock outlives the transaction.
      try connection.execute("BEGIN EXCLUSIVE; COMMIT")
      return true
    } catch {
      guard error.isBusy else { throw error }
      return false
    }
  }

  /// Lets go of a store that wasn't changed.
  consuming func release() throws {
    // Opening a file in WAL mode makes an empty log where there was none.
    if !hadWAL, let status = try FileStatus.ifPresent(at: files.wal), status.size == 0 {
      try FileSystem.removeIfPresent(files.wal)
    }
  }
}
