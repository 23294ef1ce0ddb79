import Platform
import TestSupport
import Testing

@testable import StoreMigration
import OutboxConversion
import StoreProof

@Suite struct VerifyRealStoreTests {
  @Test(arguments: RealStore.all)
  func `what the frameworks wrote passes every check and stays as it was`(
    store: RealStore
  ) throws {
    let directory = try TemporaryDirectory()
    let path = try store.copy(into: directory)
    let before = try fingerprint(of: directory)
    let report = try bundledMigrator().verify(path)
    #expect(report.isPassed, "\(report.checks.flatMap(\.details))")
    #expect(try fingerprint(of: directory) == before)
  }

  @Test(arguments: RealStore.withoutModelCache)
  func `a store without a model cache is refused with what to give`(store: RealStore) throws {
    let directory = try TemporaryDirectory()
    let path = try store.copy(into: directory)
    let error = #expect(throws: MigrationError.self) { try bundledMigrator().verify(path) }
    #expect(error?.description.contains("give it with '--model'") == true)
  }
}
