import Foundation
@testable import OutboxCore
@testable import OutboxStore
import SQLite
import StoreFormat
import OutboxTesting
import TestSupport
import Testing

@Suite struct StoreOutboxRepositoryTests {
  @Test func `the server's id is written with the mark that the event is completed`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V11", rows: 60, in: folder)
    let store = try StoreOutboxRepository.open(path)
    let event = try await store.addSyncTest(forUserID: nil)
    try await store.markAsProcessing(event.id)
    await store.noteAccepted(event, backendID: "server-1")
    #expect(try await store.backendID(ofEntityOf: event) == nil)
    // Marks that other events get don't write it, and neither does another process.
    let other = try #require(try await store.fetchPendingEvents(forUserID: nil, limit: 1).first)
    try await store.markAsProcessing(other.id)
    try await store.markAsCompleted(other.id)
    #expect(try await store.backendID(ofEntityOf: event) == nil)
    try await store.markAsCompleted(event.id)
    #expect(try await store.backendID(ofEntityOf: event) == "server-1")
    await #expect(throws: OutboxError.alreadyProcessing(other.id)) {
      try await store.markAsProcessing(other.id)
      try await store.markAsProcessing(other.id)
    }
    await #expect(throws: OutboxError.self) { try await store.markAsCompleted(UUID()) }
  }

  private static let versions = [
    ("fitiq", "V3"), ("fitiq", "V3@guide"), ("fitiq", "V7"), ("fitiq", "V9"), ("fitiq", "V11"),
    ("lume", "V7"),
  ]

  @Test(arguments: versions)
  func `a store's outbox does what a list does`(app: String, version: String) async throws {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    let path = try makeStore(app, version, rows: 60, seed: seed, in: folder)
    let hand = Hand(Date(timeIntervalSinceReferenceDate: 780_000_000))
    let store = try StoreOutboxRepository.open(path, now: { hand.now })
    let list = ListRepository(
      try storedEvents(path), rules: app == "lume" ? .lume : .fitIQ, now: { hand.now })
    var random = SeededGenerator(seed: seed)
    for step in 0..<120 {
      hand.advance(by: Double.random(in: 0...400, using: &random))
      let operation = await RepositoryOperation(&random, list)
      let outcome = try await operation.both(store, list)
      #expect(outcome.store == outcome.list, "seed \(seed), step \(step): \(operation)")
    }
    let events = await list.events
    #expect(try storedEvents(path) == events, "seed \(seed)")
    #expect(try findings(of: path) == [])
  }

  @Test func `rows that can't be read are reported and hide no others`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("lume", "V7", rows: 40, in: folder)
    let table = "ZSDOUTBOXEVENT"
    let spoils = [
      "ZID = x'00'", "ZID = NULL", "ZEVENTTYPE = 'mood.created'", "ZEVENTTYPE = NULL",
      "ZENTITYID = 'text'", "ZUSERID = NULL", "ZSTATUS = 'given up'", "ZCREATEDAT = 'today'",
      "ZATTEMPTCOUNT = NULL", "ZMAXATTEMPTS = 'five'", "ZPRIORITY = x'01'", "ZISNEWRECORD = NULL",
      "ZCOMPLETEDAT = 'now'", "ZLASTATTEMPTAT = x'00'", "ZERRORMESSAGE = x'00'",
      "ZMETADATA = x'7B7D'",
    ]
    for (place, spoil) in spoils.enumerated() {
      // They would come first in the queue.
      try edit(
        path, "UPDATE \(table) SET ZPRIORITY = 99, ZSTATUS = 'pending' WHERE Z_PK = \(place + 1)")
      try edit(path, "UPDATE \(table) SET \(spoil) WHERE Z_PK = \(place + 1)")
    }
    let repository = try StoreOutboxRepository.open(path)
    let unreadable = try await repository.unreadableRows()
    #expect(unreadable.map(\.key) == Array(1...Int64(spoils.count)))
    #expect(unreadable.allSatisfy { $0.event == nil && $0.problems.count == 1 })
    #expect(unreadable[2].problems == [.eventType])
    let rest = try storedEvents(path).filter { $0.shouldProcess && $0.priority < 99 }
    let fetched = try await repository.fetchPendingEvents(forUserID: nil, limit: 5)
    #expect(fetched.count == 5 && Set(fetched.map(\.id)).isSubset(of: rest.map(\.id)))
    #expect(try await repository.getStatistics(forUserID: nil).totalEvents == 40)
  }

  @Test func `whether a row is an event is the same in SQL and in Swift`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V11", rows: 200, in: folder)
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    let columns = OutboxTable.Attribute.allCases.map { "Z" + $0.rawValue.uppercased() }
    let values = [
      "NULL", "1", "1.5", "'pending'", "'goal'", "x'00'", "randomblob(16)", "''", "'1'",
      "9223372036854775807", "-1", "'{}'",
    ]
    for key in 1...200 where Bool.random(using: &random) {
      let (column, value) = (
        columns.randomElement(using: &random) ?? "", values.randomElement(using: &random) ?? ""
      )
      try edit(path, "UPDATE ZSDOUTBOXEVENT SET \(column) = \(value) WHERE Z_PK = \(key)")
    }
    let connection = try Connection(path: path, mode: .readOnly)
    let table = try OutboxTable(StoreDescription(reading: connection))
    let rows = try table.rows(limit: 1_000, connection)
    let inSwift = rows.filter { $0.event == nil }.map(\.key)
    let inSQL = try table.unreadableRows(limit: 1_000, connection).map(\.key)
    #expect(rows.count == 200)
    #expect(inSwift == inSQL, "seed \(seed)")
    #expect(try table.unreadableCount(connection) == inSQL.count)
  }

  @Test func `a new row takes the next key, and every change is counted`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V11", rows: 10, in: folder)
    try edit(path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 41 WHERE Z_NAME = 'SDOutboxEvent'")
    let repository = try StoreOutboxRepository.open(path)
    let event = try await repository.createEvent(
      eventType: .workout, entityID: UUID(), userID: "U", isNewRecord: true,
      metadata: .workout(type: "running", duration: 60), priority: 3)
    try await repository.markAsProcessing(event.id)
    try await repository.markAsFailed(event.id, error: "no")
    let connection = try Connection(path: path, mode: .readOnly)
    let row = try connection.rows(
      """
      SELECT Z_PK, Z_OPT, Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'SDOutboxEvent'),
      (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'SDOutboxEvent')
      FROM ZSDOUTBOXEVENT ORDER BY Z_PK DESC LIMIT 1
      """)
    #expect(row == [[42, 3, 1, 42]])
    // A highest key that lags behind is no reason to give a key twice.
    try edit(path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'SDOutboxEvent'")
    _ = try await repository.createEvent(
      eventType: .workout, entityID: UUID(), userID: "U", isNewRecord: true, metadata: nil,
      priority: 0)
    #expect(try connection.value("SELECT max(Z_PK) FROM ZSDOUTBOXEVENT") == 43)
  }

  @Test func `metadata that nobody can read survives an update`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V3", rows: 10, in: folder)
    let texts = [#"{"type":"weight","quantity":70}"#, #"{"moodEntry":{"valence":1,"labels":[]}}"#]
    for (place, text) in texts.enumerated() {
      try edit(path, "UPDATE ZSDOUTBOXEVENT SET ZMETADATA = '\(text)' WHERE Z_PK = \(place + 1)")
    }
    let repository = try StoreOutboxRepository.open(path)
    let connection = try Connection(path: path, mode: .readOnly)
    for place in texts.indices {
      var event = try storedEvents(path)[place]
      event.priority == 0 ? event.markAsProcessing() : event.markAsCompleted()
      try await repository.updateEvent(event)
      #expect(
        try connection.value("SELECT ZMETADATA FROM ZSDOUTBOXEVENT WHERE Z_PK = \(place + 1)")
          == .text(texts[place]))
    }
    var event = try storedEvents(path)[1]
    event.metadata = .generic(["a": "b"])
    try await repository.updateEvent(event)
    #expect(try storedEvents(path)[1].metadata == .generic(["a": "b"]))
  }

  @Test(arguments: [("lume", "V6"), ("fitiq", "V2"), ("lume", "V7@plan")])
  func `a store without FitIQCore's outbox is refused, with what to do`(
    app: String, version: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(app, version, rows: 3, in: folder)
    guard version == "V7@plan" else {
      let error = #expect(throws: OutboxError.self) { try StoreOutboxRepository.open(path) }
      #expect(error?.description.contains("migrate it to a version with") == true)
      return
    }
    _ = try StoreOutboxRepository.open(path)
  }

  @Test func `a repository for reading only reads, and refuses to write`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("fitiq", "V11", rows: 30, in: folder)
    let before = try Data(contentsOf: URL(filePath: path))
    let repository = try StoreOutboxRepository.open(path, isReadOnly: true)
    let events = try await repository.fetchPendingEvents(forUserID: nil, limit: 3)
    #expect(events.count == 3)
    #expect(try await repository.verify() == StoreOutboxRepository.open(path).verify())
    await #expect(throws: OutboxError.readOnly) {
      try await repository.markAsProcessing(events[0].id)
    }
    await #expect(throws: OutboxError.readOnly) { try await repository.reset(forUserID: "U") }
    await #expect(throws: OutboxError.readOnly) { try await repository.checkpoint() }
    await repository.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a closed repository says so, and leaves no lock and no log`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("lume", "V7", rows: 30, in: folder)
    let repository = try StoreOutboxRepository.open(path, isAlone: true)
    try await repository.deleteAllEvents(forUserID: "nobody")
    await repository.close()
    await repository.close()
    await #expect(throws: OutboxError.closed) { try await repository.getStatistics(forUserID: nil) }
    await #expect(throws: OutboxError.closed) { try await repository.deleteEvent(UUID()) }
    _ = try StoreOutboxRepository.open(path, isAlone: true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  private func findings(of path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    let store = try StoreDescription(reading: connection)
    let model = try #require(store.cachedModel)
    return try RowCheck(store, model: model).findings(connection).map(\.message)
  }
}
