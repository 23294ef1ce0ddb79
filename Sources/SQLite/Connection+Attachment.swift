import CSQLite

extension Connection {
  /// Attaches another file, whose tables are then named with the schema's name before them.
  ///
  /// No more than 512 KiB of its pages are remembered. A connection that only reads attaches nothing
  /// for writing. `readOnlyUnshared` also keeps the `-wal` in place when the connection closes, that of
  /// the main file included.
  package func attach(
    path: String, as schema: String, mode: OpenMode
  ) throws(SQLiteError) {
    guard
      mode == .memory || mode == .temporary
        || (!path.isEmpty && !path.utf8.contains(0))
    else {
      throw SQLiteError(code: SQLITE_CANTOPEN)
    }
    do throws(SQLiteError) {
      try attach(path, as: schema, mode)
    } catch {
      // The file is closed again, and its number of the failure with it.
      throw error.isOfFailedAttachment ? .failedRead() : error
    }
  }

  private func attach(
    _ path: String, as schema: String, _ mode: OpenMode
  ) throws(SQLiteError) {
    let companions = try Companions(of: path)
    let file = Value.text(mode.fileName(for: Array(path.utf8), beside: companions))
    let attachment = "ATTACH DATABASE ?1 AS ?2"
    if mode == .readOnlyUnshared && companions.hasWAL {
      try set(.noCheckpointOnClose, to: true)
      try withExclusiveLocking { () throws(SQLiteError) in
        try execute(attachment, [file, .text(schema)])
      }
    } else {
      try execute(attachment, [file, .text(schema)])
    }
    let name = quoteIdentifier(schema)
    try execute("PRAGMA \(name).cell_size_check = ON; PRAGMA \(name).cache_size = -512")
  }

  /// Runs a body that attaches a file in exclusive locking mode.
  ///
  /// The files that are open already get their own modes back.
  ///
  /// Attaching reads the file, so that its mode can't be set after. A WAL whose index is in memory
  /// stays in the mode it was opened in.
  private func withExclusiveLocking(
    _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    if try pragma("locking_mode") == "exclusive" { return try body() }
    let schemas = try rows("PRAGMA database_list").compactMap { $0[1].string }
    var exclusive: [String] = []
    for schema in schemas.map(quoteIdentifier) {
      if try pragma("\(schema).locking_mode") == "exclusive" { exclusive.append(schema) }
    }
    try pragma("locking_mode = EXCLUSIVE")
    let outcome = Result { () throws(SQLiteError) in try body() }
    try pragma("locking_mode = NORMAL")
    for schema in exclusive { try pragma("\(schema).locking_mode = EXCLUSIVE") }
    try outcome.get()
  }

  /// Lets go of an attached file.
  package func detach(_ schema: String) throws(SQLiteError) {
    try execute("DETACH DATABASE ?1", [.text(schema)])
  }
}
