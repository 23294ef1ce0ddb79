import PlanWriting
import SafeText
import StoreModel
import JSONText
import OutboxFormat
import StoreExchange
import StoreMigration
import Migrations
import StoreProof

/// The report of `verify` on one store.
struct VerifyOutcome: Report {
  let report: VerifyReport

  var exitStatus: ExitStatus { report.isPassed ? .done : .verificationFailed }

  private var match: Recognition.Match { report.recognition.match }

  var members: [JSONValue.Member] {
    let isCertain = match == .exact || match == .partial
    let version = VersionName(isCertain ? report.recognition.version : nil)
    return [.init("store", .string(report.path)), .init("ok", .bool(report.isPassed))]
      + version.members + [
        .init("match", .string(match.rawValue)),
        .init("checks", JSONValue(report.checks) { $0.json }),
        .init("warnings", JSONValue(report.warnings) { $0.json }),
        .init("receipt", report.receipt?.json ?? .null),
        .init("changes", JSONValue(report.receipt?.changes ?? []) { $0.json }),
        .init("queue", report.queue?.json ?? .null),
      ]
  }

  func lines(_ style: Style) -> [String] {
    let head = Columns(
      rows: [["Store", Cell(report.path), Cell(matchText)]] + receiptRows, indent: 0)
    return head.lines(style) + [""] + report.checks.flatMap { lines(of: $0, style) }
      + changeLines + (report.queue?.lines(style) ?? [])
      + report.warnings.section(style) + [""] + conclusion(style)
  }

  private var receiptRows: [[Cell]] {
    report.receipt.map { receipt in
      [["Receipt", Cell(receipt.snapshot), Cell("\(receipt.sentence)")]]
    } ?? []
  }

  private var changeLines: [String] {
    guard let receipt = report.receipt else { return [] }
    let lines =
      (receipt.changes ?? []).map(\.sentence) + [receipt.files.sentence].compactMap(\.self)
    return lines.isEmpty ? [] : ["", "Changed since"] + lines.map { "  " + $0.printable }
  }

  private var matchText: String {
    guard let version = report.recognition.version, match == .exact || match == .partial else {
      return report.recorded.map { "\($0), by its receipt".printable } ?? match.rawValue
    }
    return "\(version.title), \(match.rawValue)"
  }

  private func lines(of check: VerifyReport.Check, _ style: Style) -> [String] {
    let width = report.checks.map(\.name.count).max() ?? 0
    let leader = String(repeating: ".", count: width - check.name.count + 3)
    let answer =
      if let reason = check.uncheckedReason {
        style(.changed, "not checked") + ": " + reason.printable
      } else {
        !check.isPassed
          ? style(.bad, "failed")
          : hasWarning(about: check) ? style(.changed, "ok, with a warning") : style(.good, "ok")
      }
    return ["  * \(check.name.printable) \(leader) \(answer)"]
      + check.details.map { "      " + $0.printable }
  }

  /// Whether a warning below is about the subject of a check.
  private func hasWarning(about check: VerifyReport.Check) -> Bool {
    report.warnings.contains { $0.code == check.name }
  }

  private func conclusion(_ style: Style) -> [String] {
    let failed = report.checks.count { !$0.isPassed }
    let unchecked = report.checks.count { $0.uncheckedReason != nil }
    let rest = unchecked == 0 ? "" : ", \(unchecked) not checked"
    if failed == 0 {
      let passed = report.checks.count - unchecked
      return [style(.good, "Verified:") + " \(passed.counted("check")) passed\(rest)."]
    }
    return [
      style(.bad, "Verification failed:")
        + " \(failed) of \(report.checks.count.counted("check"))\(rest)."
    ]
      + (report.isDamaged
        ? ["To see what to do:  \(style.command(["diagnose", report.path.shellPath]))"] : [])
  }
}

extension ReceiptComparison {
  fileprivate var sentence: String {
    "\(kind.rawValue) \(from) -> \(to), \(time), "
      + (isUnchanged ? "unchanged since" : "changed since")
  }

  fileprivate var json: JSONValue {
    [
      "snapshot": .string(snapshot), "kind": .string(kind.rawValue), "from": .string(from),
      "to": .string(to), "time": .string(time), "tool": .string(tool),
      "unchanged": .bool(isUnchanged), "told": .bool(changes != nil),
      "files": [
        "added": .int(files.added), "changed": .int(files.changed), "removed": .int(files.removed),
      ],
    ]
  }
}

extension FileChanges {
  /// The changes as a sentence; `nil` if there are none.
  fileprivate var sentence: String? {
    let parts = [(added, "added"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
    guard let first = parts.first else { return nil }
    let rest = parts.dropFirst().map { "\($0.0.grouped) \($0.1)" }
    return (["\(first.0.counted("file")) of external storage \(first.1)"] + rest)
      .joined(separator: ", ")
  }
}

extension VerifyReport.Check {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "ok": .bool(isPassed), "checked": .bool(uncheckedReason == nil),
      "detail": JSONValue(
        uncheckedReason ?? (details.isEmpty ? nil : details.joined(separator: "; "))),
    ]
  }
}
