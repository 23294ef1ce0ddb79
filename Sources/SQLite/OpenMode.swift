import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The way a file is opened: what may be done to it, and what is shared with other processes.
package enum OpenMode: Hashable, Sendable {
  /// Reads as one of many: takes locks, and in WAL mode creates a `-shm` beside the file.
  case readOnly

  /// Reads a file nobody else has open, changing nothing on the disk.
  ///
  /// The `-wal` is read, no lock is taken, no `-shm` is made or used and no `-wal` is left or
  /// removed. A writer at the same time makes the answers meaningless, and isn't harmed. A journal that waits to be
  /// rolled back is an error (``SQLiteError/isReadOnly`` or ``SQLiteError/isCantOpen``).
  case readOnlyUnshared

  /// Reads a file that can't change, ignoring locks, `-wal` and `-journal`.
  case immutable

  /// Reads and writes a file that exists.
  case readWrite

  /// Reads and writes a file that exists and that nobody else has.
  ///
  /// Nobody else may write it while it is open, nor read it within a transaction: its pages come and go in
  /// pieces.
  case readWriteAlone

  /// Reads and writes a file, creating it where there is none.
  case create

  /// Keeps the database in memory; there is no file, whatever the path says.
  case memory

  /// Keeps the database in a file of SQLite's own, whatever the path says.
  ///
  /// Nobody else sees it, and it goes with the connection.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/inmemorydb.html#temp_db>
  case temporary
}

extension OpenMode {
  /// A Boolean value indicating whether the mode allows writing.
  package var isWritable: Bool {
    switch self {
    case .readWrite, .readWriteAlone, .create, .memory, .temporary: true
    case .readOnly, .readOnlyUnshared, .immutable: false
    }
  }

  /// Returns the file name to give to SQLite.
  ///
  /// Every path becomes a URI, so that none is mistaken for one: a file may be called `:memory:`
  /// or `file:x?mode=rw`.
  func fileName(for path: [UInt8], beside companions: Companions) -> String {
    let file = "file:" + percentEncoded(rooted(path))
    switch self {
    case .readOnly: return file + "?mode=ro"
    case .immutable: return file + "?mode=ro&immutable=1"
    case .readWrite: return file + "?mode=rw"
    case .readWriteAlone: return file + "?mode=rw&alone=1"
    case .create: return file + "?mode=rwc"
    case .memory: return ":memory:"
    case .temporary: return ""
    case .readOnlyUnshared:
      // Opening a file in WAL mode creates the `-wal` that isn't there, and opening an empty file
      // removes a journal beside it, even for reading only (tried with SQLite 3.40). Where nothing
      // of the database is elsewhere, immutable reads the same.
      let alone = companions.isMainEmpty || (!companions.hasWAL && !companions.hasJournal)
      return file + "?mode=ro&vfs=whole-none" + (alone ? "&immutable=1" : "")
    }
  }
}

/// What stands beside a database file, and whether anything is in it.
struct Companions: Hashable, Sendable {
  let hasWAL: Bool
  let hasJournal: Bool
  let isMainEmpty: Bool

  init(hasWAL: Bool, hasJournal: Bool, isMainEmpty: Bool = false) {
    self.hasWAL = hasWAL
    self.hasJournal = hasJournal
    self.isMainEmpty = isMainEmpty
  }

  /// Looks beside the file that a path leads to, through symbolic links as SQLite does.
  ///
  /// A log that the system doesn't tell of is never taken for none: its rows would be missing.
  init(of path: String) throws(SQLiteError) {
    let target: String
    if let resolved = realpath(path, nil) {
      target = String(cString: resolved)
      free(resolved)
    } else {
      try Self.checkAbsence(errno)
      target = path
    }
    var status = stat()
    let isThere = stat(target, &status) == 0
    // Opening a pipe waits for somebody to write to it.
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
      throw SQLiteError(code: SQLITE_CANTOPEN)
    }
    try self.init(
      hasWAL: Self.isThere(target + "-wal"), hasJournal: Self.isThere(target + "-journal"),
      isMainEmpty: isThere && status.st_size == 0)
  }

  private static func isThere(_ path: String) throws(SQLiteError) -> Bool {
    if access(path, F_OK) == 0 { return true }
    try checkAbsence(errno)
    return false
  }

  /// Refuses what doesn't say that a file is absent; where a path can't be followed, opening fails too.
  private static func checkAbsence(_ code: Int32) throws(SQLiteError) {
    guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(code) else {
      // SQLITE_IOERR_ACCESS, which is no constant to Swift.
      throw SQLiteError(code: SQLITE_IOERR | (13 << 8))
    }
  }
}

/// Returns a path that begins with an empty authority or a dot.
///
/// No part of it is then read as a host name (SQLite's uri.html §3.1).
private func rooted(_ path: [UInt8]) -> [UInt8] {
  Array((path.first == UInt8(ascii: "/") ? "//" : "./").utf8) + path
}

/// Returns bytes as they stand in the path of a URI; all but a few letters become `%XX`.
func percentEncoded(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  encoded.reserveCapacity(bytes.count)
  for byte in bytes {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      encoded.append(byte)
    default:
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}
