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
}
