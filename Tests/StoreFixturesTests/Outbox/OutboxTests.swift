import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@Suite struct OutboxTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let lumeTypes: Set = [
    "mood.created", "mood.updated", "mood.deleted", "journal.created", "journal.updated",
    "journal.deleted", "journal.create", "journal.update", "journal.delete", "goal.created",
    "goal.updated", "goal.progress_updated", "goal.status_updated", "goal.deleted",
    "conversation.delete", "chat.conversation.deleted", "chat.message.send", "auth.register",
    "auth.login", "auth.refresh", "auth.logout", "user.profile_updated", "mood_created",
    "sync.unknown.v0",
  ]

  @Test(arguments: ["V1", "V6", "V6@plan", "V7@additive"], [1, 2, 3] as [UInt64])
  func `every event type of the payload form occurs in 200 rows`(
    version: String, seed: UInt64
  ) throws {
    let path = try BundledVersion.named("Lume", version).fixture(in: directory, seed: seed)
    let types = try column("SELECT DISTINCT ZEVENTTYPE FROM ZSDOUTBOXEVENT", of: path)
    #expect(Set(types.compactMap(\.string)).isSuperset(of: Self.lumeTypes))
  }

  @Test(arguments: [
    ("Lume", "V7", ["chatMessage", "goal", "journalEntry", "moodEntry"]),
    (
      "FitIQ", "V3",
      [
        "activitySnapshot", "physicalAttribute", "profileMetadata", "profilePhysical",
        "progressEntry",
      ]
    ),
    (
      "FitIQ", "V11",
      [
        "activitySnapshot", "mealLog", "physicalAttribute", "profileMetadata", "profilePhysical",
        "progressEntry", "sleepSession", "workout", "workoutTemplate",
      ]
    ),
  ])
  func `the metadata form has the event types of its app's entities`(
    app: String, version: String, types: [String]
  ) throws {
    let path = try BundledVersion.named(app, version).fixture(in: directory)
    let found = try column(
      "SELECT DISTINCT ZEVENTTYPE FROM ZSDOUTBOXEVENT ORDER BY 1", of: path)
    #expect(found.compactMap(\.string) == types)
  }

  @Test func `payloads come in every form`() throws {
    let path = try BundledVersion.named("Lume", "V6").fixture(in: directory, rows: 2_000)
    let text = "CAST(ZPAYLOAD AS TEXT)"
    for condition in [
      "ZPAYLOAD IS NULL", "length(ZPAYLOAD) = 0", "substr(ZPAYLOAD, 1, 2) = x'FFFE'",
      "substr(ZPAYLOAD, 1, 8) = x'62706C6973743030'", "substr(ZPAYLOAD, 1, 3) = x'EFBBBF'",
      "\(text) LIKE '\"%\"'", "\(text) LIKE 'queued%'", "\(text) LIKE '{' || char(10) || '  %'",
      "\(text) LIKE '{\"%\": %, \"%'", "instr(\(text), '\\/') > 0", "instr(\(text), '\\u') > 0",
      "instr(\(text), '\"user_id\"') > 0", "instr(\(text), '\"userId\"') > 0",
      "instr(\(text), '\"date\":\"2') > 0", "\(text) GLOB '*\"date\":7[0-9]*.[0-9]*'",
      "instr(\(text), char(769)) > 0", "instr(\(text), char(128104, 8205)) > 0",
      "instr(\(text), '\"password\"') > 0", "instr(\(text), '\"entryId\"') > 0",
      "instr(\(text), '\"intensity\"') > 0", "instr(\(text), '\"timestamp\"') > 0",
    ] {
      let count = try column("SELECT count(*) FROM ZSDOUTBOXEVENT WHERE \(condition)", of: path)
      #expect(try #require(count[0].int64) > 0, "\(condition)")
    }
  }

  @Test func `payloads that look like objects are JSON, but for those cut short`() throws {
    let path = try BundledVersion.named("Lume", "V6").fixture(in: directory, rows: 2_000)
    let bad = try column(
      """
      SELECT CAST(ZPAYLOAD AS TEXT) FROM ZSDOUTBOXEVENT
      WHERE substr(ZPAYLOAD, 1, 1) = x'7B' AND NOT json_valid(CAST(ZPAYLOAD AS TEXT))
      """, of: path)
    #expect(bad.allSatisfy { $0.string?.utf8.count == 43 })
    #expect(bad.count < 40)
  }

  @Test func `dates in payloads are those of the row`() throws {
    let path = try BundledVersion.named("Lume", "V6").fixture(in: directory, rows: 2_000)
    // SQLite computes dates independently. The text has no fraction, so drop the row's.
    let rows = try column(
      """
      SELECT json_extract(CAST(ZPAYLOAD AS TEXT), '$.created_at') =
        strftime('%Y-%m-%dT%H:%M:%SZ', CAST(ZCREATEDAT AS INTEGER) + 978307200, 'unixepoch')
      FROM ZSDOUTBOXEVENT
      WHERE json_valid(CAST(ZPAYLOAD AS TEXT)) AND json_type(CAST(ZPAYLOAD AS TEXT), '$.created_at') = 'text'
      """, of: path)
    #expect(rows.count > 500)
    #expect(rows.allSatisfy { $0 == 1 })
  }

  @Test func `most payloads are about a live row and its owner`() throws {
    let path = try BundledVersion.named("Lume", "V6").fixture(in: directory, rows: 2_000)
    let found = try column(
      """
      SELECT iif(m.Z_PK, hex(m.ZUSERID) = replace(json_extract(p, '$.user_id'), '-', ''), NULL)
      FROM (SELECT CAST(ZPAYLOAD AS TEXT) AS p FROM ZSDOUTBOXEVENT
        WHERE ZEVENTTYPE LIKE 'mood.%' AND json_valid(CAST(ZPAYLOAD AS TEXT)))
      LEFT JOIN ZSDMOODENTRY m ON hex(m.ZID) = replace(json_extract(p, '$.id'), '-', '')
      WHERE json_extract(p, '$.user_id') IS NOT NULL
      """, of: path)
    let live = found.filter { !$0.isNull }
    #expect(live.allSatisfy { $0 == 1 })
    #expect(live.count > found.count * 8 / 10)
    #expect(live.count < found.count)
  }

  @Test(arguments: ["V6", "V7"])
  func `states agree with dates and attempts`(version: String) throws {
    let path = try BundledVersion.named("Lume", version).fixture(in: directory, rows: 2_000)
    let count = version == "V6" ? "ZRETRYCOUNT" : "ZATTEMPTCOUNT"
    let wrong = try column(
      """
      SELECT Z_PK FROM ZSDOUTBOXEVENT WHERE ZLASTATTEMPTAT < ZCREATEDAT
        OR ZCOMPLETEDAT < ZLASTATTEMPTAT OR (ZSTATUS = 'completed') != (ZCOMPLETEDAT IS NOT NULL)
        OR ZSTATUS = 'failed' AND (\(count) = 0 OR ZERRORMESSAGE IS NULL OR ZLASTATTEMPTAT IS NULL)
        OR ZSTATUS = 'pending' AND (\(count) > 0) != (ZLASTATTEMPTAT IS NOT NULL)
        OR ZSTATUS NOT IN ('completed', 'pending', 'failed', 'processing') OR \(count) > 5
      """, of: path)
    #expect(wrong.isEmpty)
    for (status, share) in [("completed", 60), ("pending", 25), ("failed", 10), ("processing", 5)] {
      let rows = try column(
        "SELECT count(*) FROM ZSDOUTBOXEVENT WHERE ZSTATUS = '\(status)'", of: path)
      #expect(abs(try #require(rows[0].int64) - Int64(share * 20)) < 80, "\(status)")
    }
  }

  @Test func `an additive store has placeholders but for what the app wrote since`() throws {
    let version = try BundledVersion.named("Lume", "V7@additive")
    let path = try version.fixture(in: directory)
    let entity = try #require(version.model["SDOutboxEvent"])
    guard case .attribute(let attribute) = entity["entityID"],
      case .uuid(let placeholder) = attribute.defaultValue
    else {
      Issue.record("the schema has a default for entityID")
      return
    }
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let old = try connection.rows(
      """
      SELECT DISTINCT ZUSERID, ZATTEMPTCOUNT, ZMETADATA, ZMAXATTEMPTS, ZPRIORITY, ZISNEWRECORD
      FROM ZSDOUTBOXEVENT WHERE ZENTITYID = ?
      """, [.blob(placeholder)])
    #expect(old == [["", 0, .null, 5, 0, 1]])
    let new = try connection.rows(
      "SELECT ZPAYLOAD, ZRETRYCOUNT, ZUSERID FROM ZSDOUTBOXEVENT WHERE ZENTITYID != ?",
      [.blob(placeholder)])
    #expect(new.count == 8)
    #expect(new.allSatisfy { $0[0] == .blob([]) && $0[1] == 0 && $0[2].bytes?.count == 36 })
  }
}
