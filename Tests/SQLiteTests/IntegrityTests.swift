import Platform
import SQLite
import TestSupport
import Testing

/// Sums of entries find what SQLite's own search of every row finds.
@Suite struct IntegrityTests {
  /// Values that are easily confused: of other classes, neighbours or empty.
  ///
  /// No integer equals a real number: SQLite 3.40 permits one in place of the other.
  private static let values: [Value] = [
    .null, .integer(0), .integer(1), .integer(1 << 53), .integer(1 << 53 + 1), .integer(.max),
    .integer(.min), .real(0.5), .real(-0.5), .real(9_007_199_254_740_994.0), .real(1e300),
    .real(-1e300), .text([]), .text(Array("a".utf8)), .text(Array("b".utf8)),
    .text(Array("aaaaaaaa".utf8)), .text(Array("aaaaaaaab".utf8)), .blob([]), .blob([0]),
    .blob([0, 0]), .blob([0x61]), .blob(Array(repeating: 7, count: 300)),
  ]

  private static func create(
    _ table: String, _ connection: borrowing Connection, like rows: [[Value]]
  ) throws {
    try connection.execute("CREATE TABLE \(table) (k INTEGER PRIMARY KEY, a, b)")
    for row in rows { try connection.execute("INSERT INTO \(table) VALUES (?1, ?2, ?3)", row) }
  }

  private static func rows(_ random: inout SeededGenerator) -> [[Value]] {
    let kinds = values.shuffled(using: &random).prefix(3 + Int(random.number(10)))
    return (0..<(Int64(random.number(200)))).map { key in
      let values = (0..<2).map { _ in kinds.randomElement(using: &random) ?? .null }
      return [.integer(3 * key)] + values
    }
  }

  /// Changes one thing about some rows, or nothing.
  private static func changed(
    _ rows: [[Value]], _ random: inout SeededGenerator
  ) -> [[Value]] {
    var rows = rows
    guard let place = rows.indices.randomElement(using: &random) else { return rows }
    let other = values.randomElement(using: &random) ?? .null
    switch random.number(6) {
    case 0: rows.remove(at: place)
    case 1: rows.append([.integer(-1)] + rows[place].dropFirst())
    case 2: rows[place][0] = .integer((rows[place][0].int64 ?? 0) + 1)
    case 3: rows[place][1] = other
    case 4: rows[place][2] = other
    default: break
    }
    return rows
  }

  /// Gives an index of a table the pages of another one.
  private static func exchange(
    _ index: String, _ other: String, _ connection: borrowing Connection
  ) throws {
    try connection.set(.defensive, to: false)
    try connection.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (
        SELECT sum(rootpage) FROM sqlite_schema WHERE name IN ('\(index)', '\(other)')
      ) - rootpage WHERE name IN ('\(index)', '\(other)');
      PRAGMA writable_schema = RESET
      """)
  }

  private static func verdict(_ connection: borrowing Connection) -> Bool {
    do { return try connection.pragma("integrity_check(t)") == "ok" } catch { return false }
  }

  @Test func `an index with the entries of other rows is found, and only that`() throws {
    var random = SeededGenerator(printing: "IntegrityTests.exchanged")
    let forms = ["(a)", "(a DESC)", "(a, b)", "(b DESC, a)"]
    var verdicts: [Bool: Int] = [:]
    for round in 0..<rounds(200, torture: 4_000) {
      let connection = try Connection.memory()
      let rows = Self.rows(&random)
      try Self.create("t", connection, like: rows)
      try Self.create("u", connection, like: Self.changed(rows, &random))
      let form = forms.randomElement(using: &random) ?? "(a)"
      let isUnique = random.number(3) == 0
      if isUnique {
        // The index of the other table may have entries that this one doesn't permit.
        try connection.execute("DELETE FROM t WHERE k NOT IN (SELECT min(k) FROM t GROUP BY a, b)")
      }
      let isOther = random.number(8) == 0
      let other = isOther ? forms.randomElement(using: &random) ?? form : form
      do {
        try connection.execute("CREATE \(isUnique ? "UNIQUE" : "") INDEX i ON t \(form)")
      } catch { continue }
      try connection.execute("CREATE INDEX j ON u \(other)")
      #expect(try connection.isSound(table: "t", in: "main") == true, "round \(round)")
      let before = Self.verdict(connection)
      #expect(before, "round \(round)")
      try Self.exchange("i", "j", connection)
      // A search in an index by another order may end as in a damaged one.
      let matches = (try? connection.isSound(table: "t", in: "main") == true) == true
      let verdict = Self.verdict(connection)
      #expect(matches == verdict, "round \(round): \(form), \(other)")
      verdicts[verdict, default: 0] += 1
    }
    #expect(verdicts.count == 2, "\(verdicts)")
  }

  @Test func `a flipped byte is found if SQLite finds it`() throws {
    var random = SeededGenerator(printing: "IntegrityTests.flipped")
    let folder = try TemporaryDirectory()
    let path = folder.path("a.db")
    do {
      let connection = try Connection(path: path, mode: .create)
      try connection.execute("PRAGMA page_size = 512; PRAGMA synchronous = OFF; BEGIN")
      for table in ["t", "u"] {
        try Self.create(table, connection, like: Self.rows(&random) + [[9_999, .text([]), .null]])
      }
      let form = ["(a)", "(a, b)", "(b DESC)"].randomElement(using: &random) ?? "(a)"
      try connection.execute("CREATE INDEX i ON t \(form); COMMIT")
    }
    let bytes = try FileSystem.read(path)
    var found = 0
    for round in 0..<rounds(300, torture: 20_000) {
      var damaged = bytes
      let place = 512 + Int(random.number(UInt64(bytes.count - 512)))
      damaged[place] ^= 1 << UInt8(random.number(8))
      try makeFile(folder.path("b.db"), damaged)
      let reader = try Connection(path: folder.path("b.db"), mode: .readOnly)
      // Damage that a query can't get past is found, too.
      let isSound = (try? reader.pragma("integrity_check") == "ok") == true
      let passes =
        (try? reader.pragma("quick_check") == "ok"
          && reader.isSound(table: "t", in: "main") == true
          && reader.isSound(table: "u", in: "main") == true) == true
      #expect(isSound || !passes, "round \(round), byte \(place)")
      found += passes ? 0 : 1
    }
    #expect(found > 0)
  }

  @Test(arguments: [
    "(a) WHERE b > 1", "(a + 1)", "(a COLLATE NOCASE)",
  ])
  func `indexes of other kinds aren't compared`(form: String) throws {
    let connection = try Connection.memory()
    try Self.create("t", connection, like: [[1, 2, 3]])
    try connection.execute("CREATE INDEX i ON t \(form)")
    #expect(try connection.isSound(table: "t", in: "main") == nil)
  }

  @Test func `only SQLite checks tables whose row ids or records a query can't read`() throws {
    let connection = try Connection.memory()
    try connection.execute("CREATE TABLE t (a, _RowId_); CREATE INDEX i ON t (a)")
    try connection.execute("CREATE TABLE u (a PRIMARY KEY, b) WITHOUT ROWID")
    try connection.execute(
      """
      CREATE TABLE v (a); CREATE TABLE w (k INTEGER PRIMARY KEY);
      CREATE TABLE x (a UNIQUE COLLATE BINARY, b COLLATE NOCASE);
      CREATE UNIQUE INDEX xi ON x (b COLLATE BINARY); INSERT INTO x VALUES (1, 'a'), (2, 'A')
      """)
    #expect(try connection.isSound(table: "t", in: "main") == nil)
    #expect(try connection.isSound(table: "u", in: "main") == nil)
    #expect(try connection.isSound(table: "v", in: "main") == true)
    #expect(try connection.isSound(table: "w", in: "main") == nil)
    #expect(try connection.isSound(table: "x", in: "main") == true)
  }

  @Test(arguments: [
    ("", []), ("CREATE INDEX p ON t (b) WHERE k > 1", []),
    ("DELETE FROM u WHERE k = 3", ["row 2 missing from index i"]),
  ])
  func `a large file has the findings of SQLite`(change: String, findings: [String]) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.db")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    try Self.create("t", connection, like: [[0, 1, 2], [3, 4, 5]])
    try Self.create("u", connection, like: [[0, 1, 2], [3, 4, 5]])
    try connection.execute("CREATE TABLE w (k INTEGER PRIMARY KEY)")
    try connection.execute(change)
    try connection.execute("CREATE INDEX i ON t (a); CREATE INDEX j ON u (a)")
    try Self.exchange("i", "j", connection)
    let reader = try Connection(path: path, mode: .readOnly)
    let expected = try reader.rows("PRAGMA integrity_check(t)").compactMap { $0[0].string }
    #expect(expected.contains { findings.contains($0) } || findings.isEmpty)
    for size in [0, .max] as [Int64] {
      let found = try reader.integrityCheck(table: "t", largeSize: size)
      #expect(found == (expected == ["ok"] ? [] : expected))
      #expect(try reader.integrityCheck(largeSize: size).isEmpty == findings.isEmpty)
    }
  }
}
