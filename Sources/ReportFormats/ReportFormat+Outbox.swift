import JSONText
import OutboxCore
import OutboxStore
import StoreMigration

extension JSONForm {
  fileprivate static let statistics: [Member] = [
    .count("totalEvents", "The events."), .count("pendingCount", "Those that are pending."),
    .count("processingCount", "Those in processing."),
    .count("completedCount", "Those that are completed."),
    .count("failedCount", "Those that failed."), .count("staleCount", "Those that are stale."),
    .textOrNull(
      "oldestPendingDate",
      "The date of the oldest pending event; null without one or without `--show-values`."),
    .textOrNull(
      "newestCompletedDate",
      "The date of the newest completed event; null without one or without `--show-values`."),
    .required("successRate", .number, "The completed events of all, in percent."),
    .flag("hasIssues", "Whether events failed or are stale, or more than 20 are pending."),
  ]

  static let userStatistics = JSONForm(
    "The events of a user.", [.text("user", "The user.")] + statistics)

  static let entityStates = JSONForm(
    "The entities that events of a type are about.",
    [
      .name("event_type", of: OutboxEventType.self, "The event type."),
      .count("entities", "The entities."), .count("pending", "Those that are pending."),
      .count("syncing", "Those that are being sent."), .count("synced", "Those that are sent."),
      .count("failed", "Those that failed."), .count("other", "Those with another status."),
      .count("queued", "Those with an event that isn't completed."),
      .count("missing", "Those that are neither on the server nor queued."),
      .required("sync_rate", .orNull(.number), "The part that is sent, in percent, or null."),
    ])

  fileprivate static let states: [Member] = [
    .required("sync_rate", .number, "The part of the entities that is sent, in percent."),
    .list("entities", entityStates, "The entities by event type."),
  ]

  fileprivate static let reasons = Member.list(
    "reasons",
    JSONForm(
      "Why events fail or wait.",
      [.text("message", "The reason."), .count("count", "How often it occurred.")]),
    "The reasons for failures and delays.")

  fileprivate static let snapshotOfEdit = Member.textOrNull(
    "snapshot", "The path of the snapshot; null if nothing was changed.")

  static let dryRun = Member.flag("dry_run", "Whether nothing was written.")

  /// The report of a command that edits an outbox, with its counts.
  fileprivate static func edit(_ meaning: String, _ counts: [Member]) -> JSONForm {
    JSONForm(
      meaning,
      .store + counts + [snapshotOfEdit, dryRun] + .warnings + .notes + .duration)
  }
}

extension ReportFormat {
  static let outboxStats = ofStores(
    "outbox stats",
    [
      JSONForm(
        "The events of an outbox.",
        .store + JSONForm.statistics + [
          .count("unreadable", "The rows that can't be read as events."),
          .list("users", .userStatistics, "The 100 users with most events."),
        ] + JSONForm.states + .warnings)
    ], several: true)

  private static let event = JSONForm(
    "An event.",
    [
      .integer("key", "The row's primary key."),
      .required("problems", .array(of: .null), "Always empty."), .text("id", "The event's id."),
      .name("event_type", of: OutboxEventType.self, "The event type."),
      .name("status", of: OutboxEventStatus.self, "The status."),
      .name("does", of: ["create", "update", "delete"], "What it requests from the server."),
      .text("entity", "The id of its entity."), .text("user", "The user."),
      .integer("attempts", "The number of attempts."),
      .integer("max_attempts", "The largest number of attempts."),
      .integer("priority", "The priority."),
      .textOrNull("created_at", "With '--show-values', when it was created; else null."),
      .textOrNull("last_attempt_at", "When the last attempt was, or null."),
      .textOrNull("completed_at", "When it was completed, or null."),
      .textOrNull("error", "The last error, or null."),
      .textOrNull("metadata", "The metadata, or null."),
      .flag("unknown_metadata", "Whether the metadata are in no known coding."),
    ])

  private static let unreadableRow = JSONForm(
    "A row that can't be read as an event.",
    [
      .integer("key", "The row's primary key."),
      .required(
        "problems",
        .array(of: .name(of: OutboxRow.Problem.allCases.map(\.rawValue)), atLeast: 1),
        "What is wrong with it."),
    ])

  static let outboxList = ofStores(
    "outbox list",
    [
      JSONForm(
        "Events of an outbox.",
        .store + [
          .required(
            "rows", .array(of: .either([.object(event), .object(unreadableRow)])), "The rows."),
          .flag("more", "Whether there are more rows than '--limit'."),
        ])
    ])

  private static let audit: [JSONForm.Member] =
    .store + [
      .flag("ok", "Whether every event can be delivered."),
      .list(
        "findings",
        JSONForm(
          "Rows of a kind.",
          [
            .name("kind", of: OutboxFinding.Kind.self, "The kind."),
            .text("meaning", "What it means."), .count("count", "The number of rows."),
            .flag("problem", "Whether it counts for 'ok'."),
            .counts("event_types", by: OutboxEventType.self, "The rows by event type."),
            .list(
              "rows",
              JSONForm(
                "A row.", [.text("entity", "Its entity."), .integer("key", "Its primary key.")]),
              "The first ten rows."),
          ]), "The findings, by kind."),
    ]

  static let outboxOrphans = ofStores(
    "outbox orphans", [JSONForm("Events whose entities are missing.", audit)])

  static let outboxVerify = ofStores(
    "outbox verify",
    [JSONForm("What prevents events from being delivered.", audit + JSONForm.states)])

  static let outboxRetry = ofStores(
    "outbox retry",
    [.edit("The events that will be tried again.", [.count("retried", "The events.")])])

  static let outboxCleanup = ofStores(
    "outbox cleanup",
    [
      .edit(
        "The events that were removed.",
        [
          .count("removed", "The events."),
          .optional("orphaned", .count, "With '--orphaned', those whose entities are missing."),
        ])
    ])

  static let outboxReset = ofStores(
    "outbox reset",
    [
      .edit(
        "How a queue was repaired.",
        [
          .count("delivered", "Completed events that were removed."),
          .count("orphaned", "Removed events whose entities are missing."),
          .count("doubled", "Removed events that others repeat."),
          .count("renewed", "Events that will be tried again."),
          .count("created", "Events that were missing."), .count("open", "Events to be sent."),
        ]),
      .edit(
        "What was removed with '--discard-events'.",
        [
          .count("removed", "The events."), .count("unsent", "Those that weren't completed."),
          .count("lost_creates", "Creates that the server doesn't get."),
          .count("lost_updates", "Updates that the server doesn't get."),
          .count("lost_deletes", "Deletes that the server doesn't get."),
        ]),
    ])
}

extension ReportFormat {
  private static let foreseen = JSONForm(
    "What a delivery would send.",
    .store + [
      JSONForm.dryRun, .count("open", "The events that aren't completed."),
      .list(
        "requests",
        JSONForm(
          "The requests of an event type.",
          [
            .name("event_type", of: OutboxEventType.self, "The event type."),
            .count("create", "Creates."), .count("update", "Updates."),
            .count("delete", "Deletes."),
          ]), "The requests by event type."),
      .count("would_send", "The requests."),
      .count("would_complete_without_sending", "The events that need no request."),
      .count("would_fail", "The events that would fail before a request."),
      .count("not_tried", "The events that wouldn't be tried."), JSONForm.reasons,
    ])

  private static let delivered = JSONForm(
    "What a delivery sent.",
    .store + [
      JSONForm.snapshotOfEdit, JSONForm.dryRun,
      .count("open", "The events that weren't completed at the beginning."),
      .count("delivered", "The events that the server accepted."),
      .counts("event_types", by: OutboxEventType.self, "The same by event type."),
      .count("completed_without_sending", "The events that needed no request."),
      .count("failed_attempts", "The failed attempts."),
      .count("failed_for_good", "The events that won't be retried."), JSONForm.reasons,
      .count("pending", "The pending events that are left."),
      .count("failed", "The failed events that are left."),
      .flag("stopped", "Whether a signal ended the delivery."),
    ] + .notes)

  static let outboxDeliver = ofStores("outbox deliver", [foreseen, delivered])

  static let outboxSyncTest = ofStores(
    "outbox sync-test",
    [
      JSONForm(
        "How a server takes an invented event.",
        .store + [
          JSONForm.snapshotOfEdit, JSONForm.dryRun, .flag("ok", "Whether all steps succeeded."),
          .textOrNull("event_type", "The type of the event; null in a dry run."),
          .list(
            "steps",
            JSONForm(
              "A step.",
              [
                .name(
                  "step", of: ["create", "send", "check", "delete", "remove"], "The step's name."),
                .flag("ok", "Whether it succeeded."), .textOrNull("reason", "Why not, or null."),
              ]), "The steps."),
          .textOrNull("left_on_server", "The id of the entity that the server still has, or null."),
          .flag(
            "may_be_left_on_server",
            "Whether the server may have the entity under an id that it did not tell."),
          .flag("stopped", "Whether a signal ended the test."),
        ] + .notes)
    ])
}
