import CSQLite

extension Connection {
  /// Attaches a database file as a schema.
  ///
  /// The page cache of the schema is limited to 512 KiB. A read-only connection can't attach a file
  /// for writing. With ``OpenMode/readOnlyUnshared``, closing the connection leaves every `-wal` in
  /// place, including the main file's.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/lang_attach.html>
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
      // SQLite has closed the file, and its last error number is lost with it.
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

  /// Runs a closure in exclusive locking mode, so that a file it attaches gets that mode.
  ///
  /// The mode can't be set after attaching, because `ATTACH` already reads the file. A WAL with its
  /// index in memory stays in exclusive mode. Afterwards, the other schemas have their own modes
  /// again.
  ///
  /// Related SQLite documentation:
  /// <https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory>
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

  /// Detaches a schema.
  package func detach(_ schema: String) throws(SQLiteError) {
    try execute("DETACH DATABASE ?1", [.text(schema)])
  }
}
