import CheckReports
import InputFiles
import SafeText
import StoreModel
import FixtureCheck
import JSONText
import StoreMigration
import OutboxConversion
import StoreProof

/// The result of one fixture.
struct FixtureOutcome: Hashable {
  /// The folder, as typed or found.
  let folder: String

  let result: Result<FixtureReport, Failure>

  var exitStatus: ExitStatus {
    switch result {
    case .success(let report): report.isPassed ? .done : .verificationFailed
    case .failure(let failure): failure.status
    }
  }
}

/// The report of `fixture check`.
struct CheckedFixtures: Report {
  let outcomes: [FixtureOutcome]
  let isRecording: Bool
  let showsValues: Bool
  let format: TestFormat

  var exitStatus: ExitStatus {
    outcomes.map(\.exitStatus).max { $0.rawValue < $1.rawValue } ?? .done
  }

  var members: [JSONValue.Member] {
    [.init("fixtures", JSONValue(outcomes) { json(of: $0) })]
  }

  func lines(_ style: Style) -> [String] {
    switch format {
    case .text, .json: textLines(style)
    case .junit: JUnitReport(command: "fixture check", suites).lines
    case .github: GitHubAnnotations(suites.flatMap(\.findings)).lines
    }
  }

  /// The fixtures as tests, each with the differences as reasons.
  private var suites: [CheckSuite] {
    outcomes.map { outcome in
      let result: CheckSuite.Result =
        switch outcome.result {
        case .success(let report) where report.isPassed: .passed
        case .success(let report): .failed(reasons(of: report))
        case .failure(let failure): .error(failure.message)
        }
      let warnings = (try? outcome.result.get())?.warnings ?? []
      return CheckSuite(
        path: outcome.folder,
        [
          .init(
            "expected-rows", result, warnings: warnings.map { "\($0.code): \($0.message)" })
        ])
    }
  }

  private func textLines(_ style: Style) -> [String] {
    let heads = Columns(rows: outcomes.map { cells(of: $0) }).lines(style)
    let body = zip(outcomes, heads).flatMap { [$1] + details(of: $0) }
    return body + ["", conclusion(style)] + hint(style)
  }
}

// MARK: - For people

extension CheckedFixtures {
  private func cells(of outcome: FixtureOutcome) -> [Cell] {
    switch outcome.result {
    case .success(let report):
      let versions = report.from == report.to ? report.to : "\(report.from) -> \(report.to)"
      let end: Cell =
        report.isPassed
        ? Cell(isRecording ? "recorded" : "ok", .good)
        : Cell(report.differenceCount.counted("difference"), .bad)
      return [
        Cell(outcome.folder), Cell("\(report.app) \(versions)"), Cell(report.rows.counted("row")),
        end,
      ]
    case .failure: return [Cell(outcome.folder), "", "", Cell("failed", .bad)]
    }
  }

  private func details(of outcome: FixtureOutcome) -> [String] {
    guard case .success(let report) = outcome.result else { return [] }
    return report.warnings.map { "      \($0.code): \($0.message)".printable }
      + reasons(of: report).map { "      " + $0.printable }
  }

  /// Returns the differences as sentences.
  private func reasons(of report: FixtureReport) -> [String] {
    let rest = report.differenceCount - report.differences.count
    return report.differences.map { sentence(of: $0) }
      + (rest > 0 ? ["… and \(rest.grouped) more"] : [])
  }

  private func sentence(of difference: FixtureDifference) -> String {
    let row = difference.entity.map { "\($0)/\(difference.key ?? 0): " } ?? ""
    let object = difference.property.map { "'\($0)'" } ?? "the row"
    switch difference.change {
    case .missing: return "\(row)\(object) is missing\(values(of: difference))"
    case .unexpected: return "\(row)\(object) is unexpected\(values(of: difference))"
    case .changed: return "\(row)\(object) differs\(values(of: difference))"
    }
  }

  private func values(of difference: FixtureDifference) -> String {
    guard showsValues else { return "" }
    let parts = [
      difference.expected.map { "expected \($0)" }, difference.found.map { "found \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  private func conclusion(_ style: Style) -> String {
    let failed = outcomes.count { $0.exitStatus != .done }
    let all = outcomes.count.counted("fixture")
    if failed > 0 { return style(.bad, "Failed:") + " \(failed.grouped) of \(all)." }
    return isRecording
      ? style(.good, "Recorded:") + " \(all). Review expected.txt before you commit it."
      : style(.good, "Checked:") + " \(all)."
  }

  private func hint(_ style: Style) -> [String] {
    let differing = outcomes.first { outcome in
      if case .success(let report) = outcome.result { !report.isPassed } else { false }
    }
    guard let differing else { return [] }
    let words = ["fixture", "check", "--record", differing.folder.shellPath]
    return ["To accept the differences:  \(style.command(words))"]
  }
}

// MARK: - For scripts

extension CheckedFixtures {
  private func json(of outcome: FixtureOutcome) -> JSONValue {
    let head: [JSONValue.Member] = [
      .init("folder", .string(outcome.folder)), .init("ok", .bool(outcome.exitStatus == .done)),
    ]
    switch outcome.result {
    case .failure(let failure): return .object(head + [.init("error", failure.json)])
    case .success(let report):
      return .object(
        head + [
          .init("app", .string(report.app)), .init("from", .string(report.from)),
          .init("to", .string(report.to)), .init("rows", .int(report.rows)),
          .init("difference_count", JSONValue(report.differenceCount)),
          .init("differences", JSONValue(report.differences) { json(of: $0) }),
          .init("warnings", JSONValue(report.warnings) { $0.json }),
        ])
    }
  }

  private func json(of difference: FixtureDifference) -> JSONValue {
    let members: [JSONValue.Member] = [
      .init("change", .string(difference.change.rawValue)),
      .init("entity", JSONValue(difference.entity)),
      .init("key", difference.key.map { .int($0) } ?? .null),
      .init("attribute", JSONValue(difference.property)),
    ]
    let values: [JSONValue.Member] = [
      .init("expected", JSONValue(difference.expected)),
      .init("found", JSONValue(difference.found)),
    ]
    return .object(members + (showsValues ? values : []))
  }
}
