import JSONText
import Migrations
import MigrationAuthoring
import StoreDiagnosis
import StoreMigration
import StoreProof
import SwiftModels

extension ReportFormat {
  static let status = ofStores(
    "status",
    [
      JSONForm(
        "What is known about a store.",
        .store + .version + [
          .name("match", of: Recognition.Match.self, "How well the store matches the version."),
          .texts("identifiers", "The version identifiers in the metadata."),
          .list(
            "entities",
            JSONForm(
              "An entity.",
              [
                .text("name", "Its name."),
                .countOrNull("rows", "The number of its rows; null if they weren't counted."),
              ]), "The entities."),
          .required(
            "profiles", .orNull(.array(of: .string())),
            "With '--show-values', the ids of the user profiles; else null."),
          .objectOrNull("nearest", .version, "The nearest version; null if the match is exact."),
          .list("differences", .modelDifference, "How the store differs from it."),
          .texts("disagreements", "The disagreements in a torn store."),
          .texts("unsupported", "What no migration can carry."),
          .objectOrNull("cloudkit", .mirroring, "The mirroring to CloudKit, or null."),
          .objectOrNull(
            "recorded",
            JSONForm(
              "A version.", [.text("app", "The app."), .text("version", "The version.")]),
            "The version to which a run brought the store, by its receipt; else null."),
          .textOrNull("newest", "The version that 'plan' would target, or null."),
          .texts("in_use", "The processes that have the store open."),
          .texts("remains", "The remains of a killed run."),
        ] + .warnings + [
          .object(
            "bytes",
            JSONForm(
              "The sizes of the files.",
              [.count("main", "The main file."), .count("wal", "The write-ahead log.")]),
            "The sizes of the files, in bytes.")
        ])
    ], several: true)

  static let verify = ofStores(
    "verify",
    [
      JSONForm(
        "What the checks of a store found.",
        .store + [.flag("ok", "Whether every check passed.")] + .version + [
          .name("match", of: Recognition.Match.self, "How well the store matches the version."),
          .list("checks", .check, "The checks."),
        ] + .warnings + [
          .objectOrNull("receipt", receipt, "With '--receipt', the run that left the store."),
          .list("changes", .entityChange, "With '--receipt', what was written since."),
          .objectOrNull("queue", .queue, "What the app would do with the outbox, or null."),
        ])
    ], several: true)

  private static let receipt = JSONForm(
    "The run that left a store.",
    [
      .text("snapshot", "The path of its snapshot."),
      .name("kind", of: SnapshotReport.kinds, "The kind of the run."),
      .text("from", "The version before."), .text("to", "The version afterwards."),
      .text("time", "When the run wrote it, in UTC."), .text("tool", "The tool and its version."),
      .flag("unchanged", "Whether the rows are those that the run left."),
      .flag("told", "Whether 'changes' lists the changes."),
      .object(
        "files",
        JSONForm(
          "The files of large values that changed since.",
          [
            .count("added", "Those that were added."), .count("changed", "Those that changed."),
            .count("removed", "Those that were removed."),
          ]), "The files of large values that changed since."),
    ])

  static let row = ofStores(
    "row",
    [
      JSONForm(
        "Rows of a store.",
        .store + [
          .textOrNull("entity", "The entity; null if single rows were named."),
          .countOrNull("total", "The number of its rows, or null."),
          .countOrNull("matching", "The number of those that meet '--where', or null."),
          .list("rows", .row, "The rows."),
        ] + .warnings)
    ])

  static let diagnose = ofStores(
    "diagnose",
    [
      JSONForm(
        "Why an app can't open a store.",
        .store + [
          .flag("compared", "Whether the store was compared with versions of an app."),
          .flag("tables_checked", "Whether tables and rows were checked, which takes a model."),
          .list("causes", cause, "What was found, the most important first."),
          .texts("notes", "What wasn't checked, or can't be known from the files."),
        ])
    ], several: true)

  private static let cause = JSONForm(
    "A cause.",
    [
      .name("code", of: CauseCode.self, "The code."), .text("message", "The cause in a sentence."),
      .flag("prevents_opening", "Whether the app can't open the store."),
      .list(
        "errors",
        JSONForm(
          "An error that the app's log likely shows.",
          [
            .text("domain", "Its domain."), .integer("code", "Its number."),
            .text("text", "Its text."),
          ]), "The errors that the app's log likely shows."),
      .texts("evidence", "What the cause is concluded from."),
      .required(
        "next",
        .array(
          of: .either([
            .object(
              JSONForm("A command.", [.texts("command", "The words of the command.")])),
            .object(JSONForm("Advice.", [.text("advice", "The advice in a sentence.")])),
          ])), "What to do next."),
    ])

  static let lint = of(
    "lint",
    [
      JSONForm(
        "What was found in files, stores and source.",
        [
          .flag("ok", "Whether there are no errors."), .count("errors", "The number of errors."),
          .count("notes", "The number of other findings."),
          .required(
            "checked", .array(of: .either([.object(checkedPath), .object(failedPath)])),
            "The results, in the order of the paths."),
        ])
    ])

  private static let failedPath = JSONForm(
    "A path that can't be checked.",
    [.textOrNull("path", "The path."), .object("error", .error, "The error.")])

  private static let checkedPath = JSONForm(
    "A path that was checked.",
    [
      .textOrNull("path", "The path; null for the files that are part of the tool."),
      .name("kind", of: ["files", "store", "source"], "What is there."),
      .countOrNull("files", "The number of files; null for a store."),
      .textOrNull("app", "The store's app, or null."),
      .textOrNull("from", "The store's version, or null."),
      .textOrNull("to", "The version that it can reach, or null."),
      .list("findings", finding, "The findings."),
    ] + .warnings)

  private static let finding = JSONForm(
    "A finding.",
    [
      .name("severity", of: LintFinding.Severity.self, "The severity."),
      .name(
        "code", of: LintRule.allCases.map(\.rawValue) + SourceRule.allCases.map(\.rawValue),
        "The code."),
      .textOrNull("place", "The file, with line and column if they are known; or null."),
      .textOrNull("migration", "The migration, or null."),
      .textOrNull("object", "The entity, property or version, or null."),
      .countOrNull("rows", "The rows that it is about, or null."),
      .text("message", "The finding, for people."),
      .textOrNull("remedy", "What the plan does instead, or null."),
    ])
}

extension SnapshotReport {
  /// The kinds of runs that leave a snapshot.
  static let kinds = ["apply", "rollback", "edit", "repair"]
}
