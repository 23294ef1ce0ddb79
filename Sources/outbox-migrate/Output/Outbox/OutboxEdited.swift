import JSONText
import StoreMigration
package import RowRewriting

/// What a command says that wrote to an outbox, or would.
struct OutboxEdited: Report {
  let report: EditReport

  /// A Boolean value indicating whether nothing was written.
  let isDryRun: Bool

  /// What was counted, by the keys of the JSON object.
  let counts: [(key: String, count: Int)]

  /// The same, in words.
  let sentence: String

  var isOfChange: Bool { report.snapshot != nil }

  var members: [JSONValue.Member] {
    [.init("store", .string(report.path))] + counts.map { .init($0.key, JSONValue($0.count)) } + [
      .init("snapshot", JSONValue(report.snapshot)), .init("dry_run", .bool(isDryRun)),
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
      + [sentence + (isDryRun ? " Nothing has been written." : "")]
  }
}
