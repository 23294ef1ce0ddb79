import JSONText
import SafeText
import StoreDiagnosis
import StoreMigration
import StoreRepair

/// The report of `repair`.
struct RepairedStore: Report {
  let report: RepairReport

  /// A Boolean value indicating whether the command ran with `--dry-run`.
  let isDryRun: Bool

  var hasChangedFiles: Bool { report.snapshot != nil }

  var exitStatus: ExitStatus { report.isWhole ? .done : .failed }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)), .init("app", .string(report.app)),
      .init("version", .string(report.version)),
      .init("evidence", .string(report.evidence.rawValue)), .init("whole", .bool(report.isWhole)),
      .init("mended", JSONValue(report.mends) { $0.json }),
      .init("lost", JSONValue(report.losses) { $0.json }),
      .init("left", JSONValue(report.left) { $0.leftJSON }),
      .init("ledger", JSONValue(report.ledger) { $0.json }),
      .init("snapshot", JSONValue(report.snapshot)), .init("dry_run", .bool(isDryRun)),
      .init("notes", JSONValue(report.notes) { .string($0) }),
      .init("duration_ms", .int(report.durationMilliseconds)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let snapshot: [[Cell]] = report.snapshot.map { [["Snapshot", Cell($0)]] } ?? []
    let version = "\(report.path)   \(report.app) \(report.version), \(report.evidence.words)"
    let head = Columns(rows: [["Store", Cell(version)]] + snapshot, indent: 0).lines(style)
    let left = report.left.flatMap { cause in
      ["  \(cause.sentence.printable) [\(cause.code.rawValue)]"]
        + cause.evidence.map { "    \($0.printable)" }
        + (cause.code == .missingValues
          ? ["    Give a value with --fill ENTITY.ATTRIBUTE=VALUE."] : [])
    }
    return report.notes.map { "Note: \($0.printable)." } + head
      + section(
        isDryRun ? "Would be mended" : "Mended",
        report.mends.flatMap {
          ["  \($0.sentence.printable) [\($0.kind.rawValue)]"] + keyLines($0.keys, of: $0.count)
        })
      + section(
        "Lost",
        report.losses.flatMap {
          ["  \($0.sentence.printable)"] + keyLines($0.keys, of: $0.count)
        })
      + section("Left as it is", left) + ["", conclusion(style)] + nextStep(style)
  }

  private func nextStep(_ style: Style) -> [String] {
    guard report.snapshot != nil else { return [] }
    return ["", "To roll back:  \(style.command(["rollback", report.path.shellPath]))"]
  }

  /// Returns the line with the keys of the first rows, if any are known.
  private func keyLines(_ keys: [Int64], of count: Int64?) -> [String] {
    guard !keys.isEmpty else { return [] }
    let rest = (count ?? 0) - Int64(keys.count)
    let shown = keys.map(String.init).joined(separator: ", ")
    return ["    keys: \(shown)" + (rest > 0 ? " and \(rest) more" : "")]
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", "\(title):"] + lines
  }

  private func conclusion(_ style: Style) -> String {
    let written = isDryRun ? " Nothing has been written." : ""
    switch (report.mends.isEmpty, report.isWhole) {
    case (true, true): return "\(style(.good, "Nothing to mend:")) the store is in order." + written
    case (true, false):
      return "\(style(.bad, "Nothing was mended:")) see what is left above." + written
    case (false, true) where !report.losses.isEmpty:
      return
        "\(style(.changed, isDryRun ? "Would be mended with losses:" : "Mended with losses:")) "
        + "see what is lost above." + written
    case (false, true):
      return "\(style(.good, isDryRun ? "Everything would be mended." : "Everything was mended."))"
        + written
    case (false, false):
      return
        "\(style(.bad, isDryRun ? "Not everything would be mended:" : "Not everything was mended:")) "
        + "see what is left above." + written
    }
  }
}

extension ModelEvidence {
  /// How the version was found, in words.
  fileprivate var words: String {
    switch self {
    case .hashes: "by the hashes in its metadata"
    case .cache: "by the model in its cache"
    case .tables: "by its tables"
    case .given: "as given"
    }
  }
}

extension Mend {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "name": .string(name), "count": .int(count),
      "keys": JSONValue(keys) { .int($0) }, "message": .string(sentence),
    ]
  }
}

extension RepairLoss {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "count": count.map { .int($0) } ?? .null,
      "keys": JSONValue(keys) { .int($0) }, "message": .string(sentence),
    ]
  }
}

extension TableAccount {
  fileprivate var json: JSONValue {
    [
      "table": .string(table), "entity": JSONValue(entity), "rows": .int(rows),
      "unchanged": .int(unchanged), "changed": .int(changed), "removed": .int(removed),
      "lost": .int(lost),
    ]
  }
}

extension Diagnosis.Cause {
  fileprivate var leftJSON: JSONValue {
    [
      "code": .string(code.rawValue), "message": .string(sentence),
      "evidence": JSONValue(evidence) { .string($0) },
    ]
  }
}
