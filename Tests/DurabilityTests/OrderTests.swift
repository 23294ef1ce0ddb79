import Foundation
import Platform
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// What reached the disk without its sync may be gone after a loss of power: the order of a run's calls
/// is such that nothing depends on it.
@Suite struct OrderTests {
  @Test(arguments: sample(6, of: Scenario.allCases))
  func `nothing is given up before what takes its place is on the disk`(scenario: Scenario) throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: a run's calls can't be seen here")
      return
    }
    let prepared = try TemporaryDirectory()
    try scenario.prepare(prepared, tool)
    let trial = try Trial(tool, copying: prepared)
    if let cut = try Sweep.earlierCut(scenario, prepared, tool) {
      _ = try trial.run(scenario.arguments, cut: cut)
    }
    var found: [String: AnyHashable] = [:]
    for name in FileManager.default.subpaths(atPath: trial.folder.path) ?? [] {
      let status = try FileStatus(of: trial.folder.path(name), followingLinks: false)
      if status.kind == .regular { found[trial.folder.path(name)] = status.identity }
    }
    let (ending, calls) = try trial.run(
      scenario.arguments, withoutLinks: scenario.isWithoutLinks)
    try #require(ending.status == 0, "\(ending.message)")
    var order = DiskOrder(store: trial.store, found: found)
    for call in calls { order.follow(call) }
    #expect(order.violations == [])
    let exchanges =
      switch scenario {
      case .prune, .applyAfterExchange: 0
      // The documented rows go back first.
      case .applyAgain: 2
      default: 1
      }
    #expect(order.exchanges == exchanges)
    // The rules see something: without any of its syncs, the run isn't in order.
    if exchanges > 0 {
      var careless = DiskOrder(store: trial.store, found: found)
      for call in calls where !call.name.hasSuffix("sync") { careless.follow(call) }
      #expect(careless.violations.count >= 5)
    }
  }

  @Test func `a folder of snapshots that an earlier run created is on the disk in time`() throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let trial = try Trial(tool, copying: TemporaryDirectory())
    try Scenario.apply.prepare(trial.folder, tool)
    let snapshots = trial.store + ".snapshots"
    try FileSystem.createDirectory(snapshots)
    let found = [trial.store: AnyHashable(0)]
    let calls = try trial.run(Scenario.apply.arguments).calls
    var order = DiskOrder(store: trial.store, found: found, unsynced: [snapshots])
    var careless = order
    for call in calls {
      order.follow(call)
      let syncsFolder = call.name.hasSuffix("sync") && call.paths.last == trial.folder.path
      if !syncsFolder { careless.follow(call) }
    }
    #expect(order.violations == [])
    #expect(careless.violations.contains("the header is changed before it is kept"))
  }

  /// Without the last sync of the folder before one call, something may come back.
  @Test(arguments: [
    (
      Scenario.applyWithLog, "unlink", "/default.store-wal",
      "the log is removed before its index is surely gone"
    ),
    (.prune, "unlink", "/receipt.json", "' is removed before "),
    (.apply, "rename", "/receipt.json", "' is replaced before "),
  ])
  func `a removal is on the disk before what depends on it`(
    scenario: Scenario, call: String, ending: String, violation: String
  ) throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let trial = try Trial(tool, copying: TemporaryDirectory())
    try scenario.prepare(trial.folder, tool)
    var found: [String: AnyHashable] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: trial.folder.path) {
      let status = try FileStatus(of: trial.folder.path(name), followingLinks: false)
      if status.kind == .regular { found[trial.folder.path(name)] = status.identity }
    }
    let calls = try trial.run(scenario.arguments).calls
    let place = try #require(
      calls.lastIndex { $0.name.hasPrefix(call) && $0.paths.last?.hasSuffix(ending) == true })
    let folder = FileSystem.parent(of: try #require(calls[place].paths.last))
    let sync = try #require(
      calls[..<place].lastIndex { $0.name.hasSuffix("sync") && $0.paths.last == folder })
    var (order, careless) = (
      DiskOrder(store: trial.store, found: found), DiskOrder(store: trial.store, found: found)
    )
    for (number, call) in calls.enumerated() {
      order.follow(call)
      if number != sync { careless.follow(call) }
    }
    #expect(order.violations == [])
    #expect(careless.violations.contains { $0.contains(violation) }, "\(careless.violations)")
  }

  @Test func `snapshots are pruned one after another, the oldest first`() throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let trial = try Trial(tool, copying: TemporaryDirectory())
    try Scenario.prune.prepare(trial.folder, tool)
    let snapshots = try StoreMigrator(catalog: Catalog.bundled).snapshots(of: trial.store)
      .snapshots.map(\.name)
    try #require(snapshots.count == 3)
    var removed: [String] = []
    for call in try trial.run(Scenario.prune.arguments).calls where call.name.hasPrefix("unlink") {
      let parts = call.paths.last?.split(separator: "/").map(String.init) ?? []
      guard let place = parts.firstIndex(of: "default.store.snapshots"), place + 1 < parts.count,
        removed.last != parts[place + 1]
      else { continue }
      removed.append(parts[place + 1])
    }
    #expect(removed == Array(snapshots.prefix(2)))
  }

  @Test func `something depends on each file and folder that an apply syncs`() throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let trial = try Trial(tool, copying: TemporaryDirectory())
    try Scenario.applyWithLog.prepare(trial.folder, tool)
    let names = try trial.folder.names
    let found = Dictionary(
      uniqueKeysWithValues: names.map { (trial.folder.path($0), AnyHashable($0)) })
    let calls = try trial.run(Scenario.applyWithLog.arguments).calls
    let synced = Set(calls.filter { $0.name.hasSuffix("sync") }.compactMap(\.paths.last))
    // SQLite syncs the log before it folds it in, and the journal of a file that may be lost.
    let needed = synced.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-journal") }
    #expect(needed.count == 7, "\(needed)")
    for path in needed {
      var order = DiskOrder(store: trial.store, found: found)
      for call in calls where !(call.name.hasSuffix("sync") && call.paths.last == path) {
        order.follow(call)
      }
      #expect(!order.violations.isEmpty, "nothing depends on '\(path)'")
    }
  }
}
