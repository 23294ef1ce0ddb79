import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a database file is opened: for reading or writing, and shared or not.
package enum OpenMode: Hashable, Sendable {
  /// Read-only and shared: takes locks, and in WAL mode creates a `-shm` file.
  case readOnly

  /// Read-only, for a file that no other process has open; changes nothing on the disk.
  ///
  /// Reads the `-wal`, takes no locks, and neither creates nor uses a `-shm`. The `-wal` is kept. A
  /// concurrent writer isn't affected, but makes the results meaningless. Throws if the file has a
  /// hot journal (``SQLiteError/isReadOnly`` or ``SQLiteError/isCantOpen``).
  case readOnlyUnshared

  /// Read-only, for a file that can't change: ignores locks, `-wal` and `-journal`.
  case immutable

  /// Reads and writes an existing file.
  case readWrite

  /// Reads and writes an existing file that no other process uses.
  ///
  /// While the file is open, no other connection may write to it, or read it during a transaction:
  /// pages are written late and in groups (`pieces.h`).
  case readWriteAlone

  /// Reads and writes a file, creating it if it doesn't exist.
  case create

  /// An in-memory database; the path is ignored.
  case memory

  /// A temporary file that SQLite deletes when the connection closes; the path is ignored.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/inmemorydb.html#temp_db>
  case temporary
}

extension OpenMode {
  /// Whether the mode allows writing.
  package var isWritable: Bool {
    switch self {
    case .readWrite, .readWriteAlone, .create, .memory, .temporary: true
    case .readOnly, .readOnlyUnshared, .immutable: false
    }
  }

  /// Returns the file name to pass to SQLite.
  ///
  /// Always a URI, so that a path such as `:memory:` or `file:x?mode=rw` isn't interpreted.
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
      // Opening a file in WAL mode creates a missing `-wal`, and opening an empty file removes its
      // journal, even read-only (observed with SQLite 3.40). Without a `-wal` or a journal,
      // immutable mode reads the same content and does neither.
      let alone = companions.isMainEmpty || (!companions.hasWAL && !companions.hasJournal)
      return file + "?mode=ro&vfs=whole-none" + (alone ? "&immutable=1" : "")
    }
  }
}

/// The companion files of a database file that SQLite would read, and whether the main file is empty.
struct Companions: Hashable, Sendable {
  let hasWAL: Bool
  let hasJournal: Bool
  let isMainEmpty: Bool

  init(hasWAL: Bool, hasJournal: Bool, isMainEmpty: Bool = false) {
    self.hasWAL = hasWAL
    self.hasJournal = hasJournal
    self.isMainEmpty = isMainEmpty
  }

  /// Checks for companions of a file, following symbolic links as SQLite does.
  ///
  /// Throws if the system can't tell whether a log exists: ignoring the log would lose its rows.
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
    // Opening a pipe would wait for a writer.
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
      throw SQLiteError(code: SQLITE_CANTOPEN)
    }
    try self.init(
      hasWAL: Self.isThere(target + "-wal"),
      hasJournal: Self.isThere(target + "-journal") && csqlite_is_journal(target + "-journal") != 0,
      isMainEmpty: isThere && status.st_size == 0)
  }

  private static func isThere(_ path: String) throws(SQLiteError) -> Bool {
    if access(path, F_OK) == 0 { return true }
    try checkAbsence(errno)
    return false
  }

  /// Throws unless an error number means that a file is absent, or that opening it fails too.
  private static func checkAbsence(_ code: Int32) throws(SQLiteError) {
    guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(code) else {
      // `SQLITE_IOERR_ACCESS`, a macro that Swift doesn't import.
      throw SQLiteError(code: SQLITE_IOERR | (13 << 8))
    }
  }
}

/// Returns a path that starts with an empty authority or a dot.
///
/// Otherwise SQLite could read part of the path as a host name (uri.html §3.1).
private func rooted(_ path: [UInt8]) -> [UInt8] {
  Array((path.first == UInt8(ascii: "/") ? "//" : "./").utf8) + path
}

/// Percent-encodes bytes for the path of a URI.
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
