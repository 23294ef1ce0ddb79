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

/// There and back: what reversible steps changed comes back, value for value.
@Suite struct RoundTripTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  static let neighbours: [(app: String, from: String, to: String)] =
    (1...10).map { ("FitIQ", "V\($0)", "V\($0 + 1)") }
    + (1...6).map { ("Lume", "V\($0)", "V\($0 + 1)") } + [("Lume", "V6@plan", "V7@plan")]

  @Test(arguments: neighbours)
  func `what a migration changed reversibly comes back`(
    app: String, from: String, to: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(from, of: app, rows: 60, seed: 5, users: 2, in: folder)
    if from.hasPrefix("V6"), app == "Lume" { try compactPayloads(path) }
    let (before, catalog) = (try EntityRows(of: path), Catalog.bundled)
    let request = MigrationRequest(target: to, userID: Self.owner, acceptedLosses: ["all"])
    let route = try Route(
      from: #require(catalog.version(from, of: app)), to: request, catalog: catalog)
    _ = try bundledMigrator().apply(to: path, request)
    let back = folder.path("back.store")
    try goBack(route, from: path, to: back)
    let gone = Gone(route)
    let differences = try EntityRows(of: back).differences(from: before).filter {
      !gone.covers($0)
    }
    #expect(differences.isEmpty, "\(app) \(from)-\(to), seed 5: \(differences.prefix(5))")
    let store = try StoreInspection(path: back, catalog: catalog)
    #expect(store.recognition.match == .exact)
    #expect(store.recognition.version?.name == from)
  }

  /// Lume's payloads without insignificant white space, which doesn't come back, and without NULL,
  /// which comes back as no bytes.
  private func compactPayloads(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      """
      UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(json(CAST(ZPAYLOAD AS TEXT)) AS BLOB)
      WHERE json_valid(CAST(ZPAYLOAD AS TEXT));
      UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = x'' WHERE ZPAYLOAD IS NULL
      """)
  }

  private func goBack(_ route: Route, from path: String, to back: String) throws {
    let catalog = Catalog.bundled
    let inverse = try route.inverse(in: catalog)
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let program = try ProgramBuilder(
      lineage: inverse.lineage, source: inverse.source.model, target: inverse.target.model,
      store: store, options: [:]
    ).program()
    try FileSystem.create(back, [])
    try connection.attach(path: back, as: NewStore.schema, mode: .readWrite)
    _ = try NewStore(program: program, store: store, target: inverse.target).write(connection)
  }

  /// The properties whose values one-way steps don't bring back.
  private struct Gone {
    let properties: Set<String>

    init(_ route: Route) {
      properties = Set(
        route.lineage.steps.filter { !$0.step.isReversible && !$0.step.makesReal }.flatMap {
          traced in
          switch traced.step {
          case .convert(let conversion): conversion.inputPaths.map(\.description)
          default: [traced.step.object]
          }
        })
    }

    func covers(_ difference: String) -> Bool {
      let parts = difference.split(separator: ":")[0].split(separator: "/")
      let property = parts.count == 2 ? parts[1].split(separator: ".").last ?? "" : ""
      // A link that an owner's column set stays, and that column is one of those that don't come back.
      let isLink = property == "userProfile" && properties.contains("\(parts[0]).userID")
      return isLink || properties.contains("\(parts[0]).\(property)")
        || properties.contains { $0.hasPrefix("SDUserProfile") && $0.hasSuffix(".\(property)") }
          && parts[0].hasPrefix("SDUserProfile")
    }
  }
}
