import Foundation
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import StoreProof

/// Runs are cut at every system call that changes a file: the store is the old or the new one, whole, and
/// the next run heals the rest.
///
/// A short sweep is part of the tests; `make torture` tries every cut. The suite is slow: each scenario makes
/// stores, and runs the tool under `strace` once for the list of its calls and once for each cut.
@Suite struct SweepTests {
  /// Of the whole sweep every n-th cut is tried, where the variable is a number greater than 1; with another
  /// behind it, as in `3+1`, the ones that so much later come.
  private static let stride = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TORTURE"]
    .map { $0.split(separator: "+").compactMap { Int($0) } }

  /// The one scenario to try, or the one cut, as a failure names it: `apply, fsync 3 error=EIO`.
  private static let only = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_CUT"]

  /// The scenarios whose cuts are tried: all, or every second one, beginning at random.
  private static let scenarios: Set<Scenario> = {
    if stride != nil || only != nil { return Set(Scenario.allCases) }
    let first = Int(printedSeed("swept scenarios", below: 1 << 32) % 2)
    return Set(Scenario.allCases.enumerated().filter { $0.offset % 2 == first }.map(\.element))
  }()

  @Test(arguments: Scenario.allCases)
  func `the store is whole wherever a run is cut`(scenario: Scenario) throws {
    guard Self.scenarios.contains(scenario) else {
      return print("skipped: \(scenario), which 'make torture' tries, or the next run")
    }
    try sweep(scenario, at: Cut.changes) { cuts in
      // Two kills and a failure, the last ones near the exchange.
      let kills = cuts.filter { $0.fault == .killed }
      let failures = cuts.filter { $0.fault == .noSpace || $0.fault == .ioError }
      let few = [
        kills[kills.count * 2 / 3], kills[kills.count * 9 / 10], failures[failures.count * 4 / 5],
      ]
      // With two exchanges, some in and between them.
      guard scenario == .applyAgain else { return few }
      return few + [kills.count * 3 / 10, kills.count * 2 / 5, kills.count / 2].map { kills[$0] }
        + [failures[failures.count * 3 / 5]]
    }
  }

  @Test(arguments: Scenario.allCases)
  func `the store is whole whatever can't be read`(scenario: Scenario) throws {
    // Most of what the others do is what these do.
    let isShort = Self.stride == nil && Self.only == nil
    if isShort && ![.apply, .applyWithLog, .rollbackKeeping].contains(scenario) {
      print("skipped: \(scenario), which 'make torture' tries")
      return
    }
    try sweep(scenario, at: Cut.looks) { cuts in
      // Of pages that seem to be missing some are those of long values.
      let cuts = scenario == .apply ? cuts.filter { $0.fault == .ended } : cuts
      return [cuts.count / 4, cuts.count / 2, cuts.count * 9 / 10].map { cuts[$0] }
    }
  }

  private func sweep(
    _ scenario: Scenario, at family: Cut.Family, few: ([Cut]) -> [Cut]
  ) throws {
    if let only = Self.only, only.prefix(while: { $0 != "," }) != "\(scenario)" { return }
    guard let sweep = try Sweep(scenario, at: family) else { return }
    let cuts = chosen(from: sweep.cuts, few: few)
    var counts = Sweep.Counts()
    for cut in cuts { try sweep.attempt(cut, &counts) }
    print("\(scenario): \(cuts.count) of \(sweep.cuts.count) cuts tried: \(counts)")
    #expect(!cuts.isEmpty || Self.only != nil)
  }

  /// All cuts, or a few spread over all of them.
  private func chosen(from cuts: [Cut], few: ([Cut]) -> [Cut]) -> [Cut] {
    if let only = Self.only, only.contains(",") {
      return cuts.filter { only.hasSuffix(", \($0)") }
    }
    if let stride = Self.stride {
      let (step, start) = (max(stride.first ?? 1, 1), stride.dropFirst().first ?? 0)
      return cuts.enumerated().filter { $0.offset % step == start }.map(\.element)
    }
    return few(cuts)
  }
}
