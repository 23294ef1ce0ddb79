import SafeText
import JSONText
import StoreMigration
import StoreProof

/// The report of `rollback` on one store.
struct RollbackOutcome: Report {
  let report: RollbackReport
  let laterWrites: LaterWrites?

  var hasChangedFiles: Bool { !report.isDryRun }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)),
      .init("from", .string(report.from)),
      .init("to", .string(report.to)),
      .init("snapshot", .string(report.snapshot)),
      .init("kept", JSONValue(report.kept)),
      .init("exact", .bool(report.isExact)),
      .init("changes", JSONValue(report.changes) { $0.json }),
      .init("merged", JSONValue(report.merged) { $0.json }),
      .init(
        "parked",
        JSONValue(report.parked.sorted { $0.key < $1.key }) {
          ["object": .string($0.key), "count": .int($0.value)]
        }),
      .init("parked_file", JSONValue(report.parkedFile)),
      .init("lacks_record", .bool(report.lacksRecord)),
      .init("dry_run", .bool(report.isDryRun)),
      .init("duration_ms", .int(report.durationMilliseconds)),
      .init("notes", JSONValue(report.notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let rows: [[Cell]] = [
      [
        "Store", Cell(report.path),
        Cell(report.from == report.to ? report.to : "\(report.from) -> \(report.to)"),
      ],
      ["Snapshot", Cell(report.snapshot)],
    ]
    return report.notes.map { "Note: " + $0.printable }
      + Columns(rows: rows, indent: 0).lines(style)
      + section("Later changes", report.changes.map(\.sentence))
      + section("Carried over", report.merged.map(\.sentence))
      + section("Parked: values and rows without a place in \(report.to)", parkedLines)
      + [""] + recordLines + conclusion(style)
  }

  private var recordLines: [String] {
    guard report.lacksRecord else { return [] }
    return [
      "'verify' makes fewer checks on the restored store: the record of the run that made it "
        + "isn't restored."
    ]
  }

  private var parkedLines: [String] {
    report.parked.sorted { $0.key < $1.key }.map { object, count in
      object.contains(".")
        ? "\(object)  \(count.counted("value"))" : "\(object)  \(count.counted("row"))"
    }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  " + $0.printable }
  }

  private var snapshotName: String {
    report.snapshot.split(separator: "/").last.map(String.init) ?? report.snapshot
  }

  private func conclusion(_ style: Style) -> [String] {
    let path = report.path.shellPath
    let style = style.needingMigrations(report.lacksMigrations)
    if report.isDryRun {
      let words =
        ["rollback", path, "--to", snapshotName.shellWord]
        + (laterWrites.map { ["--\($0.rawValue)-changes"] } ?? [])
      let first =
        report.changes.isEmpty
        ? "The snapshot is valid, and there are no later changes. Nothing has been written."
        : "The snapshot is valid. Nothing has been written."
      return [first, "To roll back:  \(style.command(words))"]
    }
    let duration = report.durationMilliseconds.milliseconds
    let command = report.undoneCommand.map { "as it was before '\($0)'".printable }
    let state =
      report.isExact
      ? "the store is exactly \(command ?? "as it was at \(report.to.printable)")"
      : "the store is \(command ?? "at \(report.to.printable)"), with the later changes"
    return [style(.good, "Rolled back:") + " \(state), in \(duration)."]
      + (report.parkedFile.map {
        ["Parked in \($0.printable); the next apply restores it."]
      } ?? [])
      + [
        "To undo this:     \(style.command(["rollback", path]))",
        "To inspect it:    \(style.command(["status", path]))",
      ]
  }
}

extension EntityChange {
  var json: JSONValue {
    [
      "entity": .string(entity), "added": .int(added), "changed": .int(changed),
      "removed": .int(removed),
    ]
  }
}
