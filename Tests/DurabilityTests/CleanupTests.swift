import Foundation
import StoreMigration
import TestSupport
import Testing
import Migrations

/// A run whose own cleanup fails leaves what a killed run leaves.
@Suite struct CleanupTests {
  private let migrator = StoreMigrator(catalog: Catalog.bundled)

  /// From one sync on, all fail: those of the cleanup, too.
  @Test(arguments: sample(4, of: [2, 6, 8, 9, 10, 11, 12, 13, 14]))
  func `the next run continues a cleanup that failed`(number: Int) throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let trial = try Trial(tool, copying: TemporaryDirectory())
    try Scenario.applyWithLog.prepare(trial.folder, tool)
    let old = try trial.rows()
    let words = [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e",
      "inject=fsync,fdatasync:error=EIO:when=\(number)+", tool,
    ]
    let ending = try Programs.run(
      words + Scenario.applyWithLog.arguments, in: trial.folder.path)
    #expect([73, 74].contains(ending.status), "\(ending.status) \(ending.message)")
    let isOld = try trial.rows() == old
    let remains = try migrator.status(of: trial.store).remains
    // Of the two stores, the message names the one at the path.
    #expect(ending.message.contains("is the new store") == !isOld, "\(ending.message)")
    print("from sync \(number): \(isOld ? "old" : "new"), \(remains.count) left")
    #expect(try migrator.verify(trial.store).isPassed)
    let report = try migrator.apply(to: trial.store, MigrationRequest(userID: Scenario.owner))
    #expect(report.notes == remains)
    #expect(try migrator.status(of: trial.store).remains == [])
    #expect(try migrator.rollback(trial.store).to == "V6")
    #expect(try trial.rows() == old)
    #expect(try trial.strayFiles(isSettled: true) == [])
  }
}
