import Migrations
import Platform
import SQLite
import StoreAnonymising
import StoreMigration
import TestSupport
import Testing

@Suite struct AnonymisingTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var result: String { folder.path("result.store") }

  private static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  /// Anonymises a store, checks it by both scanners, and returns what was written.
  @discardableResult
  private func checkedResult(
    of path: String, rows: Int? = nil, seed: UInt64 = 1
  ) throws -> AnonymisedStore {
    let before = try filesOf(path).map { try FileSystem.read($0) }
    let written = try anonymise(path, to: result, catalog: .bundled, rows: rows, seed: seed)
    #expect(try filesOf(path).map { try FileSystem.read($0) } == before)
    let words = written.kept.model + written.kept.values.values.flatMap { $0 } + written.kept.keys
    let scanner = try ByteScanner(files: filesOf(path), store: path)
    let findings = try scanner.findings(in: result, allowing: words)
    #expect(findings == [])
    let check = try checkAnonymised(result, against: path, catalog: .bundled)
    #expect(check.traces == [])
    return written
  }

  /// Expects that a plan of the result says what a plan of the original does.
  ///
  /// Whether FitIQ's conversion of moods is exact depends on ten numbers with many digits, which a
  /// result can't have.
  private func expectEqualPlans(_ path: String, _ request: MigrationRequest) {
    func isCompared(_ line: String) -> Bool { !line.contains("SDMoodEntry.valence") }
    let expected = planLines(of: path, request).filter(isCompared)
    let found = planLines(of: result, request).filter(isCompared)
    #expect(expected.filter { !found.contains($0) } == [])
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.count == found.count)
  }

  @Test(arguments: sample(6, of: RealStore.all + RealStore.withoutModelCache))
  func aRealStoreKeepsItsPlanAndNothingElse(_ store: RealStore) throws {
    let path = try store.copy(into: folder)
    do {
      try checkedResult(of: path)
    } catch AnonymisingError.noModel, AnonymisingError.strangeSchema {
      // Without a model, nobody knows what the columns contain.
      #expect(RealStore.withoutModelCache.contains { $0.name == store.name })
      return
    }
    expectEqualPlans(path, MigrationRequest())
    let migrator = StoreMigrator(catalog: .bundled)
    #expect(
      try migrator.status(of: result).entities.map(\.rows)
        == migrator.status(of: path).entities.map(\.rows))
  }

  @Test(
    arguments: sample(
      2,
      of: [
        ("Lume", "V1"), ("Lume", "V3"), ("Lume", "V6"), ("Lume", "V7"), ("FitIQ", "V2"),
        ("FitIQ", "V8"), ("FitIQ", "V11"),
      ]))
  func aPlanOfTheResultSaysTheSame(app: String, version: String) throws {
    let path = try makeStore(
      version, of: app, rows: 120, seed: printedSeed(), users: 2, in: folder)
    try checkedResult(of: path)
    for rows in [MigrationRequest.Rows.documented, .deliverable] {
      let request = MigrationRequest(userID: Self.owner, rows: rows)
      expectEqualPlans(path, request)
    }
  }
}
