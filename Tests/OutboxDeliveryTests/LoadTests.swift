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
@Suite(.serialized) struct LoadTests {
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
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    guard let time else {
      ended.wait()
      return false
    }
    let wait = DispatchTime.now() + .milliseconds(Int(time / .milliseconds(1)))
    if ended.wait(timeout: wait) == .success { return false }
    kill(process.processIdentifier, SIGKILL)
    ended.wait()
    return true
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
      let time = Duration.milliseconds(Int.random(in: 100...3_000, using: &random))
      if try deliver(to: server.address, killingAfter: runs % 4 == 0 ? nil : time) { kills += 1 }
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

  /// Creates urgent events while all others are sent, and returns how long each took to be accepted.
  ///
  /// They are about moods that no other event is about.
  private func urgentLatencies(
    _ count: Int, _ server: LoopbackServer
  ) async throws -> [Duration] {
    let moods = try query(store, "SELECT ZID FROM ZSDMOODENTRY ORDER BY Z_PK DESC LIMIT \(count)")
    let repository = try StoreOutboxRepository.open(store)
    let client = try HTTPClient(baseURL: server.address, connections: 16)
    let ends = Guarded<[UUID: ContinuousClock.Instant]>([:])
    let processor = OutboxProcessorService(
      repository: repository,
      configuration: .init(
        batchSize: 500, maxConcurrentOperations: 16, retryDelays: [0.05, 0.1, 0.2])
    ) { event, outcome in
      if outcome == .delivered { ends.withLock { $0[event.id] = .now } }
    }
    await processor.registerHandler(
      BackendEventHandler(
        HTTPBackend(BackendConnection(client, tokens: nil)), repository, DeliveryTally(open: 0)))
    await processor.startProcessing(forUserID: nil)
    var starts: [UUID: ContinuousClock.Instant] = [:]
    for mood in moods.compactMap({ $0[0] }).compactMap(UUID.init(uuidString:)) {
      let start = ContinuousClock.now
      let event = try await repository.createEvent(
        eventType: .moodEntry, entityID: mood, userID: "user-0", isNewRecord: false, metadata: nil,
        priority: 10)
      starts[event.id] = start
      await processor.triggerImmediateProcessing()
      try await Task.sleep(for: .milliseconds(20))
    }
    let urgent = Set(starts.keys)
    for _ in 0..<3_000 where !urgent.isSubset(of: ends.withLock { Set($0.keys) }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    await processor.stopAndWait()
    let ended = ends.withLock { $0 }
    return starts.map { id, start in ended[id].map { $0 - start } ?? .seconds(3_600) }.sorted()
  }

  @Test func `urgent events don't wait for the others`() async throws {
    try prepare()
    let seed = printedSeed()
    let server = try LoopbackServer(["--faults", "20", "--seed", "\(seed % 1_000_000)"])
    let latencies = try await urgentLatencies(Self.load == nil ? 20 : 500, server)
    let (half, most) = (latencies[latencies.count / 2], latencies[latencies.count * 99 / 100])
    print("seed \(seed): half of \(latencies.count) events within \(half), 99 % within \(most)")
    // An event whose attempts are used up has no end. Of 1,000 there is less than one.
    #expect(latencies.count { $0 > .seconds(600) } <= latencies.count / 20)
    if Self.load != nil { #expect(most < .seconds(1)) }
  }
}
