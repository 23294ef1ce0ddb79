import JSONText

extension ReportFormat {
  private static let phase = JSONForm.Member.text("phase", "The phase, such as 'verifying'.")

  private static let position: [JSONForm.Member] =
    [phase] + .store + [
      .countOrNull("rows", "The rows that are done, or null."),
      .countOrNull("of_rows", "All rows, or null."),
    ] + .duration + [.countOrNull("left_ms", "The milliseconds that are left, or null.")]

  private static let delivery: [JSONForm.Member] =
    .store + [
      .count("open", "The events that weren't completed at the beginning."),
      .count("delivered", "The events that the server accepted."),
      .count("completed_without_sending", "The events that needed no request."),
      .count("failed_attempts", "The failed attempts."),
    ] + .duration

  private static let versions: [JSONForm.Member] = [
    .textOrNull("app", "The app, or null."),
    .textOrNull("from_version", "The version before, or null."),
    .textOrNull("to_version", "The version afterwards, or null."),
  ]

  private static func event(
    _ name: String, _ meaning: String, _ members: [JSONForm.Member]
  ) -> JSONForm {
    JSONForm(meaning, [.name("event", of: [name], "The event.")] + members)
  }

  private static func outcome(_ names: [String]) -> [JSONForm.Member] {
    [.name("outcome", of: names, "How the work ended.")]
  }

  static let progress = ReportFormat(
    "--progress", "A line that 'outbox-migrate' prints on standard error with '--progress'",
    [
      event("progress", "How far the work on a store is.", position),
      event(
        "end", "The end of the work on a store.",
        position + outcome(["done", "failed", "stopped"])),
      event("phase", "The beginning of a phase.", [phase] + .store),
      event("schema_migration_started", "A migration begins.", versions + .store),
      event(
        "schema_migration_completed", "A migration ends.",
        versions + [.count("rows_written", "The rows that were written.")] + .duration
          + [.flag("success", "Whether the store is at the target, verified.")] + .store),
      event("progress", "How far a delivery is.", delivery),
      event("end", "The end of a delivery.", delivery + outcome(["done", "left", "stopped"])),
    ])
}
