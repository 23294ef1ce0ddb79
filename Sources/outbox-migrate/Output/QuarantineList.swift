import SafeText
import StoreModel
import Migrations
import JSONText
import StoreMigration
import OutboxConversion

/// The report of `quarantine list` on one store.
struct QuarantineList: Report {
  let report: QuarantineReport

  /// The maximum number of rows to list for people.
  let limit: Int

  var exitStatus: ExitStatus { .done }

  private var count: Int64 { report.counts.values.reduce(0, +) }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)), .init("file", .string(report.file)),
      .init("from", .string(report.from)), .init("to", .string(report.to)),
      .init("count", .int(count)), .init("back", .int(report.back)),
      .init("reasons", report.counts.json),
      .init("rows", JSONValue(report.rows) { $0.json }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let head = Columns(
      rows: [
        ["Store", Cell(report.path), Cell("from \(report.from)")],
        ["Quarantine", Cell(report.file), Cell(count.counted("row"))],
      ], indent: 0
    ).lines(style)
    let shown = report.rows.prefix(limit)
    let rest = count - Int64(shown.count)
    let isMore = limit < QuarantineReport.limit
    let advice = isMore ? "; to list them, raise '--limit'" : "; the file has them all"
    return head + [""] + Columns(rows: shown.map(\.cells)).lines(style)
      + (rest > 0 ? ["  and \(rest.counted("more row"))\(advice)"] : [])
  }
}

/// The report of `quarantine restore` on one store.
struct RestoredQuarantine: Report {
  let report: QuarantineRestoreReport
  let isDryRun: Bool

  var exitStatus: ExitStatus { .done }
  var hasChangedFiles: Bool { report.snapshot != nil }

  /// The number of rows that aren't restored.
  private var remaining: Int64 {
    report.staying.values.reduce(0, +) + report.settled + report.taken + report.withheld
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)), .init("form", .string(report.form.rawValue)),
      .init("snapshot", JSONValue(report.snapshot)), .init("dry_run", .bool(isDryRun)),
      .init("restored", .int(report.restored)), .init("present", .int(report.present)),
      .init("taken", .int(report.taken)), .init("withheld", .int(report.withheld)),
      .init("settled", .int(report.settled)), .init("staying", report.staying.json),
      .init("notes", JSONValue(report.notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let others: [(Int64, String)] = [
      (report.withheld, "with a password or token; to restore one, name the row"),
      (report.taken, "their keys are taken by other rows now"),
      (report.settled, "other rows undo them, or send the same"),
    ]
    let reasons =
      QuarantineReason.allCases.compactMap { reason in
        report.staying[reason].map { [Cell($0.counted("row")), Cell(reason.meaning)] }
      } + others.filter { $0.0 > 0 }.map { [Cell($0.0.counted("row")), Cell($0.1)] }
    var lines = report.notes.map { "Note: " + $0.printable }
    if !reasons.isEmpty {
      lines += ["Not restored"] + Columns(rows: reasons, rightAligned: [0]).lines(style) + [""]
    }
    if let snapshot = report.snapshot { lines += ["Snapshot   \(snapshot.printable)", ""] }
    let head = isDryRun ? "Would restore:" : style(.good, "Restored:")
    return lines + [
      "\(head) \(report.restored.counted("row")); "
        + "\(report.present.grouped) restored earlier, \(remaining.grouped) not restored."
        + (isDryRun ? " Nothing has been written." : "")
    ]
      + (report.snapshot == nil ? [] : next(style))
  }
}

extension RestoredQuarantine {
  private func next(_ style: Style) -> [String] {
    let path = report.path.shellPath
    let check =
      report.form == .deliverable
      ? []
      : [
        "To see what the app does with them:  "
          + style.command(["verify", path, "--deliverable"])
      ]
    return check + ["To roll back:  " + style.command(["rollback", path])]
  }
}

extension QuarantineReport.Row {
  /// A row of a table: name, event type, reason, whether it is restored.
  fileprivate var cells: [Cell] {
    [
      Cell("SDOutboxEvent/\(key)"), Cell(eventType ?? "other"), Cell(reason.rawValue),
      Cell(isBack ? "restored" : ""),
    ]
  }

  fileprivate var json: JSONValue {
    [
      "key": .int(key), "event_type": JSONValue(eventType), "reason": .string(reason.rawValue),
      "back": .bool(isBack),
    ]
  }
}

extension [QuarantineReason: Int64] {
  /// The counts by reason.
  fileprivate var json: JSONValue {
    .object(
      QuarantineReason.allCases.compactMap { reason in
        self[reason].map { .init(reason.rawValue, .int($0)) }
      })
  }
}
