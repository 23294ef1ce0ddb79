import FixtureCheck
import JSONText
import StoreAnonymising
import StoreMigration

extension ReportFormat {
  static let fixtureCreate = of(
    "fixture create",
    [
      JSONForm(
        "The store that was created.",
        .store + .version + [
          .count("rows", "The rows of the outbox, as requested."),
          .required("seed", .string(matching: "^[0-9]+$"), "The seed, in digits."),
          .flag("cloudkit", "Whether it mirrors to CloudKit."),
        ])
    ])

  private static let kept = JSONForm(
    "The words of the original that the result keeps.",
    [
      .texts("model", "Names of the model."), .texts("schema", "Names of the schema."),
      .texts("json_keys", "Keys in JSON texts."),
      .required(
        "values", .dictionary(of: .array(of: .string())), "The words that an attribute keeps."),
    ])

  static let fixtureAnonymise = of(
    "fixture anonymise",
    [
      JSONForm(
        "The store that was written.",
        .store + [
          .list(
            "tables",
            JSONForm(
              "A table.",
              [
                .text("name", "Its root entity."), .count("rows", "Its rows."),
                .count("of_rows", "The rows of the original."),
              ]), "The tables."),
          .object(
            "replaced",
            JSONForm(
              "How many values were replaced.",
              ["texts", "numbers", "dates", "uuids", "booleans", "bytes"].map {
                .count($0, "The number of these.")
              }), "How many values were replaced."),
          .count("external_files", "The external files that have random bytes now."),
          .object("kept", kept, "What the result keeps of the original."),
        ]),
      JSONForm(
        "What a store has of an original, with '--check'.",
        .store + [
          .flag("is_clean", "Whether nothing was found."),
          .list(
            "found",
            JSONForm(
              "Something of the original.",
              [
                .name("kind", of: LeftTrace.Kind.self, "What was found."),
                .text("place", "Where: an attribute, a column or a file."),
                .count("count", "How often."),
              ]), "What was found."),
          .object("kept", kept, "What the result keeps of the original."),
        ]),
    ])

  private static let difference: JSONForm = {
    let value = JSONShape.orNull(.string())
    return JSONForm(
      "A value or a row that isn't as expected.",
      [
        .name("change", of: FixtureDifference.Change.self, "How it differs."),
        .textOrNull("entity", "The row's entity; null if the versions differ."),
        .required("key", .orNull(.integer), "The row's primary key, or null."),
        .textOrNull("attribute", "The attribute; null for a whole row."),
        .optional("expected", value, "With '--show-values', the expected value, or null."),
        .optional("found", value, "With '--show-values', the value that was found, or null."),
      ])
  }()

  private static let head: [JSONForm.Member] = [
    .text("folder", "The path."), .flag("ok", "Whether the fixture passed."),
  ]

  private static let fixture = JSONForm(
    "A fixture that was checked.",
    head + [
      .text("app", "The app."), .text("from", "The version before."),
      .text("to", "The version afterwards."), .count("rows", "The rows of the migrated store."),
      .count("difference_count", "The values and rows that aren't as expected."),
      .list("differences", difference, "The first 20 of them."),
    ] + .warnings)

  private static let failedFixture = JSONForm(
    "A fixture that can't be checked.", head + [.object("error", .error, "The error.")])

  static let fixtureCheck = of(
    "fixture check",
    [
      JSONForm(
        "The fixtures.",
        [
          .required(
            "fixtures", .array(of: .either([.object(fixture), .object(failedFixture)])),
            "The fixtures, in the order given and found.")
        ])
    ])
}
