import JSONText
import Migrations
import StoreMigration
import StoreProof

extension ReportFormat {
  private static let paired: [JSONForm.Member] = [
    .text("name", "The name in 'a', or in 'b' if only 'b' has it."),
    .textOrNull("to", "The name in 'b' if it differs, else null."),
  ]

  private static let location = JSONForm.Member.name(
    "in", of: ["a", "b", "both"], "The stores that have it.")

  private static let side = JSONForm(
    "A store.",
    .store + .version + [
      .name("match", of: Recognition.Match.self, "How well the store matches the version.")
    ])

  private static let entity = JSONForm(
    "How the rows of an entity differ.",
    paired + [
      location, .textOrNull("paired_by", "The attribute that pairs rows; null for the key."),
      .count("rows_only_in_a", "The rows that only 'a' has."),
      .count("rows_only_in_b", "The rows that only 'b' has."),
      .count("rows_changed", "The rows that differ."),
      .count("rows_equal", "The rows that are equal."),
      .count("cells_changed", "The cells that differ."),
      .list(
        "properties",
        JSONForm(
          "A property with another name or changed cells.",
          paired + [.count("cells_changed", "The cells that differ.")]),
        "The properties that have another name or changed cells."),
      .list(
        "unpaired",
        JSONForm(
          "A property that can't be compared cell by cell.",
          paired + [
            location, .count("values_in_a", "The rows of 'a' that have a value."),
            .count("values_in_b", "The rows of 'b' that have a value."),
          ]), "The properties that can't be compared cell by cell."),
    ])

  private static let relationship = JSONForm(
    "How the links of a many-to-many relationship differ.",
    paired + [
      location, .count("links_only_in_a", "The links that only 'a' has."),
      .count("links_only_in_b", "The links that only 'b' has."),
      .count("links_changed", "The links with another place in an order."),
      .count("links_equal", "The links that are equal."),
    ])

  private static let comparison = JSONForm(
    "How two stores differ.",
    [
      .object("a", side, "The first store."), .object("b", side, "The second store."),
      .flag("equal", "Whether both have the same rows, links and values."),
      .list("entities", entity, "The entities."),
      .list("relationships", relationship, "The many-to-many relationships."),
    ] + .warnings)

  static let diff = of("diff", [comparison])

  private static let kind = JSONForm.Member.name(
    "kind", of: Difference.Kind.self, "How the row or link differs.")

  private static let newName = JSONForm.Member.textOrNull(
    "to", "The name in 'b' if it differs, else null.")

  private static let differentRow = JSONForm(
    "A row that differs.",
    [
      kind, .text("entity", "The row's entity."), newName,
      .integer("key", "Its primary key; of a changed row, that in 'a'."),
      .required("key_in_b", .orNull(.integer), "The key in 'b' of a row paired by '--by'."),
      .list(
        "cells",
        JSONForm(
          "A cell that differs.",
          paired + [
            .required("before", .orNull(.anyCell), "The content in 'a', or null."),
            .required("after", .orNull(.anyCell), "The content in 'b', or null."),
          ]), "The cells that differ."),
    ])

  private static let differentLink = JSONForm(
    "A link that differs.",
    [
      kind, .text("relationship", "The relationship, as Entity.relationship."), newName,
      .integer("key", "The key of its row."), .integer("destination", "The key of the other row."),
    ])

  static let diffLines = ReportFormat(
    "diff --json-lines", "A line of 'outbox-migrate diff --json-lines'",
    [
      differentRow, differentLink,
      JSONForm(comparison.meaning, [.formatVersion] + comparison.members), .failure,
    ])
}

extension JSONForm {
  static let content = JSONForm(
    "The content of a property.",
    [
      .text("property", "The property."),
      .required("content", .anyCell, "Its content, as a fingerprint."),
    ])
}

extension ReportFormat {
  private static let step = JSONForm(
    "A step that changes the row.",
    PlannedStep.form.members.filter { !["rows", "reversible"].contains($0.key) } + [
      .text("rule", "What the step does to the row."),
      .list("before", .content, "The content before the migration."),
      .list("after", .content, "The content after the migration."),
    ])

  static let explain = ofStores(
    "explain",
    [
      JSONForm(
        "What a migration does to a row.",
        .store + [
          .text("app", "The app."), .text("from", "The version before."),
          .text("to", "The version afterwards."), .text("entity", "The row's entity."),
          .textOrNull("new_entity", "Its entity in the target, or null."),
          .integer("key", "Its primary key."), .object("row", .row, "The row in the store."),
          .list("steps", step, "The steps that change the row."),
          .list(
            "properties",
            JSONForm(
              "What becomes of properties.",
              [
                .list("from", .content, "The properties of the source."),
                .objectOrNull("to", .content, "The property of the target, or null."),
                .texts("rules", "The rules, in order; empty if the value is unchanged."),
              ]), "What becomes of each property."),
          .textOrNull("outcome", "What becomes of an outbox row in deliverable form, or null."),
        ] + .warnings)
    ])
}
