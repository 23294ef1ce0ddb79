import Foundation
@testable import OutboxCore
@testable import OutboxStore
import SQLite
import StoreFormat
import TestSupport
import Testing

@Suite struct CheckTests {
  /// The entity of each event type; both apps use the same names.
  private static let entities: [OutboxEventType: String] = [
    .progressEntry: "SDProgressEntry", .physicalAttribute: "SDPhysicalAttribute",
    .activitySnapshot: "SDActivitySnapshot", .sleepSession: "SDSleepSession", .mealLog: "SDMeal",
    .workout: "SDWorkout", .workoutTemplate: "SDWorkoutTemplate", .moodEntry: "SDMoodEntry",
    .journalEntry: "SDJournalEntry", .goal: "SDGoal", .chatMessage: "SDChatConversation",
    .profileMetadata: "SDUserProfileV11", .profilePhysical: "SDUserProfileV11",
  ]

  /// The ids of an entity's rows; empty if the store has no such entity.
  private func ids(_ entity: String, _ connection: borrowing Connection) throws -> Set<UUID> {
    guard let rows = try? connection.rows("SELECT ZID FROM Z\(entity.uppercased())") else {
      return []
    }
    return Set(rows.compactMap { $0[0].bytes.flatMap { UUID(bytes: $0) } })
  }

  private func live(_ path: String) throws -> [OutboxEventType: Set<UUID>] {
    let connection = try Connection(path: path, mode: .readOnly)
    return try Self.entities.mapValues { try ids($0, connection) }
  }

  private func findings(_ path: String, at now: Date) throws -> OutboxFindings {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    return try OutboxCheck(StoreDescription(reading: connection)).findings(at: now, connection)
  }

  @Test func `an app checks and repairs the outbox of a path`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V11", rows: 200, in: folder)
    let moment = Date(timeIntervalSinceReferenceDate: 790_000_000)
    let repository = try StoreOutboxRepository.open(path, now: { moment })
    let found = try await repository.verify()
    #expect(try found == findings(path, at: moment) && !found.isHealthy)
    let orphans = try await repository.findOrphans()
    #expect(orphans.counts[.orphaned] == found.counts[.orphaned])
    await #expect(throws: OutboxError.noSuchUser("nobody")) {
      try await repository.reset(forUserID: "nobody")
    }
    let user = try #require(try storedEvents(path).first?.userID)
    let counts = try await repository.reset(forUserID: user.lowercased())
    #expect(counts.orphaned > 0)
    #expect(try await repository.findOrphans(forUserID: user).counts[.orphaned] == nil)
  }

  @Test(arguments: [("lume", "V7"), ("fitiq", "V11")])
  func `the findings equal those of a check of every row`(app: String, version: String) throws {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    let path = try makeStore(app, version, rows: 300, seed: seed, in: folder)
    // Creates some duplicates and some unreadable rows.
    try edit(path, "UPDATE ZSDOUTBOXEVENT SET ZEVENTTYPE = 'mood.created' WHERE Z_PK % 17 = 3")
    try edit(
      path,
      """
      UPDATE ZSDOUTBOXEVENT SET ZID = (SELECT ZID FROM ZSDOUTBOXEVENT WHERE Z_PK = 1)
      WHERE Z_PK % 50 = 7
      """)
    let now = Date(timeIntervalSinceReferenceDate: 790_000_000)
    let found = try findings(path, at: now)
    let (events, live) = (try storedEvents(path), try live(path))
    let open = events.filter { $0.status != .completed }
    let upserts = open.filter { $0.metadata?.deletion == nil }
    let deletes = open.filter { $0.metadata?.deletion != nil }
    func isLive(_ event: OutboxEvent) -> Bool {
      live[event.eventType, default: []].contains(event.entityID)
    }
    let threshold: TimeInterval = app == "lume" ? 3_600 : 300
    var makers = Set<[String]>()
    let doubles = open.filter {
      $0.isNewRecord && !makers.insert([$0.eventType.rawValue, $0.entityID.uuidString]).inserted
    }
    let expected: [OutboxFinding.Kind: Int] = [
      .unreadable: 300 - events.count,
      .stuck: open.count { $0.status == .processing },
      .stale: open.count { $0.isStale(at: now, threshold: threshold) },
      .exhausted: open.count { $0.status == .failed && !$0.canRetry },
      .orphaned: upserts.count { !isLive($0) },
      .deletesLiveEntity: deletes.count { isLive($0) },
      .duplicateEvent: doubles.count,
    ]
    for (kind, count) in expected {
      #expect(Int(found.counts[kind, default: 0]) == count, "seed \(seed): \(kind)")
    }
    #expect(found.counts[.duplicateID, default: 0] > 0)
    #expect(found.counts[.orphaned, default: 0] > 0)
    #expect(found.counts[.missing, default: 0] > 0)
    #expect(!found.isHealthy)
  }

  @Test func `a sound outbox has no findings`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("lume", "V7", rows: 20, in: folder)
    try edit(
      path,
      """
      DELETE FROM ZSDOUTBOXEVENT WHERE ZSTATUS <> 'completed';
      UPDATE ZSDMOODENTRY SET ZBACKENDID = 'b'; UPDATE ZSDJOURNALENTRY SET ZBACKENDID = 'b';
      UPDATE ZSDGOAL SET ZBACKENDID = 'b'
      """)
    #expect(try findings(path, at: Date()).counts.isEmpty)
    // An entity's own id doesn't count as an id from the server.
    try edit(path, "UPDATE ZSDGOAL SET ZBACKENDID = lower(hex(ZID)) WHERE Z_PK = 1")
    #expect(try findings(path, at: Date()).counts == [.inconsistent: 1])
  }

  @Test(arguments: [("lume", "V7"), ("fitiq", "V11"), ("fitiq", "V3")])
  func `a reset loses no event to be sent`(app: String, version: String) throws {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    let path = try makeStore(app, version, rows: 300, seed: seed, users: 2, in: folder)
    let before = try storedEvents(path)
    let user = try #require(
      Dictionary(grouping: before, by: \.userID).max { $0.value.count < $1.value.count }?.key)
    let now = Date(timeIntervalSinceReferenceDate: 790_000_000)
    func reset() throws -> OutboxReset.Counts {
      let connection = try Connection(path: path, mode: .readWrite)
      let reset = try OutboxReset(StoreDescription(reading: connection))
      return try connection.transaction { connection throws(SQLiteError) in
        try reset.carryOut(forUser: user, at: now, connection)
      }
    }
    let counts = try reset()
    let (after, live) = (try storedEvents(path), try live(path))
    #expect(before.filter { $0.userID != user } == after.filter { $0.userID != user })
    let mine = after.filter { $0.userID == user }
    #expect(mine.allSatisfy { $0.status == .pending })
    #expect(mine.count == counts.open, "seed \(seed)")

    let open = before.filter { $0.userID == user && $0.status != .completed }
    for event in open {
      let isDelete = event.metadata?.deletion != nil
      let isLive =
        Self.entities[event.eventType].map { $0.hasPrefix("SDUserProfile") } == true
        || live[event.eventType, default: []].contains(event.entityID)
      let stays = mine.contains { $0.id == event.id }
      let isSent = mine.contains {
        $0.eventType == event.eventType && $0.entityID == event.entityID
          && $0.metadata?.deletion == nil
      }
      #expect(isDelete ? stays : isLive == isSent, "seed \(seed): \(event.eventType)")
    }
    // The rest of the outbox and Core Data's own tables stay consistent.
    let again = try reset()
    #expect(again.renewed == 0 && again.created == 0 && again.orphaned == 0 && again.doubled == 0)
    #expect(again.open == counts.open)
    let connection = try Connection(path: path, mode: .readOnly)
    let isBehind = try connection.value(
      """
      SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'SDOutboxEvent')
      < (SELECT max(Z_PK) FROM ZSDOUTBOXEVENT)
      """)
    #expect(isBehind == 0)
  }

  @Test func `an entity that the server doesn't have gets an event`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V11", rows: 60, users: 1, in: folder)
    let user = try #require(try storedEvents(path).first?.userID)
    try edit(
      path,
      """
      DELETE FROM ZSDOUTBOXEVENT; UPDATE ZSDPROGRESSENTRY SET ZSYNCSTATUS = 'synced';
      UPDATE ZSDPROGRESSENTRY SET ZSYNCSTATUS = 'pending', ZBACKENDID = NULL, ZTYPE = 'steps',
      ZQUANTITY = 12.0, ZUSERPROFILE = 1 WHERE Z_PK = 2
      """)
    let connection = try Connection(path: path, mode: .readWrite)
    _ = try OutboxReset(StoreDescription(reading: connection))
      .carryOut(forUser: user, at: Date(timeIntervalSinceReferenceDate: 0), connection)
    let made = try storedEvents(path).filter { $0.eventType == .progressEntry }
    #expect(made.count == 1)
    #expect(made.first?.metadata == .progressEntry(metricType: "steps", value: 12, unit: ""))
    #expect(made.first?.isNewRecord == true && made.first?.userID == user)
  }
}
