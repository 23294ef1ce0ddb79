import Migrations
import Platform
@testable import RowRewriting
import SQLite
import TestSupport
import Testing

@testable import StoreMigration

/// The statements of `plan --format sql` make the store that `apply` makes.
@Suite struct PlanScriptTests {
  private static let owner = "somebody"

  /// Runs the statements of a plan, and returns the rows of the new store.
  private func run(
    _ request: MigrationRequest, on path: String, in folder: TemporaryDirectory
  ) throws -> [String] {
    let new = folder.path("script.db")
    let connection = try Connection(path: path, mode: .readWrite)
    _ = try FileDescriptor(creating: new)
    try connection.attach(path: new, as: "new", mode: .readWriteAlone)
    try Self.defineConverters(connection)
    for text in try bundledMigrator().script(for: path, request) {
      var statement = try connection.prepare(text)
      if text.contains(":user_id") { try statement.bind([.text(Self.owner)]) }
      while try statement.step() {}
    }
    try connection.detach("new")
    return try allRows(of: new)
  }

  private func allRows(of path: String) throws -> [String] {
    try dump(path, leavingOut: ["Z_METADATA", "Z_MODELCACHE"])
  }

  /// Defines the converters of one value.
  private static func defineConverters(_ connection: borrowing Connection) throws {
    let payloads = PayloadFunction()
    try connection.define("json_text") { payloads.answer($0) }
  }

  @Test func `random models migrate by their statements as by apply`() throws {
    let seed = printedSeed("plans as SQL", below: 1_000_000)
    for round in 0..<20 {
      let folder = try TemporaryDirectory()
      var models = RandomModels(seed: seed + UInt64(round))
      let (path, _, schema) = try models.store(in: folder)
      let request = MigrationRequest(schema: schema, acceptedLosses: ["all"])
      try expectSame(request, at: path, in: folder, "seed \(seed + UInt64(round))")
    }
  }

  @Test(arguments: ["V3", "V5", "V6", "V6@plan"])
  func `Lume's versions migrate by their statements as by apply`(version: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 60, users: 2, in: folder)
    try expectSame(
      MigrationRequest(userID: Self.owner, acceptedLosses: ["all"]), at: path, in: folder, version)
  }

  /// Expects that statements and `apply` write the same rows, unless `apply` refuses.
  private func expectSame(
    _ request: MigrationRequest, at path: String, in folder: TemporaryDirectory, _ name: String
  ) throws {
    // The models of some pairs don't determine a migration.
    guard let plan = try? bundledMigrator().plan(for: path, request), plan.blockers.isEmpty,
      plan.hasChanges
    else { return print("\(name): not compared, as 'apply' writes nothing") }
    let written = try run(request, on: path, in: folder)
    _ = try bundledMigrator().apply(to: path, request)
    #expect(written == (try allRows(of: path)), "\(name)")
  }

  @Test func `values of rows and the owner don't appear`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let text = try bundledMigrator().script(for: path, MigrationRequest(userID: Self.owner))
      .joined()
    #expect(!text.contains(Self.owner))
    #expect(text.contains(":user_id"))
    let uuid = try rows(of: "Z_METADATA", in: path)[0]["Z_UUID"]?.string ?? ""
    #expect(!uuid.isEmpty && !text.contains(uuid))
  }
}
