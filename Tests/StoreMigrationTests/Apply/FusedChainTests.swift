import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct FusedChainTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  @Test(
    arguments: sample(
      5, of: (1...5).map { ("Lume", $0, 7) } + [1, 2, 3, 5, 7, 8].map { ("FitIQ", $0, 11) }))
  func `a chain at once makes what its migrations make one by one`(
    app: String, start: Int, end: Int
  ) throws {
    let migrator = try bundledMigrator()
    let (fused, single) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = try makeStore("V\(start)", of: app, rows: 40, seed: 11, users: 2, in: fused)
    let copy = single.path("default.store")
    try FileSystem.copy(path, to: copy)
    let request = MigrationRequest(userID: Self.owner, acceptedLosses: ["all"])
    let report = try migrator.apply(to: path, request)
    #expect(report.to == "V\(end)")
    for next in start + 1...end {
      _ = try migrator.apply(
        to: copy,
        MigrationRequest(target: "V\(next)", userID: Self.owner, acceptedLosses: ["all"]))
    }
    #expect(try dump(path) == dump(copy))
  }

  @Test(arguments: [("Lume", "V1", 6, "ZSDOUTBOXEVENT"), ("FitIQ", "V1", 10, "ZSDUSERPROFILEV11")])
  func `each table is rewritten once, however many versions lie between`(
    app: String, start: String, count: Int, table: String
  ) throws {
    let catalog = Catalog.bundled
    let route = try Route(
      from: #require(catalog.version(start, of: app)), to: MigrationRequest(), catalog: catalog)
    #expect(route.migrations.count == count)
    let folder = try TemporaryDirectory()
    let path = try makeStore(start, of: app, rows: 10, in: folder)
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let program = try Planner(
      route: route, request: MigrationRequest(), store: inspection.store, files: inspection.files
    ).program(options: [:])
    let written = program.rewrites.map(\.table.name)
    #expect(Set(written).count == written.count)
    #expect(written.filter { $0 == table }.count == 1)
    let read = program.actions.compactMap(\.sourceTable)
    #expect(Set(read).count == read.count)
    let inserts = try insertedRows(by: program, for: route.target, from: path, in: folder)
    let rows = try EntityRows(of: path).rows.values.map(\.count).reduce(0, +)
    #expect(inserts == rows, "every row is written once")
  }

  /// How many rows of entities a program writes, as SQLite counts them.
  private func insertedRows(
    by program: StoreProgram, for target: ModelVersion, from path: String,
    in folder: TemporaryDirectory
  ) throws -> Int {
    let tallies = try write(program, for: target, from: path, to: folder.path("new.store"))
    let carried = try program.actions.compactMap { action -> Int? in
      guard case .carry(let name) = action, name.hasPrefix("ZSD") else { return nil }
      return try rows(of: name, in: path).count
    }
    return Int(tallies.values.map(\.rows).reduce(0, +)) + carried.reduce(0, +)
  }

  private func write(
    _ program: StoreProgram, for target: ModelVersion, from path: String, to new: String
  ) throws -> [String: Tally] {
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    try FileSystem.create(new, [])
    try connection.attach(path: new, as: NewStore.schema, mode: .readWrite)
    return try NewStore(program: program, store: store, target: target).write(connection)
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
