import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@Suite struct CheckedFixtureTests {
  @Test(arguments: BundledVersion.all, [true, false])
  func `the checks that real stores pass find nothing but lost payloads`(
    version: BundledVersion, hasLostPayloads: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("default.store")
    try createFixture(
      app: version.app, version: version.name, model: version.model, at: path,
      options: FixtureOptions(rows: 300, userCount: 2, hasLostPayloads: hasLostPayloads))
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let description = try StoreDescription(reading: connection)
    let findings = try StoreCheck(description, files: StoreFiles(path: path)).findings(connection)
    let hasPayloads = version.model["SDOutboxEvent"]?["payload"] != nil
    #expect(
      findings.map(\.message)
        == (hasPayloads && hasLostPayloads
          ? ["2 rows have no value in the mandatory attribute 'SDOutboxEvent.payload'"] : []))
  }

  @Test func `what an app writes after the first look counts with its rows`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("default.store")
    let version = try #require(BundledVersion.all.first { $0.model["SDOutboxEvent"] != nil })
    try createFixture(
      app: version.app, version: version.name, model: version.model, at: path,
      options: FixtureOptions(rows: 20))
    let app = try Connection(path: path, mode: .readWrite)
    try app.execute("PRAGMA journal_mode = WAL")
    let connection = try Connection(path: path, mode: .readOnly)
    let check = StoreCheck(
      try StoreDescription(reading: connection), files: StoreFiles(path: path))
    try app.execute(
      """
      UPDATE ZSDOUTBOXEVENT SET Z_PK = 1000 WHERE Z_PK = (SELECT max(Z_PK) FROM ZSDOUTBOXEVENT);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'SDOutboxEvent'
      """)
    #expect(try check.contentFindings(connection).map(\.check) == [.maximumKeys])
    #expect(try check.contentFindingsOfOneMoment(connection) == [])
  }
}
