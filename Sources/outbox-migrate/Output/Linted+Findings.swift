import InputFiles
import CheckReports
import MigrationAuthoring
import Migrations
import SourceDeclarations
import SwiftModels

extension Linted {
  /// The findings of all paths, in the form of other tools.
  var findings: [CheckFinding] {
    outcomes.flatMap { outcome -> [CheckFinding] in
      switch outcome.subject {
      case .files(_, let findings): findings.map { CheckFinding($0, in: outcome.path) }
      case .store(let report): report.findings.map { CheckFinding($0, in: outcome.path) }
      case .source(_, let findings): findings.map { CheckFinding($0) }
      case nil: []
      }
    }
  }

  /// What couldn't be checked, as errors about the paths.
  var failures: [CheckFinding] {
    outcomes.compactMap { outcome in
      guard case .failure(let failure) = outcome.result else { return nil }
      return CheckFinding(
        rule: "not-checked", level: .error, path: outcome.path, message: failure.message)
    }
  }

  /// The findings as a SARIF log.
  var sarif: SARIFLog {
    SARIFLog(
      toolVersion: toolVersion, findings: findings,
      failures: failures.map { ($0.path.map { $0 + ": " } ?? "") + $0.message })
  }
}

extension CheckFinding {
  /// Creates the form of a finding in a file or in a store at a path; without one, in a bundled file.
  fileprivate init(_ finding: LintFinding, in path: String?) {
    let place = finding.place.map { FilePlace($0) }
    let rows = finding.rows.map { " (\($0))" } ?? ""
    self.init(
      rule: finding.rule.rawValue, level: finding.severity == .error ? .error : .note,
      path: path.map { place?.name ?? $0 }, line: place?.line, column: place?.column,
      object: finding.object ?? finding.migration, message: finding.message + rows)
  }

  /// Creates the form of a finding in Swift source.
  fileprivate init(_ finding: SourceFinding) {
    self.init(
      rule: finding.rule.rawValue, level: finding.severity == .error ? .error : .note,
      path: finding.place.file, line: finding.place.position.line,
      column: finding.place.position.column, object: finding.object, message: finding.message)
  }
}

/// A place as text: a file, with line and column if they are known, as `V6-V7.json:3:5`.
private struct FilePlace {
  let name: String
  var line: Int?
  var column: Int?

  init(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 2, let line = Int(parts[parts.count - 2]),
      let column = Int(parts.last ?? "")
    else {
      name = text
      return
    }
    name = parts.dropLast(2).joined(separator: ":")
    (self.line, self.column) = (line, column)
  }
}
