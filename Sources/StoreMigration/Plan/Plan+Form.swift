package import JSONText
import Migrations
import OutboxConversion
import StoreProof

extension Plan {
  /// The form of a plan in plan files.
  package static let form = JSONForm(
    "What a migration changes in a store.",
    [
      .required("app", .string(), "The app."),
      .required("from", .string(), "The version or edition of the store."),
      .required("to", .string(), "The version or edition afterwards."),
      .required("migrations", .array(of: .string()), "The migrations on the way, by name."),
      .required("steps", .array(of: .object(PlannedStep.form)), "The changes, in order."),
      .required(
        "conversions", .array(of: .object(PlannedConversion.form)),
        "The attributes whose values change, and the relationships whose links are chosen."),
      .required(
        "losses", .array(of: .object(PlannedLoss.form)), "The values that would be lost."),
      .required("warnings", .array(of: .object(PlanWarning.form)), "The warnings."),
      .required("rows_written", .count, "The rows that are rewritten."),
      .required(
        "rows", .name(of: MigrationRequest.Rows.allCases.map(\.rawValue)),
        "The form of the outbox rows."),
      .required(
        "delivery", .orNull(.object(DeliveryCounts.form)),
        "What becomes of outbox rows in deliverable form; null if no outbox takes that form."),
      .required(
        "examples", .array(of: .object(PlanExample.form)), "The first row of each class."),
      .required("needs", .object(needsForm), "What 'apply' needs."),
    ])

  /// The form of what an apply needs.
  static let needsForm = JSONForm(
    "What 'apply' needs.",
    [.required("disk_bytes", .count, "The free space beside the store, in bytes.")])
}

extension PlannedStep {
  /// The form of a step in plan files and receipts.
  package static let form = JSONForm(
    "A change of a migration.",
    [
      .required("migration", .string(), "The migration, such as V6-V7."),
      .required("verb", .string(), "The verb of the step."),
      .required("object", .string(), "What the step changes, in the names before the step."),
      .required("to", .orNull(.string()), "The new name, or null."),
      .required(
        "rows", .count, "The rows that it concerns; for a property, with those of sub-entities."),
      .required(
        "reversible", .boolean,
        "Whether the values before the step can be restored from those after it."),
    ])
}

extension PlannedConversion {
  /// The form of a conversion in plan files and receipts.
  package static let form = JSONForm(
    "An attribute whose values change, or a relationship whose links are chosen.",
    [
      .required("object", .string(), "The property, in the source's names."),
      .required("to", .string(), "The property, in the target's names."),
      .required("rows", .count, "The number of values."),
      .required("classes", .dictionary(of: .count), "The number of values of each class."),
    ])
}

extension PlannedLoss {
  /// The form of a loss in plan files and receipts.
  package static let form = JSONForm(
    "Values or rows that are lost.",
    [
      .required("step", .string(), "The step, as '--accept-data-loss' takes it."),
      .required("object", .string(), "What is lost."),
      .required("rows", .count, "The number of values or rows."),
    ])
}

extension PlanWarning {
  /// The form of a warning in plan files.
  package static let form = JSONForm(
    "A warning.",
    [
      .required("code", .string(), "The code."),
      .required("rows", .count, "The rows that it is about; 0 if it isn't about rows."),
      .required("message", .string(), "The warning, for people."),
      .required("event_types", .dictionary(of: .count), "Rows by event type."),
    ])
}

extension PlanExample {
  /// The form of an example in plan files.
  package static let form = JSONForm(
    "The first row of a class.",
    [
      .required("entity", .string(), "The row's entity."),
      .required("to", .string(), "Its entity in the target."),
      .required("key", .integer, "The row's primary key."),
      .required("class", .string(), "The class of the conversion, 'filled' or 'lost'."),
      .required("before", .array(of: .object(Part.form)), "The attributes before."),
      .required("after", .array(of: .object(Part.form)), "The attributes afterwards."),
    ])
}

extension PlanExample.Part {
  /// The form of an attribute's value in an example.
  package static let form = JSONForm(
    "The value of an attribute, as a fingerprint.",
    [.required("attribute", .string(), "The attribute.")] + ValueFingerprint.keys)
}
