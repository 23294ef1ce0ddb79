import Platform
import Processes
import SQLite
import StoreFormat
import Testing
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Schemas that no app makes: every command reads or refuses them, and none runs what is in them.
@Suite struct StrangeSchemaTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore(in: folder)
  }

  /// Runs every command, then apply; returns apply's answer.
  @discardableResult
  private func tryAll(allowing others: Set<Int32> = []) throws -> Answer {
    let before = try FileSystem.read(path)
    for words in lookingCommands(at: path) {
      let answer = run(words)
      #expect(answer.problem(allowing: others.union(nothingThere[words[0]] ?? [])) == nil)
      #expect(try FileSystem.read(path) == before, "\(words[0]) changes the store")
    }
    let applied = run(["apply", path, "--user-id", "somebody"])
    #expect(applied.problem(allowing: others) == nil)
    if applied.status != 0 { #expect(try FileSystem.read(path) == before) }
    return applied
  }

  static let writers: [String] = [
    "CREATE TRIGGER t AFTER INSERT ON ZSDOUTBOXEVENT BEGIN DELETE FROM ZSDGOAL; END",
    "CREATE TRIGGER t BEFORE UPDATE ON Z_PRIMARYKEY BEGIN SELECT load_extension('x'); END",
    "CREATE VIEW v AS SELECT * FROM ZSDGOAL; CREATE TRIGGER t INSTEAD OF DELETE ON v BEGIN DELETE FROM ZSDGOAL; END",
    "CREATE VIEW v AS SELECT writefile('/tmp/evil', 'x'), randomblob(1000000000)",
    "CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT * FROM c",
    "CREATE VIEW v AS SELECT * FROM v2; CREATE VIEW v2 AS SELECT * FROM v",
  ]

  @Test(arguments: writers)
  func `a store with triggers and views is left alone`(statement: String) throws {
    try spoil(path, statement)
    let applied = try tryAll()
    #expect(applied.status == 4)
  }

  @Test(arguments: ["ZSDGOAL", "ZSDOUTBOXEVENT", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
  func `a view in a table's place is no table`(table: String) throws {
    try spoil(
      path, "ALTER TABLE \(table) RENAME TO old; CREATE VIEW \(table) AS SELECT * FROM old")
    #expect(try tryAll().status == 4)
  }

  static let names: [String] = [
    "x\"; DROP TABLE ZSDGOAL; --", "'", "\"\"", "]", "`", "a\nb", "\u{1B}[31m", "select", "?1",
    "%s",
    "(SELECT 1)", "ZSDOUTBOXEVENT ", "é\u{301}\u{202E}", "rowid", "sqlit_", "new", "main", " ",
    "a.b", "--", "/*", "Z_" + String(repeating: "X", count: 5_000),
  ]

  @Test(arguments: sample(8, of: names))
  func `foreign tables, columns and indexes of any name are carried`(name: String) throws {
    let quoted = quoteIdentifier(name)
    let index = quoteIdentifier("index " + name)
    try spoil(
      path,
      """
      CREATE TABLE \(quoted) (\(quoted), b TEXT DEFAULT ('"' || \(quoteIdentifier("x").count)));
      INSERT INTO \(quoted) VALUES ('a', 'b'), (NULL, x'00ff');
      CREATE INDEX \(index) ON \(quoted) (\(quoted))
      """)
    #expect(try tryAll().status == 0)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let rows = try connection.rows("SELECT * FROM \(quoted) ORDER BY 1")
    #expect(rows == [[.null, .blob([0, 255])], ["a", "b"]])
    let goals = try connection.value("SELECT count(*) FROM ZSDGOAL")
    #expect(goals != 0)
  }

  static let edits: [String] = [
    // A NUL, which SQL can't say.
    "UPDATE sqlite_schema SET name = 'ZSDGOAL' || char(0) || 'x' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET name = 'a' || char(0), tbl_name = 'a' || char(0), sql = 'CREATE TABLE a(b)' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET tbl_name = tbl_name || char(0) WHERE type = 'index'",
    "UPDATE sqlite_schema SET sql = sql || char(0) || 'x' WHERE name = 'ZSDGOAL'",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = 'SD' || char(0) || Z_NAME",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = '\"; DROP TABLE ZSDGOAL; --' WHERE Z_ENT = 3",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'SDGoal'",
    "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT",
    "UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807 WHERE Z_ENT = 3",
    "DELETE FROM Z_PRIMARYKEY", "DELETE FROM Z_METADATA", "DELETE FROM Z_MODELCACHE",
    "DROP TABLE Z_MODELCACHE", "DROP TABLE Z_METADATA", "DROP TABLE ZSDOUTBOXEVENT",
    "UPDATE Z_METADATA SET Z_UUID = char(0) || x'ff', Z_VERSION = -7",
    "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = 'text'",
    "UPDATE Z_METADATA SET Z_PLIST = zeroblob(1000000)",
    "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(1000000)",
    "UPDATE Z_MODELCACHE SET Z_CONTENT = 7",
    "INSERT INTO Z_MODELCACHE SELECT Z_CONTENT FROM Z_MODELCACHE",
    "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
    // What SQLite itself trips over.
    "UPDATE sqlite_schema SET rootpage = 2 WHERE type = 'table'",
    "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET rootpage = 100000 WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET rootpage = -1 WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE ZSDGOAL (' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = 'garbage' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = NULL WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = x'ff00' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = replace(sql, 'BINARY', 'APPS') WHERE type = 'index'",
    "UPDATE sqlite_schema SET type = 'x' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET name = 'ZSDMOODENTRY' WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = replace(sql, 'Z_PK INTEGER PRIMARY KEY', 'Z_PK TEXT PRIMARY KEY') WHERE name = 'ZSDOUTBOXEVENT'",
    "UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TABLE', 'CREATE /* */ TABLE')",
    "UPDATE sqlite_schema SET sql = replace(sql, ')', ') WITHOUT ROWID') WHERE name = 'ZSDGOAL'",
    "UPDATE sqlite_schema SET sql = replace(sql, ')', ') STRICT') WHERE name = 'ZSDGOAL'",
  ]

  @Test(
    arguments: SystemTables.columns.merging(HistoryTables.columns) { $0 + $1 }
      .flatMap { table, columns in columns.map { (table, $0) } })
  func `a store whose own tables lack a column is refused`(
    table: String, column: String
  ) throws {
    try spoil(path, "ALTER TABLE \(table) RENAME COLUMN \(column) TO OTHER")
    let applied = try tryAll()
    #expect(applied.error.contains("has no column '\(column)' in the table '\(table)'"))
  }

  @Test(arguments: ["ACHANGE.ZCOLUMNS", "ATRANSACTION.ZTIMESTAMP", "ATRANSACTIONSTRING.ZNAME"])
  func `history may lack a column that nothing reads`(name: String) throws {
    let parts = name.split(separator: ".")
    try spoil(path, "ALTER TABLE \(parts[0]) RENAME COLUMN \(parts[1]) TO OTHER")
    #expect(try tryAll().status == 0)
  }

  @Test(arguments: sample(12, of: edits))
  func `a schema that was written to by hand is read or refused`(statement: String) throws {
    try spoil(path, statement)
    try tryAll(allowing: [7, 64, 66])
  }

  /// What SQLite doesn't read behind a statement of a schema.
  static let tails: [String] = [
    "ATTACH DATABASE 'PLANTED' AS e; CREATE TABLE e.t (x)",
    "; ATTACH 'PLANTED' AS e; VACUUM main INTO 'PLANTED'",
    "DELETE FROM main.ZSDGOAL", "DELETE FROM ZSDGOAL",
    "/* */; UPDATE main.ZSDGOAL SET ZTITLE = NULL -- ",
    "PRAGMA main.user_version = 7", "COMMIT; DROP TABLE main.ZSDGOAL",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
  ]

  @Test(arguments: tails, ["table", "index"])
  func `what stands behind a statement of the schema isn't run`(tail: String, type: String) throws {
    try spoil(path, "CREATE TABLE planted (a); CREATE INDEX planted_a ON planted (a)")
    try spoil(
      path,
      "UPDATE sqlite_schema SET sql = sql || '; ' || ?1 WHERE type = ?2 AND tbl_name = 'planted'",
      [.text(tail.replacing("PLANTED", with: folder.path("planted"))), .text(type)])
    #expect(try tryAll().status == 4)
    #expect(try FileSystem.list(folder.path).filter { $0.hasPrefix("planted") } == [])
  }

  @Test(arguments: [
    "CREATE TABLE g (a, b AS (a * 2) STORED)", "CREATE TABLE g (a, b AS (a || 'x') VIRTUAL)",
    "ALTER TABLE ZSDOUTBOXEVENT ADD COLUMN ZEXTRA AS (upper(ZSTATUS))",
  ])
  func `generated columns are refused`(statement: String) throws {
    try spoil(path, statement)
    #expect(try tryAll().status == 4)
  }

  @Test func `foreign tables keep their rules, and a row that breaks one is refused`() throws {
    try spoil(
      path,
      """
      CREATE TABLE g (a INTEGER, d CHECK (d > 0), e NOT NULL DEFAULT 7, f COLLATE NOCASE);
      INSERT INTO g (a, d) VALUES (1, 1), (2, 3);
      CREATE INDEX partial ON g (a) WHERE d > 1; CREATE INDEX computed ON g (a + d, lower(f) DESC)
      """)
    #expect(try tryAll().status == 0)
    do {
      let connection = try Connection(path: path, mode: .readOnlyUnshared)
      let indexes = try connection.value(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'g'")
      #expect(indexes == 2)
    }
    #expect(run(["rollback", path]).status == 0)
    try spoil(path, "PRAGMA ignore_check_constraints = ON; INSERT INTO g (a, d) VALUES (5, -1)")
    let applied = try tryAll()
    #expect(applied.status == 0 || applied.error.contains("breaks a rule of its table: CHECK"))
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE VIRTUAL TABLE r USING rtree(i, a, b)",
    "CREATE VIRTUAL TABLE f USING fts4(a); INSERT INTO f VALUES ('x')",
  ])
  func `virtual tables are refused, and none is loaded`(statement: String) throws {
    do { try spoil(path, statement) } catch { return }
    #expect(try tryAll().status == 4)
  }

  @Test func `a collation or a module that isn't there is no crash`() throws {
    try spoil(
      path,
      """
      CREATE TABLE f (a TEXT); INSERT INTO f VALUES ('x');
      UPDATE sqlite_schema SET sql = 'CREATE TABLE f (a TEXT COLLATE NSCollate)' WHERE name = 'f'
      """)
    try tryAll()
    try spoil(
      path,
      """
      INSERT INTO sqlite_schema VALUES ('table', 'vt', 'vt', 0, 'CREATE VIRTUAL TABLE vt USING no(a)')
      """)
    #expect(try tryAll().status == 4)
  }

  @Test(
    arguments: [
      1_000_000_000, 2_147_483_648, 4_294_967_296, .max, -1, .min,
    ] as [Int64])
  func `a claim of rows in Z_MAX costs nothing and is carried`(claim: Int64) throws {
    try spoil(path, "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1", [.integer(claim)])
    #expect(try tryAll().status == 0)
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a store whose texts aren't in UTF-8 is read, and refused before it is written`(
    encoding: String
  ) throws {
    let statements = try Program.run("/bin/sh", ["-c", "sqlite3 \"$0\" .dump", path]).output
    try FileSystem.remove(path)
    let dump = folder.path("dump")
    try FileSystem.create(dump, statements)
    let words = [
      "-c", "sqlite3 \"$0\" \"pragma encoding = '\(encoding)'\" \".read '$1'\"", path, dump,
    ]
    _ = try Program.run("/bin/sh", words)
    let applied = try tryAll()
    #expect(applied.status == 4 && applied.error.contains(encoding))
  }

  @Test func `rows that are equal where the model wants them unique are told as such`() throws {
    try spoil(
      path,
      """
      DROP INDEX Z_SDGoal_UNIQUE_id;
      UPDATE ZSDGOAL SET ZID = (SELECT ZID FROM ZSDGOAL LIMIT 1)
      """)
    let applied = try tryAll(allowing: [6])
    #expect(
      applied.error.contains("SDGoal must be unique by id"))
  }

  @Test(arguments: [(56, UInt8(1)), (59, 4), (59, 164)])
  func `an unknown text encoding is damage`(place: Int, byte: UInt8) throws {
    var bytes = try FileSystem.read(path)
    bytes[place] = byte
    try FileSystem.remove(path)
    try FileSystem.create(path, bytes)
    #expect(try tryAll().status == 4)
  }

  @Test func `statistics that lie are no crash`() throws {
    try spoil(
      path,
      """
      ANALYZE; UPDATE sqlite_stat1 SET stat = '9223372036854775807 0 -1 x' || char(0);
      INSERT INTO sqlite_stat1 VALUES ('ZSDGOAL', 'nothing', zeroblob(10000))
      """)
    #expect(try tryAll().status == 0)
  }

  @Test func `a thousand foreign tables, and one of two thousand columns`() throws {
    let columns = (0..<1_990).map { "c\($0)" }.joined(separator: ", ")
    let tables = (0..<(isTorture ? 1_000 : 60)).map { "CREATE TABLE t\($0) (a);" }
    try spoil(path, "CREATE TABLE wide (\(columns)); " + tables.joined())
    #expect(try tryAll().status == 0)
  }
}
