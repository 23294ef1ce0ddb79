import CSQLite

/// An open database file.
///
/// A connection has one owner and closes when the owner lets go of it. Statements may outlive their
/// connection: SQLite keeps the file open until the last of them is gone.
///
/// Files may come from strangers, so every connection starts out careful: defensive mode, no trust
/// in what a schema calls, no triggers and views, no double-quoted strings, low limits to what a
/// statement may cost, and the cells of every page are checked. ``set(_:to:)`` changes what it must.
///
/// Related SQLite documentation: <https://www.sqlite.org/c3ref/open.html>,
/// <https://www.sqlite.org/security.html>
package struct Connection: ~Copyable {
  let handle: OpaquePointer

  /// Opens the database at a path.
  ///
  /// Nothing is read yet: whether the file is a database shows with the first statement. A file
  /// that may be read but not written is refused in a mode that writes.
  ///
  /// - Parameters:
  ///   - path: The path of the main file.
  ///   - mode: What is done with it.
  ///   - followingLinks: Whether the path, or that of a file attached later, may have a symbolic link in it; if
  ///     not, SQLite refuses it (`SQLITE_CANTOPEN_SYMLINK`).
  /// - Throws: A ``SQLiteError`` if the file can't be opened.
  package init(path: String, mode: OpenMode, followingLinks: Bool = true) throws(SQLiteError) {
    self = try Connection.opened(path, mode, followingLinks: followingLinks)
  }

  private init(handle: OpaquePointer) {
    self.handle = handle
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
    let companions = try Companions(of: path)
    let fileName = mode.fileName(for: Array(path.utf8), beside: companions)
    let connection = Connection(
      handle: try open(fileName, mode: mode, followingLinks: followingLinks))
    try connection.beCareful()
    if mode == .readOnlyUnshared { try connection.beUnshared(companions) }
    if mode.isWritable && connection.isReadOnly { throw SQLiteError(code: SQLITE_READONLY) }
    return connection
  }

  /// Creates a database in memory.
  package static func memory() throws(SQLiteError) -> Connection {
    try Connection(path: "", mode: .memory)
  }

  deinit { sqlite3_close_v2(handle) }

  /// A Boolean value indicating whether the file can't be written through this connection.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  private func beCareful() throws(SQLiteError) {
    sqlite3_extended_result_codes(handle, 1)
    try set(.defensive, to: true)
    try set(.trustedSchema, to: false)
    try set(.doubleQuotedStrings, to: false)
    try set(.triggers, to: false)
    try set(.views, to: false)
    lowerLimits()
    try execute("PRAGMA cell_size_check = ON")
  }

  private func beUnshared(_ companions: Companions) throws(SQLiteError) {
    // Without a `-shm` to share, SQLite keeps the WAL's index in memory, if the mode is set before
    // the first read (wal.html §6).
    try execute("PRAGMA locking_mode = EXCLUSIVE")
    // The last connection to close folds the WAL in and removes it, and removes one without frames
    // even where it may not write (tried with SQLite 3.40; Apple's systems leave such files).
    if companions.hasWAL { try set(.noCheckpointOnClose, to: true) }
  }
}

/// What is set for the whole process, before its first connection.
private let processSettings: Void = {
  _ = csqlite_keep_no_memory_statistics()
  precondition(
    csqlite_register_file_systems() == SQLITE_OK, "SQLite has file systems and a little memory")
}()

/// The file system that a connection's files are opened in, unless their mode names another.
private let fileSystem = "whole"

private func open(
  _ fileName: String, mode: OpenMode, followingLinks: Bool
) throws(SQLiteError) -> OpaquePointer {
  processSettings
  let access =
    switch mode {
    case .readOnly, .readOnlyUnshared, .immutable: SQLITE_OPEN_READONLY
    case .readWrite, .readWriteAlone: SQLITE_OPEN_READWRITE
    case .create, .memory, .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
  // A connection isn't Sendable: nobody else calls in, and SQLite needs no mutex of its own.
  // SQLite opens attached files with the flags of the main file.
  let links = followingLinks ? 0 : SQLITE_OPEN_NOFOLLOW
  let flags = access | links | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  var opened: OpaquePointer?
  let code = sqlite3_open_v2(fileName, &opened, flags, fileSystem)
  guard code == SQLITE_OK, let opened else {
    // SQLite hands out a connection even when it fails to open it, and wants it closed.
    defer { sqlite3_close_v2(opened) }
    throw SQLiteError(code, in: opened)
  }
  return opened
}
