import CSQLite

extension Connection {
  /// A switch of a connection.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>
  package enum Setting: Hashable, Sendable, CaseIterable {
    /// Refuses statements that could damage the file; on from the start.
    ///
    /// `journal_mode = OFF` and `writable_schema = ON` are among them.
    case defensive

    /// Lets views, triggers and defaults call any function; off from the start.
    case trustedSchema

    /// Reads `"x"` as a text where no column has the name; off from the start.
    case doubleQuotedStrings

    /// Runs triggers; off from the start.
    case triggers

    /// Answers from views; off from the start.
    case views

    /// Leaves the WAL as it is when the last connection closes; off from the start.
    case noCheckpointOnClose

    /// Enforces foreign keys; off from the start.
    case foreignKeys
  }

  /// Turns a switch on or off.
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

  /// Sets how long a statement waits for another connection's lock; zero fails at once.
  package func setBusyTimeout(_ timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    _ = sqlite3_busy_timeout(handle, Int32(clamping: Int64(min(milliseconds, 1e12))))
  }
}
