import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import StoreProof

@Suite struct FitIQMigrationTests {
  @Test(arguments: sample(4, of: Array(1...10)))
  func `every version becomes V11 as the obvious implementation has it`(version: Int) throws {
    for (users, seed) in [(0, UInt64(3)), (1, 77), (3, 2001)] {
      let folder = try TemporaryDirectory()
      let path = try makeStore(
        "V\(version)", of: "FitIQ", rows: 40, seed: seed, users: users, in: folder)
      var reference = FitIQReference(store: try EntityRows(of: path))
      reference.migrate(from: version)
      let report = try bundledMigrator().apply(
        to: path, MigrationRequest(acceptedLosses: ["all"]))
      let migrated = try EntityRows(of: path)
      let differences = migrated.differences(from: reference.store)
      #expect(differences.isEmpty, "V\(version), seed \(seed), \(users) users: \(differences)")
      let losses = Dictionary(uniqueKeysWithValues: report.losses.map { ($0.step, Int($0.rows)) })
      #expect(losses == reference.losses, "V\(version), seed \(seed), \(users) users")
      let verified = try bundledMigrator().verify(path)
      #expect(verified.isPassed, "\(verified.checks.filter { !$0.isPassed })")
    }
  }

  @Test func `V2 to V3 adds the outbox and changes nothing else`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V2", of: "FitIQ", rows: 50, users: 3, in: folder)
    let changing: Set = [
      "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY", "ACHANGE", "ZSDOUTBOXEVENT",
    ]
    let numbers = try entityNumbers(path)
    let before = try dumpByEntity(path, leavingOut: changing, numbers)
    _ = try bundledMigrator().apply(to: path, MigrationRequest(target: "V3"))
    let newNumbers = try entityNumbers(path)
    #expect(numbers != newNumbers.filter { $0.value != "SDOutboxEvent" })
    #expect(try dumpByEntity(path, leavingOut: changing, newNumbers) == before)
    let columns = try rows(of: "pragma_table_info('ZSDOUTBOXEVENT')", in: path)
    #expect(columns.count == 3 + 14)
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path).isEmpty)
  }

  @Test func `a plan shows every migration in order, and stops where it is told`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V2", of: "FitIQ", in: folder)
    let names = (2...10).map { "V\($0)-V\($0 + 1)" }
    #expect(try bundledMigrator().plan(for: path).migrations == names)
    let short = try bundledMigrator().plan(for: path, MigrationRequest(target: "V3"))
    #expect(short.migrations == ["V2-V3"])
    #expect(short.steps.map(\.object) == ["SDOutboxEvent"])
  }

  @Test func `what would be lost is refused by name, and nothing is touched`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V9", of: "FitIQ", users: 2, in: folder)
    let before = try fingerprint(of: folder)
    let migrator = try bundledMigrator()
    let losses = try migrator.plan(for: path).losses.filter { $0.rows > 0 }
    #expect(losses.contains { $0.step == "V9-V10:SDUserProfileV9.bio" })
    let partly = Array(losses.map(\.step).dropFirst())
    for accepted in [[], partly] {
      let error = #expect(throws: MigrationError.self) {
        try migrator.apply(to: path, MigrationRequest(acceptedLosses: accepted))
      }
      #expect(error?.exitStatus == .refused)
      #expect(try fingerprint(of: folder) == before)
    }
    let report = try migrator.apply(
      to: path, MigrationRequest(acceptedLosses: losses.map(\.step)))
    #expect(report.losses == losses)
  }

  private func entityNumbers(_ path: String) throws -> [Int64: String] {
    let rows = try rows(of: "Z_PRIMARYKEY", in: path)
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0["Z_ENT"]?.int64 ?? 0, $0["Z_NAME"]?.string ?? "") })
  }

  /// Every row with the entity's name in place of its number.
  private func dumpByEntity(
    _ path: String, leavingOut: Set<String>, _ names: [Int64: String]
  ) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).compactMap { $0[0].string }.filter { !leavingOut.contains($0) && !$0.hasPrefix("sqlite_") }
    return try tables.flatMap { table in
      try rows(of: quoteIdentifier(table), in: path).map { row in
        var row = row
        if let number = row["Z_ENT"]?.int64 { row["Z_ENT"] = .text(names[number] ?? "?") }
        return "\(table): \(row.sorted { $0.key < $1.key })"
      }
    }
  }
}
