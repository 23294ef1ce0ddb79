import JSONText
import OutboxConversion
import StoreMigration

extension JSONForm {
  static let snapshot = JSONForm(
    "A snapshot.",
    [
      .text("name", "The folder's name."), .text("path", "The folder's path."),
      .name("state", of: SnapshotReport.State.self, "Whether it is complete."),
      .required(
        "kind", .orNull(.name(of: SnapshotReport.kinds)), "The kind of its run, or null."),
      .textOrNull("command", "The command of an edit, or null."),
      .textOrNull("app", "The app, or null."), .textOrNull("from", "The version before, or null."),
      .textOrNull("to", "The version afterwards, or null."),
      .textOrNull("time", "When its run began, in UTC, or null."),
      .count("bytes", "The size on the disk, in bytes."),
      .flag("next", "Whether 'rollback' without '--to' goes back to it."),
      .required(
        "sound", .orNull(.boolean), "With '--check', whether it matches its receipt; else null."),
      .textOrNull("problem", "The mismatch, or null."),
    ])
}

extension ReportFormat {
  static let snapshotList = ofStores(
    "snapshot list",
    [
      JSONForm(
        "The snapshots of a store.",
        .store + [.list("snapshots", .snapshot, "The snapshots, oldest first.")])
    ], several: true)

  static let snapshotPrune = ofStores(
    "snapshot prune",
    [
      JSONForm(
        "The snapshots that were removed and kept.",
        .store + [
          .texts("removed", "The names of those that were removed, oldest first."),
          .texts("kept", "The names of the others, oldest first."),
          .textOrNull("spared", "The one that was kept because 'rollback' needs it, or null."),
          .texts("quarantined", "Those that were kept because of their quarantined rows."),
          .list(
            "problems",
            JSONForm(
              "A snapshot that was skipped.",
              [.text("name", "Its name."), .text("problem", "The reason.")]),
            "The snapshots that were skipped."),
          .count("bytes", "The size of the removed ones on the disk, in bytes."),
          .flag("dry_run", "Whether nothing was written."),
        ] + .notes)
    ], several: true)

  static let quarantineList = ofStores(
    "quarantine list",
    [
      JSONForm(
        "The rows in quarantine.",
        .store + [
          .text("file", "The path of the quarantine file."),
          .text("from", "The version before the apply."), .text("to", "The version afterwards."),
          .count("count", "The rows in the file."),
          .count("back", "Those that are in the store again."),
          .counts("reasons", by: QuarantineReason.self, "The rows by reason."),
          .list(
            "rows",
            JSONForm(
              "A row in quarantine.",
              [
                .integer("key", "Its primary key."),
                .textOrNull("event_type", "Its event type, or null."),
                .name("reason", of: QuarantineReason.self, "Why it is in quarantine."),
                .flag("back", "Whether it is in the store again."),
              ]), "The first thousand rows."),
        ])
    ])

  static let quarantineRestore = ofStores(
    "quarantine restore",
    [
      JSONForm(
        "The rows that were restored.",
        .store + [
          .name("form", of: ["deliverable", "documented"], "The form of the restored rows."),
          .textOrNull("snapshot", "The path of the snapshot; null if nothing was restored."),
          .flag("dry_run", "Whether nothing was written, and the counts say what would be."),
          .count("restored", "The rows that were restored."),
          .count("present", "The rows that were in the store already."),
          .count("taken", "The rows whose keys other rows have now."),
          .count("withheld", "The rows with a password or a token that weren't named."),
          .count("settled", "The rows that others in the quarantine cancel or send."),
          .counts("staying", by: QuarantineReason.self, "The rows that stay, by reason."),
        ] + .notes)
    ])
}
