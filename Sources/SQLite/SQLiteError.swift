import CSQLite

/// An error from SQLite.
///
/// Related SQLite documentation: <https://www.sqlite.org/rescode.html>
package struct SQLiteError: Error, Hashable, Sendable {
  /// The extended result code, such as 2067 for a violated UNIQUE constraint.
  package let code: Int32

  /// SQLite's error message.
  package let message: String

  /// The statement that failed, without its parameter values, if there is one.
  package let sql: String?

  /// Creates an error; the default message is SQLite's for the code.
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
    self.init(code: code, message: message.map(Self.withoutNames), sql: sql)
  }
}

extension SQLiteError {
  /// A failed read that SQLite reports as corruption: `SQLITE_IOERR_CORRUPTFS`.
  static func failedRead(_ sql: String? = nil) -> SQLiteError {
    SQLiteError(code: SQLITE_IOERR | (33 << 8), sql: sql)
  }

  /// Returns a message without the name in `malformed database schema (NAME)`.
  ///
  /// A damaged file can have a page of rows in the schema's place; the name is then a value of a row.
  private static func withoutNames(_ message: String) -> String {
    let start = "malformed database schema"
    return message.hasPrefix(start) ? start : message
  }

  /// Whether `ATTACH` failed because the file couldn't be read.
  ///
  /// SQLite then reports `SQLITE_CORRUPT`, but with a message that it doesn't use for damage.
  var isOfFailedAttachment: Bool {
    isCorrupt && (message == "disk I/O error" || message.hasPrefix("unable to open database"))
  }

  /// The error without what a function says about its arguments: `JSON path error near 'Anna'`.
  ///
  /// Messages with names, such as those of constraints, have other codes.
  var withoutValues: SQLiteError {
    guard primaryCode == SQLITE_ERROR, let quote = message.firstQuote else { return self }
    return SQLiteError(code: code, message: "\(message[..<quote])a value", sql: sql)
  }

  /// The primary result code, such as 19 for any violated constraint.
  package var primaryCode: Int32 { code & 0xff }

  /// Whether another connection holds a conflicting lock.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// Whether the file isn't a database, or is an encrypted one.
  package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }

  /// Whether the database is damaged.
  package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }

  /// Whether the schema has a format that this version of SQLite doesn't support.
  ///
  /// The error has no result code of its own: <https://www.sqlite.org/src/file?name=src/prepare.c>
  package var isUnknownFormat: Bool {
    primaryCode == SQLITE_ERROR && message == "unsupported file format"
  }

  /// Whether the operating system failed to read or write.
  package var isIO: Bool { primaryCode == SQLITE_IOERR }

  /// Whether the disk is full.
  package var isFull: Bool { primaryCode == SQLITE_FULL }

  /// Whether a write to a read-only database was attempted.
  ///
  /// A writer that opened a file in WAL mode also gets this error if the file has left WAL mode
  /// since.
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

  /// Whether an interrupted transaction must be rolled back before reading (a hot journal).
  ///
  /// `SQLITE_READONLY_ROLLBACK`: <https://www.sqlite.org/rescode.html#readonly_rollback>
  package var needsRollback: Bool { code == SQLITE_READONLY | (3 << 8) }

  /// Whether the file can't be opened.
  package var isCantOpen: Bool { primaryCode == SQLITE_CANTOPEN }

  /// Whether a value or a statement exceeds a limit.
  package var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }

  /// Whether a statement needs a collation that SQLite doesn't have.
  ///
  /// `SQLITE_ERROR_MISSING_COLLSEQ`: <https://www.sqlite.org/rescode.html#error_missing_collseq>
  package var isMissingCollation: Bool { code == SQLITE_ERROR | (1 << 8) }

  /// Whether a statement couldn't be prepared, or a function in it failed.
  package var isOfStatement: Bool { primaryCode == SQLITE_ERROR }

  /// Whether a constraint of the schema was violated.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
}

extension SQLiteError {
  /// Returns the error in a finding of an integrity check, or `nil` if the finding is damage.
  ///
  /// An example is `Page 5: unable to get the page. error code=8458`.
  init?(inFinding finding: String) {
    // For overflow pages the finding has no code. Only a failed read causes it.
    if finding.contains("failed to get page") {
      self = .failedRead()
      return
    }
    guard let match = finding.firstRange(of: "unable to get the page. error code="),
      let code = Int32(finding[match.upperBound...].prefix { $0.isNumber })
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

extension String {
  /// The first quote, where a message may quote a value; an apostrophe as in "isn't" is none.
  fileprivate var firstQuote: Index? {
    indices.first { place in
      self[place] == "\""
        || self[place] == "'"
          && !(self[..<place].hasSuffix("n") && self[place...].hasPrefix("'t "))
    }
  }
}
