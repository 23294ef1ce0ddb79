import CSQLite

/// A failure reported by SQLite.
///
/// Related SQLite documentation: <https://www.sqlite.org/rescode.html>
package struct SQLiteError: Error, Hashable, Sendable {
  /// The extended result code, such as 2067 for a uniqueness failure.
  package let code: Int32

  /// SQLite's own words for what went wrong.
  package let message: String

  /// The statement that was being prepared or run, without the values bound to it.
  package let sql: String?

  /// Creates an error from its parts; without a message it takes SQLite's words for the code.
  package init(code: Int32, message: String? = nil, sql: String? = nil) {
    self.code = code
    self.message = message ?? String(cString: sqlite3_errstr(code))
    self.sql = sql
  }

  init(_ code: Int32, in connection: OpaquePointer?, sql: String? = nil) {
    if let connection, code & 0xff == SQLITE_CORRUPT, FailedRead.happened(in: connection) {
      self = .failedRead(sql)
      return
    }
    let message = connection.map { String(cString: sqlite3_errmsg($0)) }
    self.init(code: code, message: message, sql: sql)
  }
}

extension SQLiteError {
  /// The failure of a read that SQLite takes for damage: `SQLITE_IOERR_CORRUPTFS`.
  static func failedRead(_ sql: String? = nil) -> SQLiteError {
    SQLiteError(code: SQLITE_IOERR | (33 << 8), sql: sql)
  }

  /// A Boolean value indicating whether a file couldn't be attached because reading it failed.
  ///
  /// SQLite calls it damaged, in other words than it has for damage.
  var isOfFailedAttachment: Bool {
    isCorrupt && (message == "disk I/O error" || message.hasPrefix("unable to open database"))
  }

  /// The result code without the detail in its upper bits, such as 19 for any broken constraint.
  package var primaryCode: Int32 { code & 0xff }

  /// A Boolean value indicating whether another connection holds a lock that is in the way.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// A Boolean value indicating whether the file isn't a database, or is an encrypted one.
  package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }

  /// A Boolean value indicating whether the file is a damaged database.
  package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }

  /// A Boolean value indicating whether the file's schema has a format that SQLite doesn't know.
  ///
  /// It has no code of its own: <https://www.sqlite.org/src/file?name=src/prepare.c>
  package var isUnknownFormat: Bool {
    primaryCode == SQLITE_ERROR && message == "unsupported file format"
  }

  /// A Boolean value indicating whether the operating system failed to read or write.
  package var isIO: Bool { primaryCode == SQLITE_IOERR }

  /// A Boolean value indicating whether the disk is full.
  package var isFull: Bool { primaryCode == SQLITE_FULL }

  /// A Boolean value indicating whether something was to be written that may only be read.
  ///
  /// A writer that opened a file in WAL mode hears this when the file has left that mode since.
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

  /// A Boolean value indicating whether an interrupted write must be rolled back before reading.
  ///
  /// `SQLITE_READONLY_ROLLBACK`: <https://www.sqlite.org/rescode.html#readonly_rollback>
  package var needsRollback: Bool { code == SQLITE_READONLY | (3 << 8) }

  /// A Boolean value indicating whether the file can't be opened.
  package var isCantOpen: Bool { primaryCode == SQLITE_CANTOPEN }

  /// A Boolean value indicating whether a value or a statement is longer than the limits allow.
  package var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }

  /// A Boolean value indicating whether a statement couldn't be prepared, or a function in it failed.
  package var isOfStatement: Bool { primaryCode == SQLITE_ERROR }

  /// A Boolean value indicating whether a constraint of the schema was broken.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
}

extension SQLiteError {
  /// The failure behind a finding of an integrity check, such as `Page 5: unable to get the page. error
  /// code=8458`; none where there is none.
  init?(inFinding finding: String) {
    // Of pages behind a long value no code is told; nothing else keeps them from being had.
    if finding.contains("failed to get page") {
      self = .failedRead()
      return
    }
    guard let place = finding.firstRange(of: "unable to get the page. error code="),
      let code = Int32(finding[place.upperBound...].prefix { $0.isNumber })
    else { return nil }
    self.init(code: code)
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    let cause = "SQLite error \(code): \(message)"
    guard let sql else { return cause }
    return "\(cause) - while executing `\(sql)`"
  }
}
