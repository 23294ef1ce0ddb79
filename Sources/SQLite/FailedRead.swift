import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Distinguishes a damaged file from one that the system can't read.
///
/// SQLite reports `SQLITE_CORRUPT` for both, because it takes `EIO` for damage in the file system.
/// Each of its files keeps the number of its last error.
///
/// Related SQLite documentation: <https://www.sqlite.org/rescode.html#ioerr_corruptfs>
enum FailedRead {
  /// The read errors that SQLite reports as corruption.
  private static let codes = [EIO, ENXIO, ERANGE]

  /// Returns whether a read of one of the connection's files or logs has failed.
  static func happened(in connection: OpaquePointer) -> Bool {
    var number: Int32 = 0
    while let schema = sqlite3_db_name(connection, number) {
      var code: Int32 = 0
      let answer = sqlite3_file_control(connection, schema, SQLITE_FCNTL_LAST_ERRNO, &code)
      if answer == SQLITE_OK && codes.contains(code) { return true }
      var log: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(connection, schema, SQLITE_FCNTL_JOURNAL_POINTER, &log)
      // A file that isn't open has no methods.
      if let log, let control = log.pointee.pMethods?.pointee.xFileControl,
        control(log, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK && codes.contains(code)
      {
        return true
      }
      number += 1
    }
    return false
  }
}
