import SafeText
import StoreModel
import JSONText
import StoreMigration

/// The report of `snapshot prune` on one store.
struct PrunedSnapshots: Report {
  let report: SnapshotPruneReport

  var hasChangedFiles: Bool { !report.isDryRun && !report.removed.isEmpty }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)),
      .init("removed", JSONValue(report.removed) { .string($0.name) }),
      .init("kept", JSONValue(report.kept) { .string($0.name) }),
      .init("spared", JSONValue(report.spared)),
      .init("quarantined", JSONValue(report.quarantined) { .string($0) }),
      .init(
        "problems",
        JSONValue(report.kept.filter { $0.problem != nil }) {
          ["name": .string($0.name), "problem": JSONValue($0.problem)]
        }),
      .init("bytes", .int(bytes)),
      .init("dry_run", .bool(report.isDryRun)),
      .init("notes", JSONValue(report.notes) { .string($0) }),
    ]
  }

  private var bytes: Int64 { report.removed.reduce(0) { $0 + $1.bytes } }

  func lines(_ style: Style) -> [String] {
    let verb = report.isDryRun ? "Would remove" : "Removed"
    let problems = report.kept.compactMap { snapshot in
      snapshot.problem.map { "Not removed: '\(snapshot.name)', \($0)".printable }
    }
    return report.notes.map { "Note: " + $0.printable }
      + report.removed.map { "  - \($0.name.printable)   \($0.bytes.byteSize)" }
      + problems + sparedLines
      + [
        report.removed.isEmpty
          ? "Nothing to remove; \(report.kept.count.counted("snapshot")) kept."
          : "\(verb) \(report.removed.count.counted("snapshot")), \(bytes.byteSize); "
            + "\(report.kept.count.grouped) kept."
      ]
  }

  private var sparedLines: [String] {
    report.quarantined.map {
      "Kept: '\($0)', because its quarantined rows are nowhere else; '--force' removes it".printable
    }
      + (report.spared.map {
        ["Kept: '\($0)', because 'rollback' would restore it; '--force' removes it".printable]
      } ?? [])
  }
}
