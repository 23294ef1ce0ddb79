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
}
