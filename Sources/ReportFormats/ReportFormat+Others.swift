import JSONText
import StoreMigration

extension ReportFormat {
  private static let template = JSONForm(
    "A template.",
    [
      .count("index", "Its index in the preferences."),
      .name("fate", of: ["imported", "updated", "skipped", "unreadable"], "What became of it."),
      .textOrNull("reason", "Why it is unreadable, or null."),
      .required("key", .orNull(.integer), "The primary key of its row, or null."),
      .count("exercises", "The exercises that were written."),
    ])

  private static let rest = JSONForm(
    "Fields of an exercise that have no column.",
    [
      .count("template", "The index of the template."),
      .count("exercise", "The index of the exercise."), .texts("fields", "The fields."),
    ])

  private static let importWarning = JSONForm(
    "A warning about templates.",
    [
      .required("code", .code, "The code."), .count("count", "The number of templates."),
      .text("message", "The warning, for people."),
    ])

  static let importTemplates = ofStores(
    "import templates",
    [
      JSONForm(
        "The templates that were imported.",
        .store + [
          .text("preferences", "The path of the preferences."),
          .text("key", "The key of the templates."), .text("app", "The app."),
          .text("version", "The store's version."),
          .textOrNull("snapshot", "The path of the snapshot; null if nothing was written."),
          .count("found", "The templates in the preferences."),
          .count("imported", "Those that were imported."),
          .count("updated", "Those that were updated."),
          .count("skipped", "Those that were skipped."),
          .count("unreadable", "Those that can't be read."),
          .list("templates", template, "What became of each."),
          .list("without_column", rest, "Fields that have no column."),
          .required("unknown_keys", .dictionary(of: .count), "How often unknown keys occur."),
          .count("events", "The outbox events that were added."),
          .list("warnings", importWarning, "The warnings."),
          .list("changes", .entityChange, "The rows that were written."),
          .flag("dry_run", "Whether nothing was written."),
        ] + .duration + .notes)
    ])

  private static let parameter = JSONForm(
    "An argument or option.",
    [
      .texts("names", "The names with their dashes; empty for an argument."),
      .textOrNull("value", "The placeholder of the value; null for a flag."),
      .text("help", "The help text."), .flag("required", "Whether it must be given."),
      .flag("repeats", "Whether it may be given several times."),
      .textOrNull("default", "The default value, or null."),
      .texts("choices", "All valid values; empty if any is valid."),
      .required("minimum", .orNull(.integer), "The smallest number, or null."),
      .required("maximum", .orNull(.integer), "The largest number, or null."),
      .texts("excludes", "The options that can't be combined with it."),
    ])

  private static let describedCommand = JSONForm(
    "A command.",
    [
      .text("command", "The words after the tool's name."), .text("abstract", "One sentence."),
      .text("discussion", "More text."), .list("arguments", parameter, "The arguments."),
      .list("options", parameter, "The options."),
    ])

  private static let describedStatus = JSONForm(
    "An exit status.",
    [
      .required(
        "status", .either(ExitStatus.allCases.map { .constant(Int64($0.rawValue)) }),
        "The number."), .text("meaning", "What it means."),
    ])

  static let describe = ReportFormat(
    "describe", "What 'outbox-migrate describe' prints",
    [
      JSONForm(
        "The command line.",
        [
          .formatVersion, .text("name", "The tool's name."), .text("version", "Its version."),
          .text("abstract", "One sentence."), .text("discussion", "More text."),
          .list("options", parameter, "The options of every command."),
          .list("commands", describedCommand, "The commands."),
          .list("exit_statuses", describedStatus, "The exit statuses."),
        ]), .failure,
    ])
}
