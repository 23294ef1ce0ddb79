import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreMigration

@Suite struct FusedChainTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  @Test(arguments: ["V1", "V2", "V3", "V4", "V5"])
  func `a chain at once makes what its migrations make one by one`(start: String) throws {
    let migrator = try bundledMigrator()
    let (fused, single) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = try makeStore(start, rows: 80, seed: 11, in: fused)
    let copy = single.path("default.store")
    try FileSystem.copy(path, to: copy)
    let request = MigrationRequest(userID: Self.owner, acceptedLosses: ["all"])
    let report = try migrator.apply(to: path, request)
    #expect(report.to == "V7")
    let number = try #require(Int(start.dropFirst()))
    for next in number + 1...7 {
      _ = try migrator.apply(
        to: copy,
        MigrationRequest(target: "V\(next)", userID: Self.owner, acceptedLosses: ["all"]))
    }
    #expect(try dump(path) == dump(copy))
  }

  @Test func `each table is rewritten once, however many versions lie between`() throws {
    let catalog = try Catalog.bundled()
    let start = try #require(catalog.version("V1", of: "Lume"))
    let route = try Route(from: start, to: MigrationRequest(), catalog: catalog)
    #expect(route.migrations.count == 6)
    let folder = try TemporaryDirectory()
    let path = try makeStore("V1", rows: 10, in: folder)
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let program = try Planner(
      route: route, request: MigrationRequest(), store: inspection.store, files: inspection.files
    ).program(options: [:])
    let rewritten = program.rewrites.map(\.table.name)
    #expect(Set(rewritten).count == rewritten.count)
    #expect(rewritten.filter { $0 == "ZSDOUTBOXEVENT" }.count == 1)
  }

  @Test func `an older version is refused, naming rollback`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V5", rows: 10, in: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().plan(for: path, MigrationRequest(target: "V2"))
    }
    #expect(error?.exitStatus == .misuse)
    #expect(
      error?.description == "'V2' is older than 'V5'; use 'outbox-migrate rollback' to go back")
  }
}
