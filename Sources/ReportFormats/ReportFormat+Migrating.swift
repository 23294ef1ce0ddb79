import JSONText
import OutboxConversion
import StoreMigration
import StoreProof

extension ReportFormat {
  private static let planned = JSONForm(
    "What a migration would change in a store.",
    .store
      + Plan.form.members.flatMap { member -> [JSONForm.Member] in
        switch member.key {
        case "to": [member, changes]
        case "warnings":
          [.list("blockers", .blocker, "The reasons why 'apply' would refuse."), member]
        default: [member]
        }
      } + [
        .flag("reversible", "Whether every step is reversible."),
        .text("summary", "The plan in one sentence."),
        .texts("accepted_losses", "The steps whose losses are accepted, or 'all'."),
        .textOrNull("file", "The path of the saved plan, or null."),
        expectedTime,
      ])

  private static let changes = JSONForm.Member.flag(
    "changes", "Whether there is something to do.")

  private static let expectedTime = JSONForm.Member.optional(
    "expected_ms", .orNull(.count),
    "With '--rates', the time that 'apply' is expected to take; null without a rate.")

  static let plan = ofStores("plan", [planned], several: true)

  static let show = of("show", [planned])

  private static let applied = JSONForm(
    "What a migration changed in a store.",
    .store + [
      .text("app", "The app."), .text("from", "The version before."),
      .text("to", "The version afterwards."), changes,
      .textOrNull("snapshot", "The path of the snapshot; null if there was nothing to do."),
      .flag("verified", "Whether the new store was proven before it replaced the old one."),
      .count("rows_written", "The rows of rewritten tables."),
    ] + .duration + [
      .list("conversions", PlannedConversion.form, "The attributes whose values changed."),
      .list("losses", PlannedLoss.form, "The accepted losses."),
      .count("values", "The values that were accounted for."),
      .list("ledger", .ledgerEntry, "What became of the values of each property."),
      .objectOrNull(
        "delivery", DeliveryCounts.form,
        "What became of outbox rows in deliverable form; null without them."),
    ] + .warnings + .notes + [expectedTime])

  private static let fleet: [JSONForm.Member] = [
    .count("count", "The number of stores."), .count("done", "Those that are done."),
    .count("failed", "Those that failed."),
    .required("success_rate", .number, "The part of the stores that is done, in percent."),
    .count("longest_ms", "The time of the slowest store, in milliseconds."),
    .texts("too_slow", "The stores that took longer than '--max-duration'."),
    .list(
      "failures",
      JSONForm(
        "Stores with similar failures.",
        [
          .required("status", JSONForm.exitStatus, "The exit status."),
          .text("shape", "The message, without names and numbers."),
          .texts("stores", "The stores."),
        ]), "Groups of similar failures."),
  ]

  static let apply: ReportFormat = {
    let one = ofStores("apply", [applied])
    // Each store of '--jobs' has a document from another process, which may name models.
    let stores = JSONShape.either(
      [.applied, .failed].map { .object($0) } + [.object(.couldNotRun)])
    let several = JSONForm(
      "The reports on several stores.",
      [.required("stores", .array(of: stores), "The reports, in the order of the stores.")])
    let many = JSONForm("The reports of '--jobs'.", several.members + fleet)
    return ReportFormat(
      "apply", one.title,
      [applied.document, JSONForm.storeFailure.document, several.document, many.document]
        + [.failure])
  }()

  static let applyLines = ReportFormat(
    "apply --json-lines", "A line of 'outbox-migrate apply --json-lines'",
    [
      applied.document, JSONForm.storeFailure.document,
      JSONForm("All stores, in the last line.", [.formatVersion] + fleet), .failure,
    ])

  static let rollback = ofStores(
    "rollback",
    [
      JSONForm(
        "What a rollback did to a store.",
        .store + [
          .text("from", "The version before."), .text("to", "The version afterwards."),
          .text("snapshot", "The path of the snapshot that the store goes back to."),
          .textOrNull("kept", "The path of the snapshot of the store before; null in a dry run."),
          .flag("exact", "Whether the store equals the snapshot, byte for byte."),
          .list("changes", .entityChange, "What was written since the migration."),
          .list("merged", .entityChange, "The part of it that was carried over."),
          .list(
            "parked",
            JSONForm(
              "Values or rows that the older version has no place for.",
              [
                .text("object", "The entity, or Entity.property."),
                .count("count", "Their number."),
              ]),
            "What the older version has no place for."),
          .textOrNull("parked_file", "The name of the file with the parked values, or null."),
          .flag("lacks_record", "Whether the record of the run that made the store is missing."),
          .flag("dry_run", "Whether nothing was written."),
        ] + .duration + .notes)
    ], several: true)

  /// The members of `apply`'s report that a failed store's document has, too.
  fileprivate static var appliedMembers: [JSONForm.Member] { applied.members }
}

extension JSONForm {
  private static let models = Member.optional(
    "models", .array(of: .object(.sourcedModel)), "The models from source that were used.")

  /// A store's report in a list of stores.
  fileprivate static let applied = JSONForm(
    "What a migration changed in a store.", ReportFormat.appliedMembers + [models])

  /// A store's failure in a list of stores.
  fileprivate static let failed = JSONForm(
    storeFailure.meaning, storeFailure.members + [models])

  /// The error of a process that can't run at all, in a list of stores.
  fileprivate static let couldNotRun = JSONForm(
    failure.meaning, failure.members.filter { $0.key != "format_version" })
}
