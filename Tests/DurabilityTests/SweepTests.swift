import Foundation
import SQLite
import Testing
import TestSupport

/// Runs are cut at every system call that changes a file: the store is the old or the new one, whole, and
/// the next run heals the rest.
///
/// A short sweep is part of the tests; `make torture` tries every cut.
@Suite(.serialized) struct SweepTests {
  /// Of the whole sweep every n-th cut is tried, where the variable is a number greater than 1.
  static let stride = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TORTURE"].flatMap {
    Int($0)
  }

  private static let checkedList = ["snapshot", "list", "default.store", "--check"]

  /// What is cut, and how its store is made.
  enum Scenario: String, CaseIterable {
    case apply, applyWithLog, rollback, rollbackKeeping, prune

    var arguments: [String] {
      switch self {
      case .apply, .applyWithLog: ["apply", "default.store", "--user-id", "somebody"]
      case .rollback: ["rollback", "default.store"]
      case .rollbackKeeping: ["rollback", "default.store", "--keep-changes"]
      case .prune: ["snapshot", "prune", "default.store", "--keep", "1"]
      }
    }

    /// What must work afterwards, whichever of the two stores is there.
    var next: [String] {
      switch self {
      case .apply, .applyWithLog: ["apply", "default.store", "--user-id", "somebody"]
      case .rollback, .rollbackKeeping: ["rollback", "default.store", "--keep-changes"]
      case .prune: arguments
      }
    }
  }

  @Test(arguments: Scenario.allCases)
  func `the store is whole wherever a run is cut`(scenario: Scenario) throws {
    guard let programs = builtPrograms else {
      Issue.record("the program isn't beside the tests")
      return
    }
    guard try isTracingPossible(programs) else {
      print("skipped: a run can't be cut here, 'strace' isn't there or isn't allowed to trace")
      return
    }
    let prepared = try prepare(scenario, programs)
    let whole = try Trial(programs: programs, prepared: prepared)
    let old = try whole.rows()
    let trace = whole.folder.path + "-trace"
    try #require(try whole.run(scenario.arguments, trace: trace) == 0)
    let new = try whole.rows()
    let cuts = try chosen(from: Cut.all(counts(in: trace)), scenario)
    try FileManager.default.removeItem(atPath: trace)
    var (keptOld, gotNew) = (0, 0)
    for cut in cuts {
      let trial = try Trial(programs: programs, prepared: prepared)
      let status = try trial.run(scenario.arguments, cut: cut)
      let found = try trial.rows()
      let label = "\(scenario), \(cut)"
      #expect(sameRows(found, old) || sameRows(found, new), "\(label): the store is neither")
      if status == 0 { #expect(sameRows(found, new), "\(label): 0, and the old store") }
      if sameRows(found, old) { keptOld += 1 } else { gotNew += 1 }
      #expect(try trial.strayFiles(isSettled: false) == [], "\(label)")
      #expect(try trial.run(["verify", "default.store"]) == 0, "\(label): verify fails")
      #expect(try trial.run(["status", "default.store"]) == 0, "\(label): status fails")
      #expect(try trial.run(Self.checkedList) == 0, "\(label): a snapshot that counts isn't sound")
      if sameRows(found, old) {
        #expect(try trial.run(scenario.next) == 0, "\(label): the next run fails")
        #expect(sameRows(try trial.rows(), new), "\(label): the next run makes something else")
      } else {
        #expect(try trial.run(["rollback", "default.store"]) == 0, "\(label): rolling back fails")
      }
      #expect(try trial.strayFiles(isSettled: true) == [], "\(label): the next run leaves")
      #expect(try trial.run(Self.checkedList) == 0, "\(label): a snapshot isn't sound at the end")
      #expect(try trial.run(["verify", "default.store"]) == 0, "\(label): verify fails at the end")
    }
    print(
      "\(scenario): \(cuts.count) cuts tried, \(keptOld) kept the old store, \(gotNew) had the new one"
    )
    #expect(!cuts.isEmpty)
  }

  /// All cuts, or a few spread over all of them.
  private func chosen(from cuts: [Cut], _ scenario: Scenario) throws -> [Cut] {
    if let only = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_CUT"] {
      return cuts.filter { $0.description == only }
    }
    if let stride = Self.stride {
      return cuts.enumerated().filter { $0.offset % max(stride, 1) == 0 }.map(\.element)
    }
    let own = cuts.filter { $0.call != "openat" }
    return own.enumerated().filter { $0.offset % (own.count / 4 + 1) == 5 }.map(\.element)
  }

  private func counts(in trace: String) throws -> [String: Int] {
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    return text.split(separator: "\n").reduce(into: [:]) { counts, line in
      let rest = line.split(separator: " ", maxSplits: 1).last ?? ""
      let name = String(rest.drop { $0 == " " }.prefix { $0 != "(" })
      if Cut.calls.contains(name) { counts[name, default: 0] += 1 }
    }
  }

  private func isTracingPossible(_ programs: String) throws -> Bool {
    let empty = try TemporaryDirectory()
    let trial = try Trial(programs: programs, prepared: empty)
    return try trial.run(["--version"], trace: "/dev/null") == 0
  }

  /// Whether two stores hold the same, the names that a run gives by the time apart.
  private func sameRows(_ left: [String], _ right: [String]) -> Bool { left == right }
}

// MARK: - Stores

extension SweepTests {
  private func prepare(_ scenario: Scenario, _ programs: String) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let trial = try Trial(programs: programs, prepared: folder)
    try trial.run(["fixture", "create", "lume", "V6", "default.store", "--rows", "15"])
    switch scenario {
    case .apply: break
    case .applyWithLog: try writeWithoutCheckpoint(trial.store)
    case .rollback: try trial.run(["apply", "default.store", "--user-id", "somebody"])
    case .rollbackKeeping, .prune:
      try trial.run(["apply", "default.store", "--user-id", "somebody"])
      try write(
        "UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 7 WHERE Z_PK < 5; DELETE FROM ZSDGOAL",
        to: trial.store)
    }
    if scenario == .prune {
      try trial.run(["rollback", "default.store", "--keep-changes"])
      try trial.run(["apply", "default.store", "--user-id", "somebody"])
    }
    for name in try trial.folder.names {
      try FileManager.default.copyItem(atPath: trial.folder.path(name), toPath: folder.path(name))
    }
    return folder
  }

  private func write(_ statements: String, to store: String) throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.execute(statements)
  }

  /// Leaves rows in the log, as a writer does that crashed.
  private func writeWithoutCheckpoint(_ store: String) throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5; DELETE FROM ZSDGOAL")
  }
}

/// The folder that the tests and the program were built in.
private let builtPrograms: String? = {
  let bundles = [Bundle.main] + Bundle.allBundles
  let folders = bundles.flatMap { bundle in
    [
      bundle.bundleURL.deletingLastPathComponent(),
      bundle.executableURL?.deletingLastPathComponent(),
    ]
  }
  return folders.compactMap { $0?.path }.first {
    FileManager.default.isExecutableFile(atPath: $0 + "/outbox-migrate")
  }
}()
