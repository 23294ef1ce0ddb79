import SQLite

/// Which replacement each short value has, so that different values have different ones.
///
/// The pairs are in a temporary file: memory doesn't grow with their number.
struct Assignments: ~Copyable {
  private let connection: Connection
  private var search: Statement
  private var addition: Statement

  init() throws {
    let connection = try Connection(path: "", mode: .temporary)
    try connection.execute(
      """
      CREATE TABLE pairs (original BLOB PRIMARY KEY, replacement BLOB NOT NULL UNIQUE) WITHOUT ROWID;
      BEGIN
      """)
    let search = try connection.prepare("SELECT replacement FROM pairs WHERE original = ?1")
    addition = try connection.prepare("INSERT OR IGNORE INTO pairs VALUES (?1, ?2)")
    self.search = search
    self.connection = connection
  }

  /// Returns the replacement of a value; `nil` if it has none yet.
  mutating func replacement(of original: [UInt8]) throws -> [UInt8]? {
    try search.bind([.blob(original)])
    guard try search.step() else { return nil }
    let found = search.bytes(at: 0)
    try search.run()
    return found
  }

  /// Assigns a replacement; returns `false` if another value has it.
  mutating func assign(_ replacement: [UInt8], to original: [UInt8]) throws -> Bool {
    try addition.bind([.blob(original), .blob(replacement)])
    try addition.run()
    return connection.changes == 1
  }
}
