import CheckReports
import InputFiles
import PlanWriting
import SafeText
import JSONText
import MigrationAuthoring
import StoreMigration
import OutboxConversion
import StoreProof
import SwiftModels

/// The result of `lint` on one path.
struct LintOutcome: Hashable {
  /// The files or the store that were checked.
  enum Subject: Hashable {
    case files(count: Int, [LintFinding])
    case store(StoreLintReport)
    case source(count: Int, [SourceFinding])

    /// The numbers of errors and of other findings.
    var counts: (errors: Int, notes: Int) {
      let isError: [Bool] =
        switch self {
        case .files(_, let findings): findings.map { $0.severity == .error }
        case .store(let report): report.findings.map { $0.severity == .error }
        case .source(_, let findings): findings.map { $0.severity == .error }
        }
      let errors = isError.count { $0 }
      return (errors, isError.count - errors)
    }
  }

  /// The path, as typed; `nil` for the bundled files.
  let path: String?

  let result: Result<Subject, Failure>

  /// What was checked; `nil` if that failed.
  var subject: Subject? { try? result.get() }

  var exitStatus: ExitStatus {
    if case .failure(let failure) = result { return failure.status }
    return subject.map { $0.counts.errors > 0 } == true ? .failed : .done
  }
}

/// The report of `lint`.
struct Linted: Report {
  let outcomes: [LintOutcome]
  let format: FindingFormat

  var exitStatus: ExitStatus {
    outcomes.map(\.exitStatus).max { $0.rawValue < $1.rawValue } ?? .done
  }

  private var counts: (errors: Int, notes: Int) {
    let all = outcomes.compactMap { $0.subject?.counts }
    return (all.reduce(0) { $0 + $1.errors }, all.reduce(0) { $0 + $1.notes })
  }

  func lines(_ style: Style) -> [String] {
    switch format {
    case .text, .json: textLines(style)
    case .sarif: [sarif.json.text(.pretty)]
    case .github: GitHubAnnotations(findings + failures).lines
    }
  }

  private func textLines(_ style: Style) -> [String] {
    let failed = outcomes.count { $0.subject == nil }
    // The errors have been printed; without a checked path, there is nothing to count.
    if failed == outcomes.count { return [] }
    let (errors, notes) = counts
    let head = style(errors + failed == 0 ? .good : .bad, "Lint:")
    let rest = failed == 0 ? "" : "; \(failed.counted("path")) couldn't be checked"
    return outcomes.flatMap { lines(of: $0, style) + [""] }
      + ["\(head) \(errors.counted("error")), \(notes.counted("note"))\(rest)."]
  }

  var members: [JSONValue.Member] {
    [
      .init("ok", .bool(exitStatus == .done)), .init("errors", JSONValue(counts.errors)),
      .init("notes", JSONValue(counts.notes)),
      .init("checked", JSONValue(outcomes) { .object(Self.members(of: $0)) }),
    ]
  }
}

// MARK: - For people

extension Linted {
  private func lines(of outcome: LintOutcome, _ style: Style) -> [String] {
    let path = Cell(outcome.path ?? "bundled files")
    switch outcome.result {
    case .failure: return Columns(rows: [["Failed", path]], indent: 0).lines(style)
    case .success(.files(let count, let findings)):
      return Columns(rows: [["Files", path, Cell(count.counted("file"))]], indent: 0).lines(style)
        + body(findings, style)
    case .success(.store(let report)):
      let versions = report.from == report.to ? report.to : "\(report.from) -> \(report.to)"
      return Columns(rows: [["Store", path, Cell("\(report.app) \(versions)")]], indent: 0).lines(
        style)
        + report.warnings.section(style) + body(report.findings, style)
    case .success(.source(let count, let findings)):
      return Columns(rows: [["Source", path, Cell(count.counted("file"))]], indent: 0).lines(style)
        + (findings.isEmpty ? ["", "  no findings"] : [""] + findings.flatMap { $0.lines(style) })
    }
  }

  /// Returns the findings, grouped by message, with the message below each group.
  private func body(_ findings: [LintFinding], _ style: Style) -> [String] {
    if findings.isEmpty { return ["", "  no findings"] }
    let table = Columns(rows: findings.map(\.cells), rightAligned: [3]).lines(style)
    let lines = findings.indices.flatMap { index -> [String] in
      let isLast =
        index == findings.count - 1 || findings[index + 1].message != findings[index].message
        || findings[index + 1].migration != findings[index].migration
      return [table[index]] + (isLast ? ["    " + findings[index].message.printable] : [])
    }
    return [""] + lines
  }
}

extension LintFinding {
  /// A row of a table: code, position or migration, object, count, what the plan does instead.
  fileprivate var cells: [Cell] {
    let tone: Style.Tone = severity == .error ? .bad : .changed
    let isOfValues = rule == .valuesDropped || rule == .typeChanged
    return [
      Cell(severity == .error ? rule.rawValue : "\(rule.rawValue) (note)", tone),
      Cell(place ?? migration ?? ""), Cell(object ?? ""),
      Cell(rows.map { $0.counted(isOfValues ? "value" : "row") } ?? ""), Cell(remedy ?? ""),
    ]
  }
}

extension SourceFinding {
  /// A line with the code, the place and the object, and one with the message.
  fileprivate func lines(_ style: Style) -> [String] {
    let code = Cell(
      severity == .error ? rule.rawValue : "\(rule.rawValue) (note)",
      severity == .error ? .bad : .changed)
    return Columns(rows: [[code, Cell("\(place)"), Cell(object ?? "")]]).lines(style)
      + ["    " + message.printable]
  }
}

// MARK: - For scripts

extension Linted {
  private static func members(of outcome: LintOutcome) -> [JSONValue.Member] {
    let path = JSONValue.Member("path", JSONValue(outcome.path))
    switch outcome.result {
    case .failure(let failure): return [path, .init("error", failure.json)]
    case .success(.files(let count, let findings)):
      return [
        path, .init("kind", "files"), .init("files", JSONValue(count)), .init("app", nil),
        .init("from", nil), .init("to", nil), .init("findings", JSONValue(findings) { $0.json }),
        .init("warnings", .array([])),
      ]
    case .success(.store(let report)):
      return [
        path, .init("kind", "store"), .init("files", nil), .init("app", .string(report.app)),
        .init("from", .string(report.from)), .init("to", .string(report.to)),
        .init("findings", JSONValue(report.findings) { $0.json }),
        .init("warnings", JSONValue(report.warnings) { $0.json }),
      ]
    case .success(.source(let count, let findings)):
      return [
        path, .init("kind", "source"), .init("files", JSONValue(count)), .init("app", nil),
        .init("from", nil), .init("to", nil), .init("findings", JSONValue(findings) { $0.lint }),
        .init("warnings", .array([])),
      ]
    }
  }
}

extension SourceFinding {
  /// The finding with the keys of all findings of `lint`.
  fileprivate var lint: JSONValue {
    [
      "severity": .string(severity == .error ? "error" : "note"), "code": .string(rule.rawValue),
      "place": .string("\(place)"), "migration": nil, "object": JSONValue(object), "rows": nil,
      "message": .string(message), "remedy": nil,
    ]
  }
}

extension LintFinding {
  fileprivate var json: JSONValue {
    [
      "severity": .string(severity.rawValue), "code": .string(rule.rawValue),
      "place": JSONValue(place), "migration": JSONValue(migration), "object": JSONValue(object),
      "rows": rows.map { .int($0) } ?? .null, "message": .string(message),
      "remedy": JSONValue(remedy),
    ]
  }
}
