package import JSONText
import Migrations

extension PlanFile {
  /// The format of plan files.
  package static let format = JSONFormat(
    "A plan file of outbox-migrate", version: formatVersion,
    JSONForm(
      "A saved plan, which 'apply' applies if nothing that it depends on has changed.",
      [
        .required("tool", .string(), "The tool and its version."),
        .required("store", .string(matching: "^[^/]+$"), "The store's name, without its folder."),
        .required("options", .object(MigrationRequest.form), "The options."),
        .required(
          "migrations_folder", .orNull(.string()), "The folder of '--migrations', or null."),
        .required("files", .object(sourcesForm), "The files that the plan depends on."),
        .required(
          "data", .array(of: .object(tableForm)), "The tables that the plan depends on."),
        .required("plan", .object(Plan.form), "The plan."),
        .required(
          "seal", .string(), "The SHA-256 of everything else, without white space."),
      ]),
    isWrittenByHand: false)

  /// The form of the files that a plan depends on.
  static let sourcesForm = JSONForm(
    "The files that the plan depends on, with their SHA-256.",
    [
      .required("migrations", .dictionary(of: .string()), "The migrations, by name."),
      .required("schemas", .dictionary(of: .string()), "The schema files, by version."),
    ])

  /// The form of a table that a plan depends on.
  static let tableForm = JSONForm(
    "A table that the plan depends on.",
    [
      .required("table", .string(), "The table."),
      .required("rows", .count, "The number of its rows."),
      .required("sketch", .string(), "A sketch of its rows, in base64."),
    ])
}
