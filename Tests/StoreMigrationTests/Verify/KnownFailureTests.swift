import SQLite
import TestSupport
import Testing

@testable import StoreMigration
import OutboxConversion
import StoreProof

/// What a store failed in before an edit isn't held against the edit; everything else is.
@Suite struct KnownFailureTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let migrator: StoreMigrator

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V7", rows: 30, in: folder)
    migrator = try bundledMigrator()
  }

  /// Changes values behind an index's back, so that the index doesn't have the rows any more.
  private static func damage(
    _ index: String, by change: String, _ connection: borrowing Connection
  ) throws {
    try connection.set(.defensive, to: false)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      "CREATE TEMP TABLE kept AS SELECT rowid AS place, * FROM sqlite_schema WHERE name = ?1",
      [.text(index)])
    try connection.execute("DELETE FROM sqlite_schema WHERE name = ?1", [.text(index)])
    try connection.execute("PRAGMA writable_schema = RESET")
    try connection.execute(change)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      """
      INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) SELECT * FROM temp.kept
      """)
    try connection.execute("PRAGMA writable_schema = RESET")
    try connection.execute("DROP TABLE temp.kept")
  }

  /// Two indexes of tables with rows, each with a statement that changes what it is over.
  private static let changes: [(index: String, change: String)] =
    [
      (
        "Z_SDJournalEntry_UNIQUE_id",
        "UPDATE ZSDJOURNALENTRY SET ZID = randomblob(16) WHERE Z_PK % 3 = 0"
      ),
      (
        "Z_SDMoodEntry_UNIQUE_id",
        "UPDATE ZSDMOODENTRY SET ZID = randomblob(16) WHERE Z_PK % 3 = 0"
      ),
    ]

  private func damageJournal() throws {
    let (index, change) = Self.changes[0]
    let connection = try Connection(path: path, mode: .readWrite)
    try Self.damage(index, by: change, connection)
    #expect(try !connection.integrityCheck().isEmpty)
  }

  @Test func `damage that was there before doesn't stop an edit`() throws {
    try damageJournal()
    let before = try migrator.verify(path).checks
    // With the first rows gone, SQLite counts the others from 1.
    let report = try migrator.edit(path, as: "test") {
      try $0.execute("DELETE FROM ZSDJOURNALENTRY WHERE Z_PK IN (1, 2)")
    }.report
    #expect(report.changes.map(\.removed) == [2])
    #expect(before.first { $0.name == "integrity" }?.isPassed == false)
  }

  @Test func `damage of another index does, in a store that was damaged before`() throws {
    try damageJournal()
    let before = try fingerprint(of: folder)
    let (index, change) = Self.changes[1]
    let error = #expect(throws: MigrationError.self) {
      try migrator.edit(path, as: "test") { try Self.damage(index, by: change, $0) }
    }
    #expect(error?.exitStatus == .verificationFailed)
    #expect(error?.description.contains(index) == true)
    #expect(try fingerprint(of: folder) == before)
  }

  @Test func `what is missing in another property does as well`() throws {
    func empty(_ column: String, _ connection: borrowing Connection) throws {
      try connection.execute("UPDATE ZSDMOODENTRY SET \(column) = NULL WHERE Z_PK = 1")
    }
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try empty("ZVALENCE", connection)
    }
    #expect(try migrator.edit(path, as: "test") { try empty("ZNOTES", $0) }.report.snapshot != nil)
    let error = #expect(throws: MigrationError.self) {
      try migrator.edit(path, as: "test") { try empty("ZDATE", $0) }
    }
    #expect(error?.exitStatus == .verificationFailed)
    #expect(error?.description.contains("'SDMoodEntry.date'") == true)
  }
}
