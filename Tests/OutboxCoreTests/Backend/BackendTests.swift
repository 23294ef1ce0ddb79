import Foundation
import OutboxCore
import OutboxTesting
import TestSupport
import Testing

@Suite struct BackendTests {
  private let clock = ManualClock()

  private func events(_ count: Int, attempts: Int = 5) -> [OutboxEvent] {
    (0..<count).map { place in
      OutboxEvent(
        eventType: .moodEntry, entityID: UUID(), userID: "U",
        createdAt: clock.now.addingTimeInterval(Double(place - 1_000)), maxAttempts: attempts)
    }
  }

  /// Sends events to a backend for some seconds, and returns the outbox.
  private func deliver(
    _ events: [OutboxEvent], to backend: MockBackend, for seconds: TimeInterval,
    operation: @escaping @Sendable (OutboxEvent) -> BackendRequest.Operation? = {
      .create(body: "{\"id\":\"\($0.entityID)\"}")
    },
    accepted: @escaping @Sendable (OutboxEvent, String) async throws -> Void = { _, _ in }
  ) async -> ListRepository {
    let list = ListRepository(events, now: { [clock] in clock.now })
    let processor = OutboxProcessorService(
      repository: list, configuration: .init(processingInterval: 0.5, drainTime: 0), clock: clock)
    await processor.registerHandler(
      BackendEventHandler(
        backend, for: [.moodEntry], operation: { operation($0) }, accepted: accepted))
    await processor.startProcessing(forUserID: nil)
    await clock.advance(by: seconds, for: processor)
    await processor.stopAndWait()
    return list
  }

  @Test func `every event is a request with its id as the key, and the new id comes back`()
    async throws
  {
    let events = events(20)
    let (ids, continuation) = AsyncStream.makeStream(of: String.self)
    let backend = MockBackend(clock: clock)
    let list = await deliver(
      events, to: backend, for: 5, accepted: { _, id in continuation.yield(id) })
    continuation.finish()
    #expect(await list.events.allSatisfy { $0.status == .completed && $0.attemptCount == 1 })
    #expect(await Set(backend.accepted.map(\.key)) == Set(events.map(\.id)))
    #expect(await ids.reduce(into: Set()) { $0.insert($1) }.count == 20)
    let first = try #require(await backend.records.first)
    #expect(first.request.operation == .create(body: "{\"id\":\"\(events[0].entityID)\"}"))
    #expect(first.isAccepted && !first.isRepetition)
  }

  @Test func `the script fails the first requests, in its order`() async {
    let events = events(1)
    let backend = MockBackend(
      script: [
        .fail(MockFailure("no")), .fail(MockFailure(retryAfter: 30)),
        .acceptAndFail(MockFailure("lost")),
      ], clock: clock)
    let start = clock.now
    let list = await deliver(events, to: backend, for: 100)
    let records = await backend.records
    #expect(records.map(\.isAccepted) == [false, false, true, true])
    #expect(records.map(\.isRepetition) == [false, false, false, true])
    // A delay of 1 s, the pause that the backend asked for, and a delay of 5 s.
    #expect(records.map { $0.date.timeIntervalSince(start) } == [0, 1, 31, 36])
    #expect(await backend.accepted.count == 1)
    #expect(await list.events[0].status == .completed)
    await backend.plan(.fail(MockFailure("never", isPermanent: true)))
    let failed = await deliver(self.events(1), to: backend, for: 100).events[0]
    #expect(failed.errorMessage == "never" && !failed.canRetry)
  }

  @Test func `latency passes by the clock, and requests overlap as far as allowed`() async {
    let backend = MockBackend(clock: clock, latency: { _ in 2 })
    let start = clock.now
    _ = await deliver(events(9), to: backend, for: 10)
    #expect(await backend.mostAtOnce == 3)
    let seconds = await backend.records.map { $0.date.timeIntervalSince(start) }
    #expect(seconds == [2, 2, 2, 4, 4, 4, 6, 6, 6])
  }

  @Test func `updates and deletes get no id, and an event without an operation no request`() async {
    let events = events(3)
    let backend = MockBackend(clock: clock)
    let list = await deliver(
      events, to: backend, for: 5,
      operation: { event in
        [
          events[0].id: .update(id: "a", body: "{}"), events[1].id: .delete(id: "b"),
        ][event.id]
      }, accepted: { event, _ in Issue.record("\(event)") })
    #expect(
      await Set(backend.accepted.map(\.operation)) == [
        .update(id: "a", body: "{}"), .delete(id: "b"),
      ])
    #expect(await list.events.allSatisfy { $0.status == .completed })
  }

  @Test func `a fifth of requests that fail lose no event, and repeat none`() async {
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    let script = (0..<400).map { _ -> MockBackend.Answer in
      switch Int.random(in: 0..<20, using: &random) {
      case 0: .fail(MockFailure())
      case 1: .acceptAndFail(MockFailure())
      case 2: .fail(MockFailure(retryAfter: 2))
      case 3: .fail(CancellationError())
      default: .accept()
      }
    }
    let backend = MockBackend(script: script, clock: clock, latency: { _ in 0.05 })
    // Of 200 events, one in twenty times one fails five times in a row.
    let count = rounds(15, all: 60, torture: 200)
    let events = events(count, attempts: 20)
    let list = await deliver(events, to: backend, for: TimeInterval(30 * count))
    #expect(await backend.accepted.count == count, "seed \(seed)")
    #expect(await Set(backend.accepted.map(\.key)) == Set(events.map(\.id)))
    #expect(await list.events.allSatisfy { $0.status == .completed }, "seed \(seed)")
  }
}
