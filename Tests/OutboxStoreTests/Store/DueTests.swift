import Foundation
@testable import OutboxCore
@testable import OutboxStore
import OutboxTesting
import TestSupport
import Testing

@Suite struct DueTests {
  @Test(arguments: [[1.0, 5, 30, 120, 600], [7], [], [0, 100]])
  func `a store's due events equal those of a check of every event`(
    delays: [TimeInterval]
  ) async throws {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    let path = try makeStore("fitiq", "V11", rows: 150, seed: seed, in: folder)
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    for key in 1...150 where Int.random(in: 0..<3, using: &random) > 0 {
      let last = 800_000_000 + Double.random(in: -900...900, using: &random).rounded()
      let value = Bool.random(using: &random) ? "\(last)" : "NULL"
      try edit(
        path,
        """
        UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'failed', ZLASTATTEMPTAT = \(value),
        ZATTEMPTCOUNT = \(Int.random(in: 0...6, using: &random)) WHERE Z_PK = \(key)
        """)
    }
    for users in [1, 3, 12] {
      try edit(
        path, "UPDATE ZSDOUTBOXEVENT SET ZUSERID = 'u' || (Z_PK % \(users)), ZPRIORITY = Z_PK % 3")
      try await compare(path, delays, at: now, "seed \(seed), \(users) users")
      // The negative of the lowest priority isn't an integer.
      try edit(
        path,
        """
        UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = -9223372036854775807 - Z_PK % 2 WHERE Z_PK % 4 = 0
        """)
      try await compare(path, delays, at: now, "seed \(seed), \(users) users, low priorities")
    }
  }

  @Test func `due events follow every change, by this connection or another`() async throws {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    let path = try makeStore("lume", "V7", rows: 60, seed: seed, in: folder)
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let store = try StoreOutboxRepository.open(path, now: { now })
    for step in 0..<60 {
      // What is refused leaves the queue as it was.
      do { try await change(store, path, &random) } catch is OutboxError {}
      try await compare(store, path, [0, 60], at: now, "seed \(seed), step \(step)")
    }
  }

  /// Changes an event at random, or all of a kind.
  private func change(
    _ store: StoreOutboxRepository, _ path: String, _ random: inout SeededGenerator
  ) async throws {
    let events = try storedEvents(path)
    guard var event = events.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try await store.markAsProcessing(event.id)
    case 1 where event.status == .processing: try await store.markAsCompleted(event.id)
    case 2 where event.status == .processing:
      try await store.markAsFailed(event.id, error: "refused")
    case 3: try await store.resetForRetry([event.id])
    case 4: try await store.deleteEvent(event.id)
    case 5:
      event.status = OutboxEventStatus.allCases.randomElement(using: &random) ?? .pending
      try await store.updateEvent(event)
    case 6:
      _ = try await store.createEvent(
        eventType: .goal, entityID: event.entityID, userID: "new", isNewRecord: false,
        metadata: nil, priority: 3)
    case 7: _ = try await store.deleteEvents(forEntityIDs: [event.entityID])
    case 8:
      try edit(
        path, "UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'failed', ZPRIORITY = 9 WHERE Z_PK % 5 = 0")
    default: try edit(path, "UPDATE ZSDOUTBOXEVENT SET ZUSERID = X'00' WHERE Z_PK % 19 = 0")
    }
  }

  private func compare(
    _ path: String, _ delays: [TimeInterval], at now: Date, _ comment: Comment
  ) async throws {
    try await compare(try StoreOutboxRepository.open(path), path, delays, at: now, comment)
  }

  private func compare(
    _ store: StoreOutboxRepository, _ path: String, _ delays: [TimeInterval], at now: Date,
    _ comment: Comment
  ) async throws {
    let list = ListRepository(try storedEvents(path))
    let user = await list.fetchPendingEvents(forUserID: nil, limit: 1).first?.userID
    for userID in [nil, user] {
      for (limit, types) in [
        (0, nil), (5, nil), (1_000, nil), (5, [.goal]), (1_000, [.goal, .moodEntry]), (9, []),
      ] as [(Int, Set<OutboxEventType>?)] {
        let found = try await store.fetchDueEvents(
          forUserID: userID, ofTypes: types, limit: limit, at: now, retryDelays: delays)
        let expected = try await list.fetchDueEvents(
          forUserID: userID, ofTypes: types, limit: limit, at: now, retryDelays: delays)
        #expect(found == expected, comment)
      }
      let pending = await list.fetchPendingEvents(forUserID: userID, limit: nil).count
      #expect(try await store.countPendingEvents(forUserID: userID) == pending, comment)
    }
  }

  @Test func `the first retry waits for the first delay`() {
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    func wait(_ attempts: Int, last: TimeInterval? = 0) -> TimeInterval? {
      OutboxEvent(
        eventType: .goal, entityID: UUID(), userID: "U", status: .failed,
        lastAttemptAt: last.map { now.addingTimeInterval($0) }, attemptCount: attempts,
        maxAttempts: 9
      ).dueDate(at: now, retryDelays: [1, 5, 30])?.timeIntervalSince(now)
    }
    #expect([0, 1, 2, 3, 4, 8].map { wait($0) } == [1, 1, 5, 30, 30, 30])
    #expect(wait(9) == nil)
    #expect(wait(1, last: nil) == 0)
    #expect(wait(1, last: -9) == -8)
    // A moment ahead is the time between two readings of the clock; a day ahead is a wrong clock.
    #expect(wait(1, last: 0.5) == 1.5)
    #expect(wait(1, last: 86_400) == 0)
  }
}
