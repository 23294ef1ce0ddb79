import CSQLite

/// The version of the SQLite library in use, such as `3.40.1`.
public var sqliteVersion: String {
  String(cString: sqlite3_libversion())
}

/// The version of the SQLite library in use as one number, such as 3040001.
public var sqliteVersionNumber: Int {
  Int(sqlite3_libversion_number())
}
