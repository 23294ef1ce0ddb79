import JSONText
import StoreMigration

/// What `rollback` says of one store.
struct RollbackOutcome: Report {
  let report: RollbackReport

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)),
      .init("from", .string(report.from)),
      .init("to", .string(report.to)),
      .init("snapshot", .string(report.snapshot)),
      .init("dry_run", .bool(report.isDryRun)),
      .init("duration_ms", .int(report.durationMilliseconds)),
      .init("notes", JSONValue(report.notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let rows: [[Cell]] = [
      ["Store", Cell(report.path), Cell("\(report.from) -> \(report.to)")],
      ["Snapshot", Cell(report.snapshot)],
    ]
    return report.notes.map { "Note: " + $0.printable }
      + Columns(rows: rows, indent: 0).lines(style)
      + [""] + conclusion(style)
  }

  private var snapshotName: String {
    report.snapshot.split(separator: "/").last.map(String.init) ?? report.snapshot
  }

  private func conclusion(_ style: Style) -> [String] {
    let path = report.path.shellPath
    if report.isDryRun {
      return [
        "The snapshot is sound and nothing was written since. Nothing has been changed.",
        "To do it:  \(style.command(["rollback", path, "--to", snapshotName.shellWord]))",
      ]
    }
    let duration = report.durationMilliseconds.milliseconds
    return [
      style(.good, "Rolled back:") + " the store is as it was at \(report.to.printable), "
        + "in \(duration).",
      "To look at it:  \(style.command(["status", path]))",
    ]
  }
}
