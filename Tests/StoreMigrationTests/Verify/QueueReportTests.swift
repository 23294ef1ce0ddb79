import OutboxFormat
import SQLite
import StoreMigration
import TestSupport
import Testing

/// The forecast that `verify` makes of a queue.
@Suite struct QueueReportTests {
  @Test(arguments: ["V3", "V6", "V9", "V11"])
  func `a forecast of FitIQ's queue accounts for every row`(version: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, of: "FitIQ", rows: 150, seed: 3, in: folder)
    let before = try fingerprint(of: folder)
    let queue = try #require(
      try bundledMigrator().verify(path, forecastsQueue: true).queue)
    #expect(try fingerprint(of: folder) == before)
    let outbox = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let open = outbox.filter { $0["ZSTATUS"] != "completed" }
    #expect(queue.open == Int64(open.count))
    let taken = open.filter { row in
      row["ZSTATUS"] == "pending"
        || (row["ZSTATUS"] == "failed"
          && (row["ZATTEMPTCOUNT"]?.int64 ?? 0) < (row["ZMAXATTEMPTS"]?.int64 ?? 0))
    }
    #expect(queue.steps.values.reduce(0, +) == Int64(taken.count))
    let order = taken.sorted {
      (-($0["ZPRIORITY"]?.int64 ?? 0), $0["ZCREATEDAT"]?.double ?? 0)
        < (-($1["ZPRIORITY"]?.int64 ?? 0), $1["ZCREATEDAT"]?.double ?? 0)
    }
    #expect(queue.batch.map { .integer($0.key) } == order.prefix(10).map { $0["Z_PK"] })
  }

  @Test func `a store without such a queue is refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().verify(path, forecastsQueue: true)
    }
    #expect(error?.exitStatus == .misuse)
  }
}
