import JSONText
import ModelSource
import StoreMigration
import StoreModel
import SwiftModels

extension ReportFormat {
  static let schemaList = of(
    "schema list",
    [
      JSONForm(
        "The known versions.",
        [
          .list(
            "versions",
            JSONForm(
              "A known version.",
              .version + [
                .count("entities", "The number of its entities."),
                .texts("identifiers", "The version identifiers."),
                .texts("leads_to", "The versions that a migration leads to."),
              ]), "The versions.")
        ])
    ])

  static let schemaShow = of(
    "schema show",
    [
      JSONForm(
        "A version's model, with its hashes.",
        SchemaFile.format.form.members.filter {
          !["$schema", "format_version", "hashes"].contains($0.key)
        } + [
          .textOrNull("digest", "The digest of the hashes, or null."),
          .textOrNull("checksum", "The checksum in base64, or null."),
          .required(
            "hashes", .dictionary(of: .orNull(.string())),
            "The SHA-256 of each entity in hexadecimal digits; null where it isn't known."),
        ])
    ], shared: SchemaFile.format.shared)

  static let schemaDiff = of(
    "schema diff",
    [
      JSONForm(
        "How two models differ.",
        [
          .object("from", .version, "The first version."),
          .object("to", .version, "The second version."),
          .list("differences", .modelDifference, "The differences."),
        ])
    ])

  private static let sourceFinding = JSONForm(
    "A finding in Swift source.",
    [
      .name("severity", of: SourceFinding.Severity.self, "The severity."),
      .name("code", of: SourceRule.self, "The code."),
      .text("place", "The file, with line and column."),
      .textOrNull("object", "The entity or property, or null."),
      .text("message", "The finding, for people."),
    ])

  private static let comparedEntity = JSONForm(
    "How an entity's hash compares.",
    [
      .text("name", "The entity."),
      .name("state", of: HashComparison.EntityResult.State.self, "How the hashes compare."),
      .texts("causes", "The changes that would make the hashes equal, or why one isn't known."),
    ])

  static let schemaCapture = of(
    "schema capture",
    [
      JSONForm(
        "The schema file that was written.",
        [
          .text("file", "The path."), .text("app", "The app."), .text("version", "The version."),
          .count("entities", "The number of entities."),
          .optional(
            "unknown", .array(of: .string()),
            "With '--against', the entities whose hashes aren't known."),
          .optional(
            "findings", .array(of: .object(sourceFinding)), "What was found in Swift source."),
        ]),
      JSONForm(
        "How a model compares with a store.",
        [
          .text("app", "The app."), .text("version", "The version."),
          .text("against", "The store's path."),
          .flag("confirmed", "Whether all hashes are equal."),
          .list("entities", comparedEntity, "The entities."),
        ]),
    ])

  private static let decision = JSONForm(
    "A decision that is left.",
    [
      .text("object", "What it is about."), .text("because", "Why it can't be inferred."),
      .countOrNull("rows", "The rows that it concerns, or null."),
      .text("example", "A step, with placeholders in capitals."),
    ])

  private static let possibleRename = JSONForm(
    "Two properties that may be one.",
    [
      .text("from", "The dropped property."), .text("to", "The added property."),
      .countOrNull("values", "The values that a rename keeps, or null."),
      .object(
        "step",
        JSONForm(
          "A step of a migration file.",
          [.text("rename", "The property."), .text("to", "Its new name.")]),
        "The step to write instead."),
    ])

  static let schemaInfer = of(
    "schema infer",
    [
      JSONForm(
        "The migration file that was written.",
        [
          .text("file", "The path."), .text("app", "The app."),
          .text("from", "The version before."),
          .text("to", "The version afterwards."), .count("steps", "The number of steps."),
          .list("decisions", decision, "The decisions that are left."),
          .list("possible_renames", possibleRename, "Properties that may be renamed."),
          .list(
            "drops",
            JSONForm(
              "What the migration drops.",
              [
                .text("object", "The entity, or Entity.property."),
                .countOrNull("count", "The rows or values, or null."),
              ]), "What the migration drops."),
        ] + .warnings)
    ])

  static let schemaSwift = of(
    "schema swift",
    [
      JSONForm(
        "The Swift file that was written.",
        [
          .text("file", "The path."),
          .list(
            "versions",
            JSONForm(
              "A version.",
              [
                .text("name", "The name of its type."),
                .count("classes", "The number of classes."),
                .text("checksum", "The checksum in base64."),
              ]), "The versions, in the order of the file."),
          .flag("complete", "Whether the plan does everything."),
        ])
    ])
}
