import CSQLite

extension Connection {
  /// An option of a connection.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>
  package enum Setting: Hashable, Sendable, CaseIterable {
    /// Rejects statements that can corrupt the file, such as `writable_schema = ON`; on by default.
    case defensive

    /// Lets views, triggers and defaults call any function; off by default.
    case trustedSchema

    /// Reads `"x"` as a string if no column has that name; off by default.
    case doubleQuotedStrings

    /// Runs triggers; off by default.
    case triggers

    /// Allows reading from views; off by default.
    case views

    /// Keeps the WAL when the last connection closes; off by default.
    case noCheckpointOnClose

    /// Enforces foreign keys; off by default.
    case foreignKeys
  }

  /// Turns an option on or off.
  package func set(_ setting: Setting, to isOn: Bool) throws(SQLiteError) {
    let options =
      switch setting {
      case .defensive: [SQLITE_DBCONFIG_DEFENSIVE]
      case .trustedSchema: [SQLITE_DBCONFIG_TRUSTED_SCHEMA]
      case .doubleQuotedStrings: [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL]
      case .triggers: [SQLITE_DBCONFIG_ENABLE_TRIGGER]
      case .views: [SQLITE_DBCONFIG_ENABLE_VIEW]
      case .noCheckpointOnClose: [SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE]
      case .foreignKeys: [SQLITE_DBCONFIG_ENABLE_FKEY]
      }
    for option in options {
      let code = csqlite_config_flag(handle, option, isOn ? 1 : 0)
      guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
  }

  /// Sets how long a statement waits for another connection's lock; zero doesn't wait.
  package func setBusyTimeout(_ timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    _ = sqlite3_busy_timeout(handle, Int32(clamping: Int64(min(milliseconds, 1e12))))
  }
}
