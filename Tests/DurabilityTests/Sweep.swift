import Platform
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// One scenario's cuts, and what must hold after each.
final class Sweep {
  /// How the attempts ended.
  struct Counts: CustomStringConvertible {
    var killed = 0
    var failed = 0
    var succeeded = 0

    /// Attempts in which the run didn't make the call that was to fail.
    var missed = 0
    var keptOld = 0
    var gotNew = 0

    /// Distinct states on which a next run was tried.
    var states = 0

    var description: String {
      """
      \(killed) killed, \(failed) failed, \(succeeded) went on, \(missed) missed; \(keptOld) with the old store, \
      \(gotNew) with the new one; \(states) different states healed
      """
    }
  }

  let scenario: Scenario

  /// Every cut there is.
  let cuts: [Cut]
  private let tool: String
  private let prepared: TemporaryDirectory
  private let earlier: Cut?
  private let migrator: StoreMigrator
  private let old: [String]
  private let new: [String]

  /// The rows between two exchanges; `nil` if the scenario has one exchange.
  private let between: [String]?

  /// Whether an empty log is beside the store.
  private let hasLog: Bool
  private var seen: Set<[String]> = []

  /// Creates the store and counts the calls of a whole run; `nil` if runs can't be cut here.
  init?(_ scenario: Scenario, at family: Cut.Family = Cut.changes) throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: a run can't be cut here, 'strace' isn't there or isn't allowed to trace")
      return nil
    }
    (self.scenario, self.tool) = (scenario, tool)
    migrator = StoreMigrator(catalog: Catalog.bundled)
    prepared = try TemporaryDirectory()
    try scenario.prepare(prepared, tool)
    earlier = try Self.earlierCut(scenario, prepared, tool)
    let whole = try Trial(tool, copying: prepared)
    if let earlier { _ = try whole.run(scenario.arguments, cut: earlier) }
    old = try whole.rows()
    hasLog = try FileSystem.exists(whole.store + "-wal")
    if scenario == .applyAgain {
      let back = try Trial(tool, copying: prepared)
      _ = try migrator.rollback(back.store)
      between = try back.rows()
    } else {
      between = nil
    }
    let (ending, calls) = try whole.run(
      scenario.arguments, tracing: family, withoutLinks: scenario.isWithoutLinks)
    try #require(ending.status == 0, "\(scenario): \(ending.message)")
    new = try whole.rows()
    cuts = Cut.all(in: calls, at: whole.folder.path, of: family)
  }

  /// The cut of an earlier run, whose remains this run finds; `nil` if there is no earlier run.
  static func earlierCut(
    _ scenario: Scenario, _ prepared: TemporaryDirectory, _ tool: String
  ) throws -> Cut? {
    guard scenario.isAfterKilledRun else { return nil }
    let trial = try Trial(tool, copying: prepared)
    return scenario.earlierCut(try trial.run(scenario.arguments).calls, trial.folder.path)
  }

  /// Cuts a run, and checks the files that it left.
  func attempt(_ cut: Cut, _ counts: inout Counts) throws {
    let trial = try Trial(tool, copying: prepared)
    if let earlier { _ = try trial.run(scenario.arguments, cut: earlier) }
    let (ending, calls) = try trial.run(
      scenario.arguments, cut: cut, withoutLinks: scenario.isWithoutLinks)
    let place =
      (calls.last { $0.isInjected && $0.name == cut.call } ?? calls.last)?.paths.last?.replacing(
        trial.folder.path, with: "") ?? ""
    let label = "\(scenario), \(cut) (\(place))"
    guard ending.status != 0 || cut.isReached(in: calls) else {
      counts.missed += 1
      return
    }
    check(ending, cut, label, &counts)
    let found = try trial.rows()
    #expect([old, new, between].contains(found), "\(label): the store is neither")
    // Only a killed run can't leave the files beside the store as they were. The run after it may
    // end before or after it puts the log back.
    if cut.fault != .killed, !scenario.isAfterKilledRun, ending.status != 0, found == old {
      let size = try? FileStatus(of: trial.store + "-wal").size
      // SQLite removes an empty log only from beside a file whose status it can read.
      let isLeft = cut.call.hasSuffix("stat") || cut.call.hasSuffix("statat") || cut.call == "statx"
      #expect((size != nil) == hasLog || isLeft && size == 0, "\(label): the log")
    }
    if ending.status == 0 { #expect(found == new, "\(label): 0, and the old store") }
    if found == new { counts.gotNew += 1 } else { counts.keptOld += 1 }
    #expect(try trial.strayFiles(isSettled: false) == [], "\(label)")
    // The outcome of the next run depends on this state alone.
    guard seen.insert(try trial.state()).inserted else { return }
    counts.states += 1
    do {
      let remains = try look(at: trial, label)
      try heal(trial, isOld: found != new, remains, label)
    } catch {
      Issue.record("\(label): \(error)")
    }
  }

  /// Checks that a run that isn't killed reports what failed, with the right exit status.
  private func check(
    _ ending: Programs.Ending, _ cut: Cut, _ label: String, _ counts: inout Counts
  ) {
    if cut.fault == .killed {
      counts.killed += 1
      #expect(ending.status != 0, "\(label): it wasn't killed")
      return
    }
    guard ending.status != 0 else {
      counts.succeeded += 1
      return
    }
    counts.failed += 1
    // A truncated file may be taken for any file that isn't a store.
    let statuses: Set<Int32> = cut.fault == .ended ? [1, 4, 6, 7, 73, 74] : [73, 74]
    #expect(statuses.contains(ending.status), "\(label): \(ending.status), \(ending.message)")
    let lines = ending.message.split(separator: "\n")
    #expect(lines.count == 1 && ending.message.hasPrefix("Error: "), "\(label): \(ending.message)")
    // SQLite retries only some of its interrupted calls.
    #expect(
      cut.fault != .interrupted || ending.message.contains("disk I/O error"),
      "\(label): gave up for a signal: \(ending.message)")
  }

  /// Checks that reading commands work and change nothing, and returns the remains that they list.
  private func look(at trial: Trial, _ label: String) throws -> [String] {
    try whileNothingStarts { try lookAlone(at: trial, label) }
  }

  private func lookAlone(at trial: Trial, _ label: String) throws -> [String] {
    let before = try trial.fingerprint()
    let remains = try migrator.status(of: trial.store).remains
    #expect(try migrator.verify(trial.store).isPassed, "\(label): verify fails")
    let snapshots = try migrator.snapshots(of: trial.store, checks: true).snapshots
    #expect(
      snapshots.allSatisfy { $0.state != .done || $0.problem == nil },
      "\(label): a snapshot that counts isn't sound")
    #expect(try trial.fingerprint() == before, "\(label): reading changes something")
    return remains
  }

  /// Checks that the next run succeeds, reports the remains, and leaves none.
  private func heal(_ trial: Trial, isOld: Bool, _ remains: [String], _ label: String) throws {
    let notes: [String]
    if isOld {
      notes = try scenario.carryOut(on: trial.store, migrator)
      #expect(try trial.rows() == new, "\(label): the next run makes something else")
    } else {
      notes = try migrator.rollback(trial.store).notes
    }
    #expect(Set(remains).isSubset(of: notes), "\(label): \(remains) was found, and told \(notes)")
    #expect(try trial.strayFiles(isSettled: true) == [], "\(label): the next run leaves files")
    let left = try look(at: trial, label + ", after the next run")
    #expect(left == [], "\(label): the next run leaves something to do")
  }
}
