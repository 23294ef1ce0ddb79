import Foundation
import Platform
import StoreMigration
import TestSupport
import Testing
import Migrations
import OutboxConversion
import StoreExchange
import StoreProof

/// What `Documentation/Library.md` shows, by the public names alone.
@Suite struct LibraryTests {
  private func bringUpToDate(_ path: String, userID: String) throws {
    let migrator = StoreMigrator(catalog: .bundled)
    let request = MigrationRequest(userID: userID)
    let plan = try migrator.plan(for: path, request)
    guard plan.hasChanges else { return }
    for warning in plan.warnings { print(warning.code, warning.rows, warning.message) }
    do throws(MigrationError) {
      let report = try migrator.apply(to: path, request)
      print(
        report.from, "->", report.to, report.rowsWritten, "rows; snapshot:",
        report.snapshot ?? "none")
    } catch {
      // Unless only the cleanup failed, which the error says, the old store is at its path with all
      // its rows. The statuses are those of the command line.
      print(error, error.exitStatus)
      throw error
    }
    let verified = try migrator.verify(path)
    if !verified.isPassed {
      _ = try migrator.rollback(path)
      for check in verified.checks where !check.isPassed { print(check.name, check.details) }
    }
  }

  @Test func `a store is brought up to date as the document shows it`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    try bringUpToDate(path, userID: OutboxMigrationTests.owner)
    #expect(
      try StoreMigrator(catalog: .bundled).status(of: path).recognition.version?.name == "V7")
    // A second time there is nothing to do.
    let hash = try sha256(ofFile: path)
    try bringUpToDate(path, userID: OutboxMigrationTests.owner)
    #expect(try sha256(ofFile: path) == hash)
    #expect(throws: MigrationError.self) { try bringUpToDate(folder.path("none"), userID: "x") }
  }

  @Test func `threads of one process take turns on a store`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 200, in: folder)
    let request = MigrationRequest(userID: OutboxMigrationTests.owner)
    let link = folder.path("link.store")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let migrator = StoreMigrator(catalog: .bundled)
    for _ in 0..<5 {
      let (one, other) = try concurrently(
        { try migrator.apply(to: path, request) },
        {
          _ = try migrator.status(of: link)
          return try migrator.apply(to: link, request)
        })
      #expect([one, other].filter { $0.snapshot != nil }.count == 1)
      let (_, verified) = try concurrently(
        { try migrator.plan(for: path, request) }, { try migrator.verify(path) })
      #expect(verified.isPassed)
      _ = try migrator.rollback(path)
    }
  }

  @Test func `an error says whether the new store is in place`() {
    let unfinished = ExchangeError.unfinished(
      "default.store", SystemError(code: 5, call: "unlink"))
    #expect(MigrationError(.exchange(unfinished)).isStoreReplaced)
    #expect(!MigrationError(.exchange(.noSnapshot("default.store"))).isStoreReplaced)
  }
}
