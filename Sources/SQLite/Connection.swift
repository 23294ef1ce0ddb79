import CSQLite
import Platform

/// A connection to a SQLite database.
///
/// The connection closes when its owner is destroyed. If statements outlive it, SQLite keeps the
/// file open until the last one is finalized.
///
/// Database files can come from unknown sources, so a connection starts with SQLite's recommended
/// defenses: defensive mode, an untrusted schema, no triggers, views or double-quoted strings, low
/// limits for the cost of statements, and cell checks on every page. Use ``set(_:to:)`` to change
/// options.
///
/// Related SQLite documentation: <https://www.sqlite.org/c3ref/open.html>,
/// <https://www.sqlite.org/security.html>
package struct Connection: ~Copyable {
  let handle: OpaquePointer
  let cache: StatementCache

  /// Opens the database at a path.
  ///
  /// Opening reads nothing: the first statement throws if the file isn't a database. Throws if the
  /// mode writes and the file is read-only.
  ///
  /// - Parameters:
  ///   - path: The path of the main file.
  ///   - mode: How the connection uses the file.
  ///   - followingLinks: Whether the path, or that of a file attached later, may contain a symbolic link; if
  ///     not, SQLite refuses it (`SQLITE_CANTOPEN_SYMLINK`).
  /// - Throws: A ``SQLiteError`` if the file can't be opened.
  package init(path: String, mode: OpenMode, followingLinks: Bool = true) throws(SQLiteError) {
    self = try Connection.opened(path, mode, followingLinks: followingLinks)
  }

  private init(handle: OpaquePointer) {
    self.handle = handle
    cache = StatementCache()
  }

  private static func opened(
    _ path: String, _ mode: OpenMode, followingLinks: Bool
  ) throws(SQLiteError) -> Connection {
    guard
      mode == .memory || mode == .temporary
        || (!path.isEmpty && !path.utf8.contains(0))
    else {
      throw SQLiteError(code: SQLITE_CANTOPEN)
    }
    if StopSignal.endsRun { throw SQLiteError(code: SQLITE_INTERRUPT) }
    let companions = try Companions(of: path)
    let fileName = mode.fileName(for: Array(path.utf8), beside: companions)
    let connection = Connection(
      handle: try open(fileName, mode: mode, followingLinks: followingLinks))
    connection.obeyStopSignals()
    try connection.setDefenses()
    if mode == .readOnlyUnshared { try connection.setUnshared(companions) }
    if mode.isWritable && connection.isReadOnly { throw SQLiteError(code: SQLITE_READONLY) }
    return connection
  }

  /// Creates an in-memory database.
  package static func memory() throws(SQLiteError) -> Connection {
    try Connection(path: "", mode: .memory)
  }

  /// Creates an in-memory database for work without rows, which no stop signal interrupts.
  static func unstoppable() throws(SQLiteError) -> Connection {
    let connection = Connection(
      handle: try open(":memory:", mode: .memory, followingLinks: true))
    try connection.setDefenses()
    return connection
  }

  deinit { sqlite3_close_v2(handle) }

  /// Returns whether the path of a schema's file leads to another file than the one that is open.
  ///
  /// Related SQLite documentation:
  /// <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlhasmoved>
  package func hasMoved(_ schema: String) throws(SQLiteError) -> Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, schema, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    return hasMoved != 0
  }

  /// Whether the connection can't write to the file.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Lets a stop signal that ends the run interrupt statements (`SQLITE_INTERRUPT`).
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/progress_handler.html>
  private func obeyStopSignals() {
    // 4,000 steps of SQLite's virtual machine take about 0.1 ms.
    sqlite3_progress_handler(handle, 4_000, { _ in StopSignal.endsRun ? 1 : 0 }, nil)
  }

  private func setDefenses() throws(SQLiteError) {
    sqlite3_extended_result_codes(handle, 1)
    try set(.defensive, to: true)
    try set(.trustedSchema, to: false)
    try set(.doubleQuotedStrings, to: false)
    try set(.triggers, to: false)
    try set(.views, to: false)
    lowerLimits()
    // Darwin's `fsync` leaves the bytes in the drive's cache. Other systems ignore the last two.
    try execute(
      "PRAGMA cell_size_check = ON; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
  }

  private func setUnshared(_ companions: Companions) throws(SQLiteError) {
    // In exclusive mode, SQLite keeps the WAL index in memory and needs no `-shm`. The mode must be
    // set before the first read (wal.html §6).
    try execute("PRAGMA locking_mode = EXCLUSIVE")
    // The last connection checkpoints the WAL on close and removes it. SQLite 3.40 removes an empty
    // WAL even on a read-only connection. Apple's systems leave such files, so keep them.
    if companions.hasWAL { try set(.noCheckpointOnClose, to: true) }
  }
}

extension Connection {
  /// The number of bytes that all connections have read from files, for progress reports.
  package static var bytesReadSoFar: Int64 { csqlite_load(bytesRead) }
}

/// The number of bytes, which the file systems add to.
nonisolated(unsafe) private let bytesRead: UnsafeMutablePointer<Int64> = {
  let count = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
  count.initialize(to: 0)
  return count
}()

/// Process-wide settings, made before the first connection opens; their result code.
///
/// It is an error if SQLite was built without the VFS `unix-none`.
private let processSettings: Int32 = {
  _ = csqlite_keep_no_memory_statistics()
  return csqlite_register_file_systems(bytesRead)
}()

/// The VFS for a connection's files, unless the open mode selects another.
private let fileSystem = "whole"

private func open(
  _ fileName: String, mode: OpenMode, followingLinks: Bool
) throws(SQLiteError) -> OpaquePointer {
  guard processSettings == SQLITE_OK else { throw SQLiteError(code: processSettings) }
  let access =
    switch mode {
    case .readOnly, .readOnlyUnshared, .immutable: SQLITE_OPEN_READONLY
    case .readWrite, .readWriteAlone: SQLITE_OPEN_READWRITE
    case .create, .memory, .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
  // A `Connection` isn't `Sendable`, so only one thread uses it, and SQLite needs no mutex.
  // SQLite opens attached files with the flags of the main file.
  let links = followingLinks ? 0 : SQLITE_OPEN_NOFOLLOW
  let flags = access | links | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  var opened: OpaquePointer?
  let code = sqlite3_open_v2(fileName, &opened, flags, fileSystem)
  guard code == SQLITE_OK, let opened else {
    // SQLite returns a connection even if opening fails, and the caller must close it.
    defer { sqlite3_close_v2(opened) }
    throw SQLiteError(code, in: opened)
  }
  return opened
}
