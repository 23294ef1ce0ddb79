import CSQLite

extension Connection {
  /// Attaches another file, whose tables are then named with the schema's name before them.
  ///
  /// A connection that only reads attaches nothing for writing. `readOnlyUnshared` also keeps
  /// the `-wal` in place when the connection closes, that of the main file included.
  public func attach(
    path: String, as schema: String, mode: OpenMode
  ) throws(SQLiteError) {
    guard mode == .memory || (!path.isEmpty && !path.utf8.contains(0)) else {
      throw SQLiteError(code: SQLITE_CANTOPEN)
    }
    let companions = Companions(of: path)
    let fileName = mode.fileName(for: Array(path.utf8), beside: companions)
    try execute("ATTACH DATABASE ?1 AS ?2", [.text(fileName), .text(schema)])
    let name = quoteIdentifier(schema)
    try execute("PRAGMA \(name).cell_size_check = ON")
    if mode == .readOnlyUnshared {
      try execute("PRAGMA \(name).locking_mode = EXCLUSIVE")
      if companions.hasWAL { try set(.noCheckpointOnClose, to: true) }
    }
  }

  /// Lets go of an attached file.
  public func detach(_ schema: String) throws(SQLiteError) {
    try execute("DETACH DATABASE ?1", [.text(schema)])
  }
}
