import OutboxFormat
import SQLite
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// What a plan counts on the way is what it decides row by row.
@Suite struct DeliveryCountTests {
  @Test(arguments: ["V6", "V6@plan", "V7@additive"])
  func `a documented plan counts what a deliverable one decides`(version: String) throws {
    for _ in 0..<4 {
      let seed = printedSeed(below: 100_000)
      let folder = try TemporaryDirectory()
      let path = try makeOddOutbox(version, rows: 220, mischief: 120, seed: seed, in: folder)
      let decided = try #require(try counts(path, .deliverable))
      #expect(try counts(path, .documented) == decided, "\(version), seed \(seed)")
      #expect(decided.addsUp && decided.completed > 0 && decided.quarantinedRows > 0)
      // Somebody else's store is read through one connection.
      let other = try Connection(path: path, mode: .readWrite)
      try other.begin()
      _ = try other.value("SELECT count(*) FROM ZSDOUTBOXEVENT")
      let migrator = try bundledMigrator()
      let shared = try migrator.planned(for: path, request(.documented)) {
        planner, connection in
        var planner = planner
        planner.isUnshared = false
        return try planner.plan(connection)
      }
      try other.rollback()
      #expect(shared.delivery == decided, "\(version), seed \(seed)")
    }
  }

  @Test func `what a queue depends on is found with an index of ids and without`() throws {
    for _ in 0..<4 {
      let seed = printedSeed(below: 100_000)
      let folder = try TemporaryDirectory()
      let path = try makeOddOutbox("V6", rows: 200, mischief: 100, seed: seed, in: folder)
      let reading = try outboxReading(of: path)
      let delivery = try #require(reading.delivery)
      let indexed = try #require(try reading.read(.queue, in: path).delivery)
      do {
        let connection = try Connection(path: path, mode: .readWrite)
        for table in delivery.entities.values.map(\.table) {
          let indexes = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1", [.text(table)])
          #expect(!indexes.isEmpty)
          for index in indexes { try connection.execute("DROP INDEX \(index[0].string ?? "")") }
        }
      }
      let listed = try reading.read(.queue, in: path).delivery
      #expect(listed == indexed && indexed.rows > 20, "seed \(seed)")
    }
  }

  @Test func `two parts of an outbox say what one pass over it says`() throws {
    for round in 0..<8 {
      let seed = printedSeed(below: 100_000)
      let folder = try TemporaryDirectory()
      let path = try makeOddOutbox("V6", rows: 200, mischief: 100, seed: seed, in: folder)
      try makeOdd(path, seed: seed, isRefused: round % 2 == 1)
      let parts = try outboxReading(of: path)
      let whole = TableReading(
        rows: parts.rows, program: parts.program, owner: parts.owner, mask: parts.mask,
        delivery: nil)
      let connection = try Connection(path: path, mode: .readOnly)
      let obvious = Result { try whole.seen(connection, alsoIn: nil) }
      for other in [path, nil] {
        expectSame(Result { try parts.seen(connection, alsoIn: other) }, obvious, seed)
      }
      let isRefused = if case .failure = obvious { true } else { false }
      #expect(isRefused == (round % 2 == 1), "seed \(seed)")
    }
  }

  /// Gives rows statuses and types that no app writes, and keys far from the others.
  private func makeOdd(_ path: String, seed: UInt64, isRefused: Bool) throws {
    var numbers = SeededGenerator(seed: seed)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("CREATE INDEX odd ON ZSDOUTBOXEVENT (ZSTATUS, ZCREATEDAT)")
    let values = [
      "NULL", "CAST('completed' AS BLOB)", "'completed' || char(0)", "7", "CAST(x'FF' AS TEXT)",
      "'COMPLETED'", "''", "'mood.deleted'", "'completed'", "'goal'", "0.5",
    ]
    let keys = try outboxKeys(connection)
    for _ in 0..<40 {
      let column = ["ZSTATUS", "ZEVENTTYPE"][numbers.below(2)]
      let value = values[numbers.below(values.count)]
      let key = keys[numbers.below(keys.count)]
      try connection.execute(
        "UPDATE ZSDOUTBOXEVENT SET \(column) = \(value) WHERE Z_PK = \(key)")
    }
    for (key, other) in zip([-5, .max, 1 << 62] as [Int64], keys.shuffled(using: &numbers)) {
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET Z_PK = \(key) WHERE Z_PK = \(other)")
    }
    guard isRefused else { return }
    for key in try outboxKeys(connection).shuffled(using: &numbers).prefix(3) {
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = 7 WHERE Z_PK = \(key)")
    }
  }

  /// The keys that the outbox of a store really has: a fixture leaves some out.
  private func outboxKeys(_ connection: borrowing Connection) throws -> [Int64] {
    let rows = try connection.rows("SELECT Z_PK FROM ZSDOUTBOXEVENT ORDER BY Z_PK")
    return rows.compactMap { $0[0].int64 }
  }

  private func expectSame(
    _ seen: Result<SeenRows, any Error>, _ obvious: Result<SeenRows, any Error>, _ seed: UInt64
  ) {
    switch (seen, obvious) {
    case (.success(let seen), .success(let obvious)):
      #expect(seen.tally == obvious.tally && seen.tally.rows > 150, "seed \(seed)")
      #expect(seen.audit?.warnings == obvious.audit?.warnings, "seed \(seed)")
      let examples = seen.examples.examples
      #expect(examples == obvious.examples.examples && !examples.isEmpty, "seed \(seed)")
    case (.failure(let error), .failure(let obvious)):
      #expect("\(error)" == "\(obvious)", "seed \(seed)")
    default: Issue.record("seed \(seed): \(seen), \(obvious)")
    }
  }

  @Test func `rows are read by their table, whatever an index says`() throws {
    let seed = printedSeed(below: 100_000)
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 80, seed: seed, in: folder)
    let before = try counts(path, .documented)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.defensive, to: false)
      try connection.execute(
        """
        CREATE INDEX partial ON ZSDOUTBOXEVENT (ZSTATUS) WHERE Z_PK > 70;
        CREATE INDEX whole ON ZSDOUTBOXEVENT (ZSTATUS);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage =
          (SELECT rootpage FROM sqlite_schema WHERE name = 'partial') WHERE name = 'whole';
        DELETE FROM sqlite_schema WHERE name = 'partial'
        """)
    }
    // The index misses rows: how many depends on the keys that the seed leaves out.
    func completed(_ access: String) throws -> Int64? {
      try Connection(path: path, mode: .readOnly).value(
        "SELECT count(*) FROM ZSDOUTBOXEVENT \(access) WHERE ZSTATUS = 'completed'")?.int64
    }
    let (found, all) = (
      try #require(try completed("INDEXED BY whole")), try #require(try completed("NOT INDEXED"))
    )
    #expect(found < all, "seed \(seed)")
    #expect(try counts(path, .documented) == before, "seed \(seed)")
  }

  @Test func `what a status is doesn't depend on how its column compares`() throws {
    let seed = printedSeed(below: 100_000)
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 60, seed: seed, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.defensive, to: false)
      try connection.execute(
        """
        UPDATE ZSDOUTBOXEVENT SET ZSTATUS = upper(ZSTATUS), ZEVENTTYPE = upper(ZEVENTTYPE)
          WHERE Z_PK % 3 = 0;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(replace(sql, 'ZSTATUS VARCHAR',
          'ZSTATUS VARCHAR COLLATE NOCASE'), 'ZEVENTTYPE VARCHAR', 'ZEVENTTYPE VARCHAR COLLATE NOCASE')
          WHERE name = 'ZSDOUTBOXEVENT'
        """)
      #expect(connection.changes == 1)
    }
    let decided = try #require(try counts(path, .deliverable))
    #expect(try counts(path, .documented) == decided, "seed \(seed)")
    #expect(decided.rows == 60 && decided.addsUp, "seed \(seed)")
  }

  @Test func `of several rows that can't be read the first is named`() throws {
    for _ in 0..<6 {
      let seed = printedSeed(below: 100_000)
      var numbers = SeededGenerator(seed: seed)
      let folder = try TemporaryDirectory()
      let path = try makeStore("V6", rows: 60, seed: seed, in: folder)
      var bad: [Int64] = []
      do {
        let connection = try Connection(path: path, mode: .readWrite)
        let keys = try outboxKeys(connection)
        for change in [
          "ZEVENTTYPE = x'01'", "ZSTATUS = x'01'",
          "ZCREATEDAT = x'01', ZEVENTTYPE = 'mood.created'",
        ] {
          let key = keys[numbers.below(keys.count)]
          bad.append(key)
          try connection.execute("UPDATE ZSDOUTBOXEVENT SET \(change) WHERE Z_PK = \(key)")
        }
      }
      let error = #expect(throws: MigrationError.self) {
        try bundledMigrator().plan(for: path, request(.deliverable))
      }
      let plan = try bundledMigrator().plan(for: path, request(.documented))
      #expect(plan.delivery == nil, "seed \(seed)")
      let warning = try #require(plan.warnings.first { $0.rows > 0 }, "seed \(seed)")
      let refused = error.map { "\($0)" } ?? "nothing"
      #expect(warning.code == "not-deliverable" && warning.rows == 1, "seed \(seed)")
      #expect(warning.message.contains(refused), "seed \(seed): \(bad), \(refused)")
    }
  }

  /// A store whose outbox has rows that no app would leave.
  private func makeOddOutbox(
    _ version: String, rows: Int, mischief count: Int, seed: UInt64, in folder: TemporaryDirectory
  ) throws -> String {
    let path = try makeStore(version, rows: rows, seed: seed, users: 2, in: folder)
    var mischief = OutboxMischief(path, seed: seed)
    try mischief.run(count: count)
    return path
  }

  /// What a plan reads of the outbox of a store.
  private func outboxReading(of path: String) throws -> TableReading {
    let found = try bundledMigrator().planned(for: path, request(.documented)) {
      planner, connection -> TableReading? in
      let owner = try planner.owner(connection)
      let program = try planner.program(options: owner.options)
      return program.rewrites.lazy.map { rows in
        TableReading(rows, of: program, owner: owner.value, planner.mask)
      }.first { $0.delivery != nil }
    }
    return try #require(found)
  }

  private func request(_ rows: MigrationRequest.Rows) -> MigrationRequest {
    MigrationRequest(userID: "someone", rows: rows)
  }

  private func counts(_ path: String, _ rows: MigrationRequest.Rows) throws -> DeliveryCounts? {
    try bundledMigrator().plan(for: path, request(rows)).delivery
  }
}
