import Foundation
import Platform
import StoreMigration
import Synchronization
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Runs that begin at the same time: one comes first, the others are refused or find its outcome.
@Suite struct RaceTests {
  private static let rounds = isTorture ? 60 : 3
  private static let apply = ["apply", "default.store", "--user-id", Scenario.owner, "--json"]
  private static let rollback = ["rollback", "default.store", "--json"]
  private static let prune = ["snapshot", "prune", "default.store", "--keep", "1", "--json"]

  private let migrator: StoreMigrator

  init() { migrator = StoreMigrator(catalog: Catalog.bundled) }

  /// Starts runs at once, each after a delay, and returns how they ended.
  private func run(
    _ runs: [[String]], in folder: TemporaryDirectory, _ random: inout SeededGenerator
  ) throws -> [Programs.Ending] {
    let tool = try #require(Programs.tool)
    let words = runs.map { run in
      let delay = Int.random(in: 0...150, using: &random)
      let script = "sleep 0.\(String(1000 + delay).dropFirst()); exec \"$@\""
      return ["sh", "-c", script, "sh", tool] + run
    }
    let endings = Mutex<[Int: Programs.Ending]>([:])
    DispatchQueue.concurrentPerform(iterations: runs.count) { place in
      let ending = try? Programs.run(words[place], in: folder.path)
      endings.withLock { $0[place] = ending }
    }
    return try endings.withLock { found in try runs.indices.map { try #require(found[$0]) } }
  }

  private func prepare(_ scenario: Scenario) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try scenario.prepare(folder, try #require(Programs.tool))
    return folder
  }

  /// Checks what must hold whichever run came first.
  private func check(_ folder: TemporaryDirectory, _ endings: [Programs.Ending]) throws {
    let path = folder.path("default.store")
    let told = endings.map { "\($0.status) \($0.message)" }
    #expect(try migrator.verify(path).isPassed, "\(told)")
    let report = try migrator.status(of: path)
    #expect(report.remains == [], "\(told)")
    #expect(report.recognition.version != nil, "\(told)")
    let snapshots = try migrator.snapshots(of: path, checks: true).snapshots
    #expect(snapshots.allSatisfy { $0.state == .done && $0.problem == nil }, "\(told)")
  }

  @Test func `one of several applies wins`() throws {
    let prepared = try prepare(.applyWithLog)
    var random = SeededGenerator(seed: printedSeed())
    for _ in 0..<Self.rounds {
      let trial = try Trial(try #require(Programs.tool), copying: prepared)
      let endings = try run([Self.apply, Self.apply, Self.apply], in: trial.folder, &random)
      let told = endings.map { "\($0.status) \($0.message)" }
      #expect(endings.allSatisfy { [0, 5].contains($0.status) }, "\(told)")
      let winners = endings.filter { $0.status == 0 && !$0.output.contains("\"snapshot\": null") }
      #expect(winners.count == 1, "\(told)")
      try check(trial.folder, endings)
      #expect(try migrator.status(of: trial.store).recognition.version?.name == "V7")
      #expect(try migrator.snapshots(of: trial.store).snapshots.count == 1)
    }
  }

  @Test func `an apply and a rollback come one after the other, or not at all`() throws {
    let prepared = try prepare(.rollback)
    var random = SeededGenerator(seed: printedSeed())
    for _ in 0..<Self.rounds {
      let trial = try Trial(try #require(Programs.tool), copying: prepared)
      let endings = try run([Self.rollback, Self.apply], in: trial.folder, &random)
      let told = endings.map { "\($0.status) \($0.message)" }
      #expect(endings.allSatisfy { [0, 5].contains($0.status) }, "\(told)")
      #expect(endings.contains { $0.status == 0 }, "\(told)")
      try check(trial.folder, endings)
      let isApplied = endings[1].status == 0 && !endings[1].output.contains("\"snapshot\": null")
      let version = try migrator.status(of: trial.store).recognition.version?.name
      #expect(version == (isApplied || endings[0].status != 0 ? "V7" : "V6"), "\(told)")
    }
  }

  @Test func `rollbacks and prunes don't take each other's snapshots`() throws {
    let prepared = try prepare(.prune)
    var random = SeededGenerator(seed: printedSeed())
    for _ in 0..<Self.rounds {
      let trial = try Trial(try #require(Programs.tool), copying: prepared)
      let endings = try run(
        [Self.rollback, Self.prune, Self.rollback], in: trial.folder, &random)
      // A second rollback may find nothing left to roll back to, or later writes to the kept store.
      let told = endings.map { "\($0.status) \($0.message)" }
      #expect(endings.allSatisfy { [0, 1, 5, 7].contains($0.status) }, "\(told)")
      #expect(endings.contains { $0.status == 0 }, "\(told)")
      try check(trial.folder, endings)
    }
  }
}
