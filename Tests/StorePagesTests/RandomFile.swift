import SQLite
import TestSupport

/// Database files with random tables, indexes, free pages and large values.
enum RandomFile {
  /// Writes a file with six tables of random rows, of which some are deleted.
  static func write(to path: String, _ random: inout SeededGenerator) throws {
    let connection = try Connection(path: path, mode: .create)
    let pageSize = [512, 1024, 4096, 8192].randomElement(using: &random) ?? 512
    try connection.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(random.number(3));
      PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;
      """)
    for number in 0..<6 { try create(table: number, connection, &random) }
    for _ in 0..<3 {
      try connection.execute("BEGIN")
      for number in 0..<6 { try insert(into: number, connection, &random) }
      try connection.execute("COMMIT")
      try connection.execute("DELETE FROM t\(random.number(6)) WHERE a % 3 = \(random.number(3))")
    }
    if random.number(2) == 0 { try connection.execute("DROP TABLE t\(random.number(6))") }
  }

  private static func create(
    table number: Int, _ connection: borrowing Connection, _ random: inout SeededGenerator
  ) throws {
    let isWithoutRowID = random.number(4) == 0
    try connection.execute(
      """
      CREATE TABLE t\(number) (k INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, c BLOB)
      \(isWithoutRowID ? "WITHOUT ROWID" : "")
      """)
    if random.number(2) == 0 {
      try connection.execute("CREATE INDEX i\(number) ON t\(number) (b, a)")
    }
  }

  private static func insert(
    into number: Int, _ connection: borrowing Connection, _ random: inout SeededGenerator
  ) throws {
    var insert = try connection.prepare(
      "INSERT OR REPLACE INTO t\(number) VALUES (?1, ?2, ?3, ?4)", isPersistent: true)
    let longest = [20, 700, 20_000].randomElement(using: &random) ?? 20
    for _ in 0..<random.number(120) {
      try insert.bind([
        .integer(Int64(random.number(10_000))), .integer(Int64(random.number(100))),
        .text(String(repeating: "x", count: Int(random.number(UInt64(longest))))),
        .blob(random.bytes(upTo: longest)),
      ])
      try insert.run()
    }
  }

  /// Drops, creates and fills some tables of a file, and returns what isn't carried.
  static func rewriteTables(
    of path: String, _ random: inout SeededGenerator
  ) throws -> Set<String> {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; BEGIN")
    var written: Set<String> = []
    for number in 0..<6 where random.number(2) == 0 {
      try connection.execute("DROP TABLE IF EXISTS t\(number)")
      try create(table: number, connection, &random)
      try insert(into: number, connection, &random)
      written.formUnion(["t\(number)", "i\(number)"])
    }
    try connection.execute("COMMIT")
    return written
  }
}
