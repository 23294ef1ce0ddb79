import Foundation
import Platform
import StoreMigration
import Synchronization
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

  /// A question whether to cancel, which counts how often it is asked.
  private final class Question: Sendable {
    private let left: Mutex<Int>
    private let first: Int

    /// Creates a question that is answered with `true` after a number of times.
    init(after count: Int) {
      first = count
      left = Mutex(count)
    }

    var count: Int { first - left.withLock { $0 } }

    var migrator: StoreMigrator {
      StoreMigrator(catalog: .bundled) {
        self.left.withLock { left in
          left -= 1
          return left < 0
        }
      }
    }
  }

  /// Names and hashes of the files in a folder; those of snapshots without the time.
  private func files(in folder: TemporaryDirectory) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      !$0.hasSuffix("-shm")
    }.map { name in
      let hash = (try? sha256(ofFile: folder.path(name))).map(Hexadecimal.encode) ?? ""
      return "\(name) \(hash)"
    }.sorted()
  }

  @Test func `a run that is cancelled leaves the store as it was, at any moment`() throws {
    var random = SeededGenerator(seed: printedSeed("cancelled"))
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 300, in: folder)
    let request = MigrationRequest(userID: OutboxMigrationTests.owner)
    func cancelled(
      _ count: Int, _ work: (StoreMigrator) throws(MigrationError) -> Void
    ) throws -> Bool {
      let before = try files(in: folder)
      do throws(MigrationError) {
        try work(Question(after: count).migrator)
        return false
      } catch {
        #expect(error.isCancelled && error.exitStatus == .failed, "\(error)")
        #expect(try files(in: folder) == before, "after \(count)")
        return true
      }
    }
    // Folds the log of the new store in, so that the files before and after are the same.
    _ = try StoreMigrator(catalog: .bundled).apply(to: path, request)
    _ = try StoreMigrator(catalog: .bundled).rollback(path)
    let whole = Question(after: .max)
    _ = try whole.migrator.apply(to: path, request)
    let back = Question(after: .max)
    _ = try back.migrator.rollback(path)
    var endings: [Bool] = []
    for _ in 0..<rounds(25, torture: 400) {
      let isApplied = try !cancelled(.random(in: 0...whole.count * 11 / 10, using: &random)) {
        (migrator) throws(MigrationError) in _ = try migrator.apply(to: path, request)
      }
      endings.append(isApplied)
      guard isApplied else { continue }
      #expect(try StoreMigrator(catalog: .bundled).verify(path).isPassed)
      let isBack = try !cancelled(.random(in: 0...back.count * 11 / 10, using: &random)) {
        (migrator) throws(MigrationError) in _ = try migrator.rollback(path)
      }
      if !isBack { _ = try StoreMigrator(catalog: .bundled).rollback(path) }
    }
    print("\(endings.count { $0 }) of \(endings.count) runs ended before they were cancelled")
    #expect(
      try cancelled(0) { (migrator) throws(MigrationError) in _ = try migrator.plan(for: path) })
  }

  @Test func `a run that is cancelled doesn't end another one`() throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let paths = (
      try makeStore("V6", rows: 100, in: one), try makeStore("V6", rows: 100, in: other)
    )
    let request = MigrationRequest(userID: OutboxMigrationTests.owner)
    for _ in 0..<3 {
      let (isCancelled, report) = try concurrently(
        {
          do throws(MigrationError) {
            _ = try StoreMigrator(catalog: .bundled) { true }.apply(to: paths.0, request)
            return false
          } catch {
            return error.isCancelled
          }
        }, { try StoreMigrator(catalog: .bundled).apply(to: paths.1, request) })
      #expect(isCancelled && report.snapshot != nil)
      _ = try StoreMigrator(catalog: .bundled).rollback(paths.1)
    }
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
      let snapshots = [one.snapshot, other.snapshot].compactMap(\.self)
      #expect(snapshots.count == 1)
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
