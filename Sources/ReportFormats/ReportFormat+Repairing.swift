import JSONText
import StoreDiagnosis
import StoreRepair

extension ReportFormat {
  static let repair = ofStores(
    "repair",
    [
      JSONForm(
        "What was mended in a store.",
        .store + [
          .text("app", "The app."), .text("version", "The version that the store is at."),
          .name("evidence", of: ModelEvidence.self, "How the version was found."),
          .flag("whole", "Whether nothing is wrong with the store afterwards."),
          .list("mended", mend, "What was mended, in the order in which it was done."),
          .list("lost", loss, "What couldn't be saved."),
          .list("left", left, "What is still wrong, the most important first."),
          .list(
            "ledger", table, "What became of the rows of each table; empty if nothing was mended."),
          .textOrNull("snapshot", "The path of the snapshot; null if the store wasn't replaced."),
          JSONForm.dryRun,
        ] + .notes + .duration)
    ])

  private static let mend = JSONForm(
    "Something that was mended.",
    [
      .name("kind", of: Mend.Kind.self, "The kind of the mend."),
      .text("name", "The table, the column, the index, the entity or the property."),
      .count("count", "The number of rows or links; 0 if it isn't about rows."),
      .required("keys", .array(of: .integer), "The keys of the first ten rows that have one."),
      .text("message", "What was done in a sentence."),
    ])

  private static let loss = JSONForm(
    "Values or rows that couldn't be saved.",
    [
      .text("name", "The entity, the property or the table."),
      .countOrNull("count", "The number of rows or values; null if it can't be known."),
      .required("keys", .array(of: .integer), "The keys of the first ten rows that are known."),
      .text("message", "What is lost in a sentence."),
    ])

  private static let left = JSONForm(
    "A cause that is still there.",
    [
      .name("code", of: CauseCode.self, "The code, as in 'diagnose'."),
      .text("message", "The cause in a sentence."),
      .texts("evidence", "What the cause is concluded from."),
    ])

  private static let table = JSONForm(
    "What became of the rows of a table.",
    [
      .text("table", "The name of the table."),
      .textOrNull("entity", "The entity of its rows, or null."),
      .count("rows", "The rows before."), .count("unchanged", "The rows without a changed value."),
      .count("changed", "The rows with a changed value."), .count("removed", "The removed rows."),
      .count("lost", "The rows on damaged pages, as far as they are known."),
    ])
}
