import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The difference between a damaged file and one that the system fails to read.
///
/// SQLite calls both damaged: it takes `EIO` for a fault in the file system's bytes of a file. Each of its files
/// keeps the number of the last failure.
///
/// Related SQLite documentation: <https://www.sqlite.org/rescode.html#ioerr_corruptfs>
enum FailedRead {
  /// The failures of reading for which SQLite says that a file is damaged.
  private static let codes = [EIO, ENXIO, ERANGE]

  /// Returns whether reading one of a connection's files, or its log, has failed.
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
