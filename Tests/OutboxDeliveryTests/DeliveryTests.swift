import OutboxFormat
import OutboxCore
import Foundation
import Platform
import SQLite
import StoreMigration
import TestSupport
import Testing

@testable import OutboxDelivery
import Migrations
import OutboxConversion
import StoreProof

@Suite(.ownThread) struct DeliveryTests {
  private func deliver(
    _ store: String, to server: LoopbackServer, patience: Double = 20
  ) async throws -> DeliverySummary {
    let summary = try await DeliveryJob(
      parsing: job(store, server.address, patience: patience)
    ).run()
    return try #require(summary)
  }

  /// Sleeps without giving up the thread.
  ///
  /// The processes that the test waits for don't need the thread, and other tests could delay this
  /// one.
  private func pause() { usleep(5_000) }

  /// Creates a Lume V6 store and migrates it to the rows that V7 uploads.
  private func deliverable(
    rows: Int, seed: UInt64, in folder: TemporaryDirectory
  ) throws -> String {
    let path = try makeStore("Lume", "V6", rows: rows, seed: seed, in: folder)
    let migrator = StoreMigrator(catalog: Catalog.bundled)
    _ = try migrator.apply(to: path, MigrationRequest(rows: .deliverable))
    return path
  }

  @Test func `every deliverable event of V6 arrives once, as the request that V7 sends`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let seed = printedSeed()
    let path = try deliverable(rows: 200, seed: seed, in: folder)
    let migrator = StoreMigrator(catalog: Catalog.bundled)
    let forecast = try #require(try migrator.verify(path, forecastsQueue: true).queue)
    let open = try query(
      path,
      """
      SELECT ZID, ZENTITYID, ZISNEWRECORD FROM ZSDOUTBOXEVENT
      WHERE ZSTATUS IN ('pending', 'failed')
      """)
    var synced = Set(
      try query(
        path,
        """
        SELECT ZID FROM ZSDMOODENTRY WHERE ZBACKENDID IS NOT NULL UNION
        SELECT ZID FROM ZSDJOURNALENTRY WHERE ZBACKENDID IS NOT NULL UNION
        SELECT ZID FROM ZSDGOAL WHERE ZBACKENDID IS NOT NULL
        """
      ).compactMap { $0[0] })
    let server = try LoopbackServer()
    let summary = try await deliver(path, to: server, patience: 86_400)
    let log = try server.log()
    let deletes = log.count { $0.request.method == "DELETE" }
    #expect(deletes == Int(forecast.steps[.delete, default: 0]), "seed \(seed)")
    for entry in log where entry.request.method != "DELETE" {
      let event = try #require(open.first { $0[0] == entry.request.key })
      let entity = try #require(event[1])
      // Events after the one that created the entity update it.
      let isCreate = event[2] == "1" || !synced.contains(entity)
      #expect(entry.request.method == (isCreate ? "POST" : "PUT"), "seed \(seed)")
      synced.insert(entity)
    }
    let unsent = Int(forecast.steps[.completed, default: 0])
    #expect(log.count == open.count - unsent && open.count > 20, "seed \(seed)")
    #expect(Set(log.map(\.request.key)).count == log.count)
    #expect(Set(log.map(\.request.key)).isSubset(of: open.map { $0[0] }))
    #expect(summary.statistics.completedCount == summary.statistics.totalEvents)
    #expect(summary.statistics.failedCount == 0)

    for entry in log where entry.request.path.hasPrefix("/api/v1/moods") {
      guard let body = entry.line["body"] as? [String: Any] else { continue }
      let event = try #require(open.first { $0[0] == entry.request.key })
      #expect(body["id"] as? String == event[1])
      let mood = try query(
        path, "SELECT hex(ZID), ZVALENCE, ZBACKENDID, ZSOURCE, ZNOTES FROM ZSDMOODENTRY")
      let id = try #require(event[1]?.replacing("-", with: ""))
      let row = try #require(mood.first { $0[0] == id })
      #expect((body["valence"] as? Double) == row[1].flatMap(Double.init))
      #expect(body["source"] as? String == row[3])
      #expect(body["notes"] as? String == row[4])
      // The ID in the server's response is now the entity's.
      if entry.request.method == "PUT" {
        #expect(entry.request.path == "/api/v1/moods/\(row[2] ?? "")")
      } else {
        #expect(row[2] != nil)
      }
    }
    // Delivered events aren't sent again.
    let again = try await deliver(path, to: server)
    #expect(again.counts.delivered.isEmpty)
    #expect(try server.requests().count == log.count)
  }

  @Test func `events of FitIQ go where they belong`() async throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("FitIQ", "V11", rows: 200, in: folder)
    let server = try LoopbackServer()
    let summary = try await deliver(path, to: server, patience: 0)
    let log = try server.log()
    #expect(log.allSatisfy { $0.request.status < 300 })
    let templates = log.filter {
      $0.request.method == "POST" && $0.request.path == "/api/v1/workout-templates"
    }
    let body = try #require(templates.first?.line["body"] as? [String: Any])
    #expect(body["name"] is String && body["exercises"] is [[String: Any]])
    #expect(body["id"] == nil)
    #expect(summary.counts.delivered[.sleepSession, default: 0] > 0)
    #expect(summary.counts.delivered[.progressEntry, default: 0] > 0)
    // Events that no app sends stay as they are, and the summary says why.
    let unsent = try query(
      path,
      """
      SELECT count(*) FROM ZSDOUTBOXEVENT
      WHERE ZEVENTTYPE LIKE 'profile%' AND (ZSTATUS = 'pending'
      OR ZSTATUS = 'failed' AND ZATTEMPTCOUNT < ZMAXATTEMPTS)
      """)
    let reasons = summary.counts.reasons.filter { $0.key.contains("no handler for events") }
    #expect(reasons.values.reduce(0, +) == Int(unsent[0][0] ?? "") && !reasons.isEmpty)
    let synced = try query(
      path,
      """
      SELECT count(*) FROM ZSDWORKOUTTEMPLATE WHERE ZSYNCSTATUS = 'synced' AND ZBACKENDID IS NOT NULL
      """)
    #expect(Int(synced[0][0] ?? "")! > 0)
  }

  @Test func `what fails or gets lost goes out again under the same id`() async throws {
    let folder = try TemporaryDirectory()
    let path = try deliverable(rows: 60, seed: 5, in: folder)
    let server = try LoopbackServer(["--drop", "2", "--fail", "3", "--delay", "0.01"])
    // Other tests may delay this one for a while.
    let summary = try await deliver(path, to: server, patience: 86_400)
    #expect(summary.counts.failedAttempts == 5)
    #expect(
      summary.statistics.failedCount + summary.statistics.pendingCount == 0,
      "\(summary.counts.reasons)")
    let requests = try server.requests()
    let answered = requests.filter { $0.status == 200 || $0.status == 201 }
    #expect(Set(requests.map(\.key)).count == answered.count)
    #expect(requests.count == answered.count + 5)
  }

  @Test func `a server that isn't there costs no attempt`() async throws {
    let folder = try TemporaryDirectory()
    let path = try deliverable(rows: 30, seed: 2, in: folder)
    let before = try query(path, "SELECT ZID, ZSTATUS FROM ZSDOUTBOXEVENT ORDER BY Z_PK")
    let summary = try #require(
      try await DeliveryJob(parsing: job(path, "http://127.0.0.1:1", patience: 0)).run())
    #expect(summary.counts.delivered[.moodEntry] == nil && summary.counts.failedAttempts == 0)
    #expect(summary.counts.reasons.keys.allSatisfy { $0.contains("can't be reached") })
    let after = try query(path, "SELECT ZID, ZSTATUS FROM ZSDOUTBOXEVENT ORDER BY Z_PK")
    #expect(after.filter { $0[1] != "completed" } == before.filter { $0[1] != "completed" })
  }

  @Test func `killed between sending and marking, it sends again under the same id`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let path = try deliverable(rows: 120, seed: 7, in: folder)
    let gate = folder.path("gate")
    func answer(_ count: Int) throws {
      try String(count).write(toFile: gate, atomically: true, encoding: .utf8)
    }
    try answer(0)
    let server = try LoopbackServer(["--gate", gate])
    let program = try #require(builtPrograms) + "/outbox-deliver"
    let total = try query(
      path,
      """
      SELECT count(*) FROM ZSDOUTBOXEVENT WHERE ZSTATUS <> 'completed'
      AND (ZMETADATA NOT LIKE '%"delete"%' OR ZMETADATA LIKE '%Id"%')
      """)
    for cut in [2, 7, 13] {
      // The server receives more requests than it responds to, and is stopped.
      try answer(cut)
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = [job(path, server.address, timeout: 300)]
      process.standardOutput = FileHandle.nullDevice
      try process.start()
      while try server.requests().count <= cut, process.isRunning { pause() }
      kill(process.processIdentifier, SIGKILL)
      while process.isRunning { pause() }
      #expect(process.terminationReason == .uncaughtSignal)
    }
    let left = try query(
      path, "SELECT ZID FROM ZSDOUTBOXEVENT WHERE ZSTATUS = 'processing'")
    #expect(!left.isEmpty)
    try answer(1_000_000)
    let last = Process()
    last.executableURL = URL(filePath: program)
    last.arguments = [job(path, server.address, atOnce: 8, patience: 86_400)]
    last.standardOutput = FileHandle.nullDevice
    try last.start()
    while last.isRunning { pause() }
    #expect(last.terminationStatus == 0)

    let requests = try server.requests()
    let repeated = requests.filter(\.repeated)
    #expect(!repeated.isEmpty)
    #expect(Set(left.compactMap { $0[0] }).isSubset(of: requests.map(\.key)))
    // The server knows each event once, even if it was sent several times.
    let first = requests.filter { !$0.repeated }
    #expect(Set(requests.map(\.key)).count == first.count)
    #expect(Set(requests.map(\.key)).count == Int(total[0][0] ?? ""))
    let open = try query(path, "SELECT 1 FROM ZSDOUTBOXEVENT WHERE ZSTATUS <> 'completed'")
    #expect(open.isEmpty)
  }
}
