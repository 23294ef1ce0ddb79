import PlanWriting
import SafeText
import JSONText
import StoreMigration

/// The report of a command that edits an outbox.
struct OutboxEdited: Report {
  let report: EditReport

  /// A Boolean value indicating whether the command ran with `--dry-run`.
  let isDryRun: Bool

  /// The warnings about the rows of the outbox.
  let warnings: [PlanWarning]

  /// The counts, with their keys in the JSON object.
  let counts: [(key: String, count: Int)]

  /// The counts as a sentence.
  let sentence: String

  var hasChangedFiles: Bool { report.snapshot != nil }

  var members: [JSONValue.Member] {
    [.init("store", .string(report.path))] + counts.map { .init($0.key, JSONValue($0.count)) } + [
      .init("snapshot", JSONValue(report.snapshot)), .init("dry_run", .bool(isDryRun)),
      .init("warnings", JSONValue(warnings) { $0.json }),
      .init("notes", JSONValue(report.notes) { .string($0) }),
      .init("duration_ms", .int(report.durationMilliseconds)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let snapshot: [[Cell]] = report.snapshot.map { [["Snapshot", Cell($0)]] } ?? []
    let head = Columns(
      rows: [["Store", Cell("\(report.path)   \(report.app) \(report.version)")]] + snapshot,
      indent: 0)
    return report.notes.map { "Note: " + $0.printable } + head.lines(style)
      + warnings.section(style) + (warnings.isEmpty ? [] : [""])
      + [sentence + (isDryRun ? " Nothing has been written." : "")]
  }
}
