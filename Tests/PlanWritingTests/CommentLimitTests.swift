import SafeText
import TestSupport
import Testing

@testable import StoreMigration
@testable import PlanWriting
import Migrations

@Suite struct CommentLimitTests {
  /// A name of some length in which much would be markup.
  private func name(_ length: Int, _ random: inout some RandomNumberGenerator) -> String {
    let letters = Array("aZ9_`|<>&*#@[]~\\ é🙂")
    return String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  private func plan(_ random: inout some RandomNumberGenerator) -> Plan {
    func count() -> Int { [0, 1, 5, 30, 700].randomElement(using: &random) ?? 1 }
    func name() -> String {
      self.name([1, 20, 300, 3_000].randomElement(using: &random) ?? 1, &random)
    }
    let steps = (0...count()).map { _ in
      PlannedStep(
        migration: name(), verb: "drop", object: "\(name()).\(name())", newName: name(), rows: 1,
        isReversible: false)
    }
    return Plan(
      app: name(), from: name(), to: name(), migrations: ["V1-V2"], steps: steps, conversions: [],
      losses: (0..<count()).map { _ in PlannedLoss(step: name(), object: name(), rows: 3) },
      warnings: (0..<count()).map { _ in
        PlanWarning(code: name(), rows: 1, message: name(), eventTypes: [name(): 1])
      }, rowsWritten: 1, rows: .documented, delivery: nil, examples: [], neededBytes: 1)
  }

  @Test func `no comment is too long, whatever the names`() {
    let seed = printedSeed(below: 10_000)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<rounds(4, all: 10) {
      let outcome = PlanOutcome(
        path: name([3, 4_000].randomElement(using: &random) ?? 3, &random), bytes: 1,
        plan: plan(&random),
        options: [], accepted: [], file: nil, format: .markdown, reportsChanges: false)
      let text = PlanComment(outcome, Style()).text
      #expect(text.utf8.count < 65_000)
      let opened = text.matches(of: /\n<details><summary>/).count
      #expect(text.matches(of: /\n<\/details>/).count == opened)
    }
  }
}
