import Foundation
import OutboxCore
import OutboxStore
import Platform
import SQLite
import TestSupport
import Testing

@testable import OutboxDelivery

/// A delivery of many events of four users, to a server with faults, by processes that are killed.
///
/// `make load` delivers 100,000 events, and kills more often. Only then, times are compared with limits.
@Suite(.serialized, .ownThread) struct LoadTests {
  /// The number of events.
  private static let count = load ?? 600

  /// The number that `make load` gives; `nil` if the time doesn't count.
  private static let load =
    ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_LOAD"].flatMap { Int($0) }

  private let folder: TemporaryDirectory
  private let store: String

  init() throws {
    folder = try TemporaryDirectory()
    store = try makeStore("Lume", "V7", rows: Self.count, in: folder)
  }

  /// Makes every event pending, about one of the moods, by one of four users, none of them a delete.
  ///
  /// All events about a mood are of one user: users take turns, whatever the dates of their events.
  /// Each mood gets about four events, with other dates than the order of the keys.
  private func prepare() throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.execute(
      """
      CREATE TEMP TABLE moods AS SELECT row_number() OVER (ORDER BY Z_PK) AS place, ZID
      FROM ZSDMOODENTRY ORDER BY Z_PK LIMIT \(Self.count / 4);
      CREATE UNIQUE INDEX temp.places ON moods (place);
      UPDATE ZSDOUTBOXEVENT SET ZEVENTTYPE = 'moodEntry', ZSTATUS = 'pending', ZATTEMPTCOUNT = 0,
      ZMETADATA = NULL, ZCOMPLETEDAT = NULL, ZLASTATTEMPTAT = NULL, ZISNEWRECORD = 0,
      ZPRIORITY = 5, ZCREATEDAT = 700000000 + (Z_PK * 7919) % 1000003,
      ZUSERID = 'user-' || ((Z_PK * 31) % (SELECT count(*) FROM moods) % 4), ZENTITYID = (SELECT ZID FROM moods
      WHERE place = 1 + (ZSDOUTBOXEVENT.Z_PK * 31) % (SELECT count(*) FROM moods))
      """)
  }

  /// Runs the program until it ends, or kills it after a time; returns whether it was killed.
  private func deliver(to address: String, killingAfter time: Duration?) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: try #require(builtPrograms) + "/outbox-deliver")
    process.arguments = [job(store, address, atOnce: 16, patience: 0)]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = time.map { ContinuousClock.now + $0 }
    var isKilled = false
    while process.isRunning {
      if let end, !isKilled, ContinuousClock.now >= end {
        kill(process.processIdentifier, SIGKILL)
        isKilled = true
      }
      Thread.sleep(forTimeInterval: 0.001)
    }
    return isKilled
  }

  @Test func `every event is accepted once, in the order of its entity`() throws {
    try prepare()
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    let server = try LoopbackServer(["--faults", "20", "--seed", "\(seed % 1_000_000)"])
    var (runs, kills) = (0, 0)
    let start = ContinuousClock.now
    let open = "SELECT count(*) FROM ZSDOUTBOXEVENT WHERE ZSTATUS <> 'completed'"
    while try query(store, open) != [["0"]] {
      runs += 1
      try #require(runs < 100 + Self.count / 100, "seed \(seed): the events aren't delivered")
      let range = Self.load == nil ? 100...3_000 : 1_000...5_000
      let time = Duration.milliseconds(Int.random(in: range, using: &random))
      let isKilled = Self.load != nil || runs % 4 != 0
      if try deliver(to: server.address, killingAfter: isKilled ? time : nil) { kills += 1 }
      // So much time passes between two runs that all retries are due.
      try Connection(path: store, mode: .readWrite).execute(
        "UPDATE ZSDOUTBOXEVENT SET ZLASTATTEMPTAT = ZLASTATTEMPTAT - 1000")
    }
    let share = server.processorTime / (ContinuousClock.now - start)
    print(
      "seed \(seed): \(Self.count) events, \(runs) runs, \(kills) of them killed,",
      "server busy for \(Int(share * 100)) %")
    if Self.load != nil { #expect(share < 0.9, "the server is the limit") }

    let events = try query(
      store, "SELECT ZID, ZENTITYID FROM ZSDOUTBOXEVENT ORDER BY ZPRIORITY DESC, ZCREATEDAT, Z_PK")
    let accepted = try server.log().filter { $0.line["accepted"] as? Bool == true }
      .map { $0.request.key }
    #expect(accepted.count == Self.count, "seed \(seed): each is accepted once")
    #expect(Set(accepted) == Set(events.compactMap { $0[0] }), "seed \(seed): none is lost")
    var entities: [String: String] = [:]
    for event in events { entities[event[0] ?? ""] = event[1] }
    let sent = Dictionary(grouping: accepted) { entities[$0] ?? "" }
    let queued = Dictionary(grouping: events.compactMap { $0[0] }) { entities[$0] ?? "" }
    let reordered = queued.filter { $0.value != sent[$0.key, default: []] }
    #expect(reordered.count == 0, "seed \(seed): \(reordered.count) of \(queued.count) entities")
    #expect(queued.values.contains { $0.count > 1 })
  }

  /// Notes when each event is sent first, and when it is accepted.
  private struct TimedBackend: OutboxBackend {
    struct Times {
      var sent: [UUID: ContinuousClock.Instant] = [:]
      var accepted: [UUID: ContinuousClock.Instant] = [:]
    }

    let backend: HTTPBackend
    let times = Guarded(Times())

    func send(_ request: BackendRequest) async throws -> String? {
      times.withLock { $0.sent[request.key] = $0.sent[request.key] ?? .now }
      let id = try await backend.send(request)
      times.withLock { $0.accepted[request.key] = .now }
      return id
    }
  }

  /// Creates urgent events while all others are sent, and returns when each was created.
  ///
  /// They are about moods that no other event is about. Waits until all are accepted, at most 30 s.
  private func createUrgent(
    _ count: Int, _ backend: TimedBackend
  ) async throws -> [UUID: ContinuousClock.Instant] {
    let moods = try query(store, "SELECT ZID FROM ZSDMOODENTRY ORDER BY Z_PK DESC LIMIT \(count)")
    let repository = try StoreOutboxRepository.open(store)
    let processor = OutboxProcessorService(
      repository: repository,
      configuration: .init(
        batchSize: 200, processingInterval: 1, maxConcurrentOperations: 16,
        retryDelays: [0.05, 0.1, 0.2]))
    await processor.registerHandler(
      BackendEventHandler(backend, repository, DeliveryTally(open: 0)))
    await processor.startProcessing(forUserID: nil)
    var created: [UUID: ContinuousClock.Instant] = [:]
    for mood in moods.compactMap({ $0[0] }).compactMap(UUID.init(uuidString:)) {
      let start = ContinuousClock.now
      let event = try await repository.createEvent(
        eventType: .moodEntry, entityID: mood, userID: "user-0", isNewRecord: false, metadata: nil,
        priority: 10)
      created[event.id] = start
      await processor.triggerImmediateProcessing()
      try await Task.sleep(for: .milliseconds(Self.load == nil ? 10 : 200))
    }
    let urgent = Set(created.keys)
    for _ in 0..<3_000 where !urgent.isSubset(of: backend.times.withLock { $0.accepted.keys }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    await processor.stopAndWait()
    return created
  }

  @Test func `urgent events don't wait for the others`() async throws {
    try prepare()
    let seed = printedSeed()
    let server = try LoopbackServer(["--faults", "20", "--seed", "\(seed % 1_000_000)"])
    let client = try HTTPClient(baseURL: server.address, connections: 16)
    let backend = TimedBackend(backend: HTTPBackend(BackendConnection(client, tokens: nil)))
    let created = try await createUrgent(Self.load == nil ? 20 : 300, backend)
    let times = backend.times.withLock { $0 }
    func latencies(_ ends: [UUID: ContinuousClock.Instant]) -> [Duration] {
      created.compactMap { id, start in ends[id].map { $0 - start } }.sorted()
    }
    let (sent, accepted) = (latencies(times.sent), latencies(times.accepted))
    #expect(sent.count == created.count)
    // The attempts of an event can be used up, which happens to less than one of 1,000.
    #expect(accepted.count >= created.count * 9 / 10)
    func share(_ percent: Int, of times: [Duration]) -> Duration {
      times[max(0, (times.count * percent + 99) / 100 - 1)]
    }
    print(
      "seed \(seed): \(sent.count) urgent events among \(Self.count), half of them sent within",
      "\(share(50, of: sent)), 99 % within \(share(99, of: sent)),",
      "accepted within \(share(50, of: accepted)) and \(share(99, of: accepted))")
    // A retry waits for its delay, which is the caller's choice.
    if Self.load != nil { #expect(share(99, of: sent) < .seconds(1)) }
  }
}
