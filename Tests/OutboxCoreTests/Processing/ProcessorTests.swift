import Foundation
import OutboxCore
import Synchronization
import OutboxTesting
import TestSupport
import Testing

/// A handler that does what a test says, and keeps a record.
private final class Recorder: OutboxProcessorService.OutboxEventHandler {
  struct Call: Equatable {
    let id: UUID
    let date: Date
  }

  private struct State {
    var calls: [Call] = []
    var running: Set<UUID> = []
    var most = 0
    var overlap = false
  }

  private let state = Mutex(State())
  private let clock: ManualClock
  private let body: @Sendable (OutboxEvent, Int) async throws -> Void

  init(
    _ clock: ManualClock,
    _ body: @escaping @Sendable (OutboxEvent, Int) async throws -> Void = { _, _ in }
  ) {
    self.clock = clock
    self.body = body
  }

  var calls: [Call] { state.withLock { $0.calls } }
  var mostAtOnce: Int { state.withLock { $0.most } }
  var hadTwoOfOneEntity: Bool { state.withLock { $0.overlap } }

  func canHandle(eventType: OutboxEventType) -> Bool { eventType != .chatMessage }

  func handle(event: OutboxEvent) async throws {
    let number = state.withLock { state in
      state.calls.append(Call(id: event.id, date: clock.now))
      if !state.running.insert(event.entityID).inserted { state.overlap = true }
      state.most = max(state.most, state.running.count)
      return state.calls.count { $0.id == event.id }
    }
    defer { _ = state.withLock { $0.running.remove(event.entityID) } }
    try await body(event, number)
  }
}

/// A logger that keeps its lines.
private final class LineLogger: OutboxLogger {
  private let kept = Mutex<[(line: String, metadata: [String: String])]>([])

  var lines: [String] { kept.withLock { $0.map(\.line) } }
  var metadata: [[String: String]] { kept.withLock { $0.map(\.metadata) } }

  func log(level: OutboxLogLevel, message: String, metadata: [String: String]) {
    kept.withLock { $0.append(("\(level): \(message)", metadata)) }
  }
}

private struct Refused: OutboxHandlingError {
  var isPermanent = false
  var retryAfter: TimeInterval?
}

@Suite struct ProcessorTests {
  private let clock = ManualClock()

  private func events(_ count: Int, priority: Int = 0) -> [OutboxEvent] {
    (0..<count).map { place in
      OutboxEvent(
        eventType: .moodEntry, entityID: UUID(), userID: "U",
        createdAt: clock.now.addingTimeInterval(Double(place - 1_000)), priority: priority)
    }
  }

  private func list(_ events: [OutboxEvent]) -> ListRepository {
    ListRepository(events, now: { [clock] in clock.now })
  }

  private func processor(
    _ list: ListRepository, _ handler: any OutboxProcessorService.OutboxEventHandler,
    _ configuration: OutboxProcessorService.Configuration = .default
  ) async -> OutboxProcessorService {
    let processor = OutboxProcessorService(
      repository: list, configuration: configuration, clock: clock)
    await processor.registerHandler(handler)
    return processor
  }

  /// Lets a processor run for a time.
  private func run(_ processor: OutboxProcessorService, for seconds: TimeInterval) async {
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: seconds, for: processor)
    await processor.stopAndWait()
  }

  @Test func `a whole batch is sent, as many at once as are allowed`() async throws {
    let list = list(events(25))
    let recorder = Recorder(clock) { [clock] _, _ in try await clock.sleep(for: 0.01) }
    await run(await processor(list, recorder), for: 1)
    #expect(recorder.mostAtOnce == 3)
    #expect(recorder.calls.count == 25)
    #expect(await list.events.allSatisfy { $0.status == .completed && $0.attemptCount == 1 })
  }

  @Test func `what comes first in the queue is sent first`() async throws {
    let (low, high) = (events(5, priority: 1), events(5, priority: 9))
    let list = list(low + high)
    let recorder = Recorder(clock)
    await run(
      await processor(list, recorder, .init(batchSize: 3, maxConcurrentOperations: 1)), for: 1)
    #expect(recorder.calls.map(\.id) == (high + low).map(\.id))
  }

  @Test func `retries wait for their delays, and end with the attempts`() async throws {
    let list = list(events(1))
    let recorder = Recorder(clock) { _, _ in throw Refused() }
    await run(await processor(list, recorder, .init(processingInterval: 0.5)), for: 170)
    let waits = zip(recorder.calls, recorder.calls.dropFirst()).map {
      $1.date.timeIntervalSince($0.date)
    }
    #expect(waits == [1, 5, 30, 120])
    let event = await list.events[0]
    #expect((event.status, event.attemptCount) == (.failed, 5))
    #expect(event.errorMessage?.hasPrefix("Refused") == true)
  }

  @Test func `an event that fails lets the others go by`() async throws {
    let events = events(12)
    let list = list(events)
    let recorder = Recorder(clock) { event, number in
      if event.id == events[0].id && number < 3 { throw Refused() }
    }
    await run(
      await processor(list, recorder, .init(batchSize: 2, maxConcurrentOperations: 1)), for: 10)
    #expect(Set(recorder.calls.prefix(12).map(\.id)).count == 12)
    #expect(await list.events.allSatisfy { $0.status == .completed })
    #expect(recorder.calls.count == 14)
  }

  @Test func `what would fail again isn't tried again`() async throws {
    let list = list(events(1))
    let recorder = Recorder(clock) { _, _ in throw Refused(isPermanent: true) }
    await run(await processor(list, recorder, .init(processingInterval: 10)), for: 1_000)
    #expect(recorder.calls.count == 1)
    #expect(await list.events[0].canRetry == false)
  }

  @Test func `an event without a handler stays as it is, even in a single delivery`() async throws {
    let chat = OutboxEvent(eventType: .chatMessage, entityID: UUID(), userID: "U")
    let list = list([chat] + events(1))
    await processor(list, Recorder(clock)).processAll(waiting: 2)
    #expect(await list.events[0] == chat)
    #expect(await list.events[1].status == .completed)
  }

  @Test func `an event whose handler comes after the start waits for it`() async throws {
    struct ChatHandler: OutboxProcessorService.OutboxEventHandler {
      func canHandle(eventType: OutboxEventType) -> Bool { eventType == .chatMessage }
      func handle(event: OutboxEvent) async throws {}
    }
    let chats = (0..<12).map { _ in
      OutboxEvent(
        eventType: .chatMessage, entityID: UUID(), userID: "U", createdAt: clock.now, priority: 9)
    }
    let moods = events(5)
    let list = list(chats + moods)
    let log = LineLogger()
    let processor = OutboxProcessorService(repository: list, clock: clock, logger: log)
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: 2, for: processor)
    // A start without handlers is refused, with a sentence.
    #expect(await list.events == chats + moods)
    #expect(await processor.startError == .noHandlers)
    #expect(await !processor.isProcessing)
    #expect(log.lines == ["error: \(OutboxProcessorError.noHandlers)"])
    await processor.processAll(waiting: 10)
    #expect(await list.events == chats + moods)
    await processor.startProcessing(forUserID: "U")
    await processor.registerHandler(Recorder(clock))
    #expect(await processor.startError == nil)
    #expect(await processor.isProcessing)
    await clock.advance(by: 2, for: processor)
    // A whole batch of events without a handler doesn't hold up those behind it.
    #expect(await Array(list.events.prefix(12)) == chats)
    #expect(await list.events.suffix(5).allSatisfy { $0.status == .completed })
    await processor.registerHandler(ChatHandler())
    await clock.advance(by: 2, for: processor)
    let all = await list.events
    #expect(
      all.allSatisfy { $0.status == .completed && $0.attemptCount == 1 },
      "\(all.map { "\($0.status) \($0.attemptCount)" })")
    await processor.stopAndWait()
  }

  @Test func `a busy server is left alone, and nobody's attempt counts`() async throws {
    let list = list(events(9))
    let start = clock.now
    let recorder = Recorder(clock) { [clock] _, _ in
      if clock.now.timeIntervalSince(start) < 30 { throw Refused(retryAfter: 30) }
    }
    await run(await processor(list, recorder, .init(processingInterval: 1)), for: 60)
    #expect(recorder.calls.count { $0.date.timeIntervalSince(start) < 29 } <= 3)
    #expect(await list.events.allSatisfy { $0.status == .completed && $0.attemptCount == 1 })
  }

  @Test(arguments: [0, -5, .nan] as [Double])
  func `a pause of no length doesn't keep the server busy`(seconds: Double) async throws {
    let list = list(events(2))
    let start = clock.now
    let recorder = Recorder(clock) { [clock] _, _ in
      if clock.now.timeIntervalSince(start) < 5 { throw Refused(retryAfter: seconds) }
    }
    await run(await processor(list, recorder, .init(processingInterval: 1)), for: 20)
    #expect(recorder.calls.count <= 14)
    #expect(await list.events.allSatisfy { $0.status == .completed })
  }

  @Test func `what a crash left behind is sent`() async throws {
    var events = events(30)
    for place in events.indices where place % 2 == 0 { events[place].markAsProcessing() }
    let list = list(events)
    await run(await processor(list, Recorder(clock)), for: 2)
    #expect(await list.events.allSatisfy { $0.status == .completed })
  }

  @Test func `stopping puts back what is under way`() async throws {
    let events = events(8)
    let list = list(events)
    let recorder = Recorder(clock) { [clock] _, _ in try await clock.sleep(for: 1_000) }
    let processor = await processor(list, recorder, .init(drainTime: 0))
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: 1, for: processor)
    #expect(recorder.calls.count == 3)
    await processor.stopAndWait()
    #expect(await list.events == events)
    await clock.advance(by: 10, for: processor)
    #expect(recorder.calls.count == 3)
    await #expect(throws: OutboxProcessorError.notStarted) { try await processor.getStatistics() }
  }

  @Test func `stopping lets what is under way end, within a deadline`() async throws {
    let events = events(8)
    let list = list(events)
    let recorder = Recorder(clock) { [clock] event, _ in
      try await clock.sleep(for: event.id == events[1].id ? 1_000 : 3)
    }
    let processor = await processor(list, recorder, .init(drainTime: 5))
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: 1, for: processor)
    await processor.stopProcessing()
    #expect(await !processor.isProcessing)
    await clock.advance(by: 3, for: processor)
    #expect(await list.events.map(\.status).prefix(3) == [.completed, .processing, .completed])
    await clock.advance(by: 3, for: processor)
    #expect(await list.events[1...] == [events[1], await list.events[2]] + events[3...])
    #expect(recorder.calls.count == 3 && clock.sleeperCount == 0)
  }

  @Test func `the state of a processor comes step by step, and to views`() async throws {
    let list = list(events(2))
    let recorder = Recorder(clock) { [clock] _, _ in try await clock.sleep(for: 3) }
    let configuration = OutboxProcessorService.Configuration(
      processingInterval: 1, maxConcurrentOperations: 1)
    let processor = await processor(list, recorder, configuration)
    var states = await processor.states().makeAsyncIterator()
    let status = await OutboxProcessorStatus(of: processor)
    let first = await states.next()
    #expect(first == (try await processor.state()))
    #expect(first.map { [$0.pendingEventCount, $0.eventsInProgress] } == [2, 0])
    #expect(first?.isProcessing == false && first?.lastProcessedAt == nil)
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: 4, for: processor)
    let second = await states.next()
    #expect(second?.isProcessing == true && second?.lastProcessedAt != nil)
    #expect(second.map { [$0.pendingEventCount, $0.eventsInProgress] } == [0, 1])
    await MainActor.run {
      #expect(status.isProcessing && status.pendingEventCount == 0 && status.eventsInProgress == 1)
      #expect(status.lastProcessedAt == second?.lastProcessedAt)
    }
    await clock.advance(by: 4, for: processor)
    await processor.stopAndWait()
    await clock.settle()
    let last = await states.next()
    #expect(last?.isProcessing == false && last?.eventsInProgress == 0)
    #expect(await status.isProcessing == false)
  }

  @Test func `a logger gets a line for each step, without values of rows`() async throws {
    let secret = OutboxEvent(
      eventType: .moodEntry, entityID: UUID(), userID: "s3cret", createdAt: clock.now,
      metadata: .generic(["note": "s3cret"]))
    let events = [secret] + events(2)
    let (list, log) = (list(events), LineLogger())
    let processor = OutboxProcessorService(
      repository: list, configuration: .init(processingInterval: 10), clock: clock, logger: log)
    await processor.registerHandler(
      Recorder(clock) { event, number in
        if event.id == events[1].id { throw Refused(isPermanent: number == 2) }
        if event.id == events[2].id && number == 1 { throw Refused(retryAfter: 1) }
      })
    await processor.triggerImmediateProcessing()
    await processor.startProcessing(forUserID: nil)
    await clock.advance(by: 20, for: processor)
    await processor.stopAndWait()
    #expect(
      Set(log.lines) == [
        "warning: Can't check for events: the processor isn't started.",
        "info: Started; checks for events every 10.0 s.", "debug: Processing pending events.",
        "info: Delivered: Mood Entry.",
        "warning: Attempt 1 of 5 failed: Mood Entry: Refused (code 1)",
        "error: Failed, and isn't retried: Mood Entry: Refused (code 1)",
        "notice: Postponed: Mood Entry: Refused (code 1)", "info: Stopped.",
      ])
    #expect(log.metadata.compactMap { $0["event"] }.contains(events[0].id.uuidString))
    #expect(!"\(log.metadata)".contains("s3cret"))
  }

  @Test func `retries wait as the policies of the documents say`() async throws {
    let expected: [([TimeInterval], [TimeInterval])] = [
      (BackoffPolicy.fitIQ, [1, 5, 30, 120, 600]), (BackoffPolicy.lume, [2, 4, 8, 16, 32]),
    ]
    for (policy, delays) in expected {
      var event = events(1)[0]
      event = OutboxEvent(
        eventType: .goal, entityID: event.entityID, userID: "U", createdAt: clock.now,
        maxAttempts: 6)
      let recorder = Recorder(clock) { _, _ in throw Refused() }
      await run(
        await processor(
          list([event]), recorder, .init(processingInterval: 0.5, retryDelays: policy)),
        for: 800)
      let waits = zip(recorder.calls, recorder.calls.dropFirst()).map {
        $1.date.timeIntervalSince($0.date)
      }
      #expect(waits == delays)
    }
    let lume = OutboxProcessorService.Configuration.lume
    #expect(lume.retryDelays == BackoffPolicy.lume && lume.processingInterval == 30)
  }

  @Test func `jitter makes delays longer, by at most its part, and not all alike`() async throws {
    var waits: Set<TimeInterval> = []
    for _ in 0..<8 {
      let recorder = Recorder(clock) { _, _ in throw Refused() }
      let processor = await processor(
        list(events(1)), recorder, .init(retryDelays: [40], jitter: 0.5))
      let work = Task { await processor.processAll(waiting: 65) }
      await clock.advance(by: 70, for: processor)
      await work.value
      let calls = recorder.calls
      try #require(calls.count == 2)
      waits.insert(calls[1].date.timeIntervalSince(calls[0].date))
    }
    #expect(waits.allSatisfy { (40...60).contains($0) } && waits.count > 1)
  }

  @Test func `users take turns, however many events one of them has`() async throws {
    func event(_ user: String, _ age: Double, _ priority: Int = 0) -> OutboxEvent {
      OutboxEvent(
        eventType: .goal, entityID: UUID(), userID: user,
        createdAt: clock.now.addingTimeInterval(-age), priority: priority)
    }
    let busy = (0..<40).map { event("A", 1_000 - Double($0)) }
    let others = [event("B", 5), event("B", 4), event("C", 3), event("C", 2, 7)]
    let list = list(busy + others)
    let recorder = Recorder(clock)
    let configuration = OutboxProcessorService.Configuration(
      batchSize: 4, maxConcurrentOperations: 1)
    let processor = await processor(list, recorder, configuration)
    await processor.startProcessing(forUserID: nil)
    await clock.advance(by: 1, for: processor)
    await processor.stopAndWait()
    let first = [others[3], busy[0], others[0], others[2], busy[1], others[1], busy[2]]
    #expect(Array(recorder.calls.map(\.id).prefix(7)) == first.map(\.id))
    #expect(recorder.calls.count == 44)
  }

  @Test func `two events about one entity are never under way together`() async throws {
    let entity = UUID()
    let events = (0..<6).map { place in
      OutboxEvent(
        eventType: .goal, entityID: place < 4 ? entity : UUID(), userID: "U",
        createdAt: clock.now.addingTimeInterval(Double(place)))
    }
    let list = list(events)
    let recorder = Recorder(clock) { [clock] _, _ in try await clock.sleep(for: 0.01) }
    await run(await processor(list, recorder), for: 1)
    #expect(!recorder.hadTwoOfOneEntity)
    #expect(recorder.calls.count == 6)
    let ofEntity = recorder.calls.map(\.id).filter { id in
      events.prefix(4).contains { $0.id == id }
    }
    #expect(ofEntity == events.prefix(4).map(\.id))
  }

  @Test func `delivered events are removed when they are a day old`() async throws {
    let list = list(events(3))
    let processor = await processor(list, Recorder(clock), .init(processingInterval: 300))
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: 86_000, for: processor)
    #expect(await list.events.count == 3)
    await clock.advance(by: 1_000, for: processor)
    #expect(await list.events.isEmpty)
    await processor.stopAndWait()
  }

  @Test func `all is sent at once, with the retries that come up in time`() async throws {
    let list = list(events(40))
    let failing = await list.events[7].id
    let recorder = Recorder(clock) { event, number in
      if event.id == failing && number < 4 { throw Refused() }
    }
    let processor = await processor(list, recorder)
    let work = Task { await processor.processAll(waiting: 20) }
    await clock.advance(by: 100, for: processor)
    await work.value
    #expect(await list.events.count { $0.status == .completed } == 39)
    // After the waits of 1 and 5 seconds, the one of 30 is too long.
    #expect(recorder.calls.count { $0.id == failing } == 3)
  }

  // The success criteria of the seeds.

  @Test func `all events are processed, and none is stale after ten minutes`() async throws {
    let list = list(events(300))
    let seed = printedSeed()
    let random = Mutex(SeededGenerator(seed: seed))
    let recorder = Recorder(clock) { [clock] _, number in
      let (seconds, fails) = random.withLock { random in
        (Double.random(in: 0.01...0.5, using: &random), Int.random(in: 0..<10, using: &random) == 0)
      }
      try await clock.sleep(for: seconds)
      if fails && number < 4 { throw Refused() }
    }
    await run(await processor(list, recorder, .init(processingInterval: 1)), for: 600)
    let statistics = await list.getStatistics(forUserID: "U")
    #expect(statistics.completedCount == 300, "seed \(seed)")
    #expect(statistics.staleCount == 0)
    #expect(statistics.successRate > 99)
    #expect(!statistics.hasIssues)
  }

  @Test func `an urgent event is sent within a second, however many wait`() async throws {
    let list = list(events(500))
    let recorder = Recorder(clock) { [clock] _, _ in try await clock.sleep(for: 0.4) }
    let processor = await processor(
      list, recorder, .init(processingInterval: 30, drainTime: 0))
    await processor.startProcessing(forUserID: "U")
    await clock.advance(by: 5, for: processor)
    let urgent = await list.createEvent(
      eventType: .moodEntry, entityID: UUID(), userID: "U", isNewRecord: true, metadata: nil,
      priority: 10)
    await processor.triggerImmediateProcessing()
    await clock.advance(by: 1, for: processor)
    let event = await list.fetchEvent(byID: urgent.id)
    #expect(event?.status == .completed)
    #expect(await list.events.count { $0.status == .pending } > 400)
    await processor.stopAndWait()
  }
}
