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
    // Creates some duplicates, some orphans and some unreadable rows.
    try edit(
      path,
      """
      UPDATE ZSDOUTBOXEVENT SET ZENTITYID = randomblob(16), ZSTATUS = 'pending', ZMETADATA = NULL
      WHERE Z_PK % 40 = 9
      """)
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

  @Test(arguments: [("lume", "V7"), ("fitiq", "V11")])
  func `a check of a part finds what the check of all finds in it`(
    app: String, version: String
  ) throws {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    let path = try makeStore(app, version, rows: 300, seed: seed, users: 2, in: folder)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let check = try OutboxCheck(StoreDescription(reading: connection))
    let now = Date(timeIntervalSinceReferenceDate: 790_000_000)
    let whole = try check.findings(at: now, connection)
    var parts: [OutboxFinding.Kind: Int64] = [:]
    for type in OutboxEventType.allCases {
      let part = try check.findings(at: now, in: OutboxScope(eventType: type), connection)
      #expect(part.countsByType.values.allSatisfy { $0.keys.allSatisfy { $0 == type } })
      parts.merge(part.counts, uniquingKeysWith: +)
    }
    #expect(parts == whole.counts, "seed \(seed)")
    let events = try storedEvents(path).filter { $0.status != .completed }
    let dates = events.map(\.createdAt).sorted()
    let since = dates[dates.count / 2]
    let user = try #require(events.first?.userID)
    let late = try check.findings(
      at: now, in: OutboxScope(userID: user, since: since), connection)
    let mine = events.filter { $0.userID == user && $0.createdAt >= since }
    #expect(Int(late.counts[.stuck, default: 0]) == mine.count { $0.status == .processing })
    #expect(Int(late.counts[.stale, default: 0]) < Int(whole.counts[.stale, default: 0]))
    let none = try check.findings(
      at: now, in: OutboxScope(userID: UUID().uuidString), connection)
    #expect(none.counts.isEmpty)
  }

  @Test(arguments: [("lume", "V7", "SDGoal"), ("fitiq", "V11", "SDProgressEntry")])
  func `entities are counted by their sync status`(
    app: String, version: String, entity: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(app, version, rows: 300, users: 2, in: folder)
    let type: OutboxEventType = app == "lume" ? .goal : .progressEntry
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let check = try OutboxCheck(StoreDescription(reading: connection))
    let states = try check.entityStates(connection)
    let found = try #require(states[type])
    let column = app == "lume" ? "coalesce(ZBACKENDID, '') <> ''" : "ZSYNCSTATUS = 'synced'"
    let rows = try connection.rows("SELECT ZID, \(column) FROM Z\(entity.uppercased())")
    let open = Set(
      try storedEvents(path).filter { $0.status != .completed && $0.eventType == type }
        .map(\.entityID))
    let synced = rows.count { $0[1] == 1 }
    #expect(found.entities == rows.count && found.synced == synced && found.isRecorded)
    #expect(found.syncRate == Double(synced) / Double(rows.count) * 100)
    let queued = rows.count { row in
      row[0].bytes.flatMap { UUID(bytes: $0) }.map { open.contains($0) } ?? false
    }
    #expect(found.queued == queued && queued > 0)
    let findings = try check.findings(at: Date(), connection)
    #expect(
      found.missing == Int(findings.countsByType[.missing, default: [:]][type, default: 0]))
    if app == "fitiq" { #expect(states[.profileMetadata]?.isRecorded == false) }
    #expect(
      try check.entityStates(in: OutboxScope(eventType: .goal), connection).keys.allSatisfy {
        $0 == .goal
      })
  }

  @Test(arguments: [("lume", "V7"), ("fitiq", "V11")])
  func `orphans are removed, and nothing else`(app: String, version: String) async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(app, version, rows: 300, in: folder)
    try edit(path, "UPDATE ZSDOUTBOXEVENT SET ZENTITYID = randomblob(16) WHERE Z_PK % 7 = 3")
    let (before, live) = (try storedEvents(path), try live(path))
    let repository = try StoreOutboxRepository.open(path)
    let count = try await repository.removeOrphans()
    let after = Set(try storedEvents(path).map(\.id))
    let gone = before.filter { !after.contains($0.id) }
    #expect(gone.count == count && count > 0)
    #expect(
      gone.allSatisfy {
        $0.status != .completed && $0.metadata?.deletion == nil
          && !live[$0.eventType, default: []].contains($0.entityID)
      })
    #expect(try await repository.findOrphans().counts[.orphaned] == nil)
  }

  @Test func `what is discarded is told before`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("lume", "V7", rows: 300, users: 2, in: folder)
    let before = try storedEvents(path)
    let user = try #require(before.first?.userID)
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let forecast = try DeliveryForecast(of: store, userID: user, connection)
    let counts = try OutboxDiscard.carryOut(on: store, forUser: user, connection)
    #expect(counts.lost == forecast && forecast.requestCount > 0)
    #expect(counts.removed == before.count { $0.userID == user })
    #expect(try storedEvents(path) == before.filter { $0.userID != user })
  }

  @Test(arguments: [("lume", "V7"), ("fitiq", "V11"), ("fitiq", "V3")])
  func `a test event leaves nothing, and takes nothing along`(
    app: String, version: String
  ) async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(app, version, rows: 60, in: folder)
    let table = app == "lume" ? "ZSDGOAL" : "ZSDPROGRESSENTRY"
    func count() throws -> Int64? {
      try Connection(path: path, mode: .readOnly).value("SELECT count(*) FROM \(table)")?.int64
    }
    let (before, rows) = (try storedEvents(path), try count())
    let repository = try StoreOutboxRepository.open(path)
    let event = try await repository.addSyncTest(forUserID: nil)
    #expect(try count() == (rows ?? 0) + 1)
    guard case .create = try await repository.operation(for: event) else {
      Issue.record("the test's event doesn't create")
      return
    }
    // An entity of the user's with an event that has the mark stays: it doesn't have the mark itself.
    let other = try #require(before.first { $0.eventType == event.eventType })
    _ = try await repository.addSyncTestDeletion(of: other, backendID: "b")
    #expect(try await repository.removeSyncTests() == 2)
    #expect(try storedEvents(path) == before)
    #expect(try count() == rows)
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
