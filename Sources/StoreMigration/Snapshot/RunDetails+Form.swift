package import JSONText
import Migrations
import OutboxConversion
package import StoreExchange
package import StoreProof

extension Receipt {
  /// The format of receipts: the members that an exchange needs, and those of the run.
  package static let format = JSONFormat(
    "A receipt of outbox-migrate", version: formatVersion,
    JSONForm(form.meaning, form.members + RunDetails.form.members), isWrittenByHand: false)
}

extension RunDetails {
  /// The form of the part of a receipt that describes the run.
  static let form = JSONForm(
    "What the run did.",
    [
      .required("request", .object(MigrationRequest.form), "The options."),
      .required(
        "migrations", .dictionary(of: .string()),
        "The SHA-256 of each migration's file, by name; empty for an inferred migration."),
      .required(
        "plan", .orNull(.object(PlanRecord.form)), "The steps of an apply, with their numbers."),
      .required(
        "ledger", .array(of: .object(LedgerEntry.form)), "What became of each property's values."),
      .required(
        "delivery", .orNull(.object(DeliveryCounts.form)),
        "What became of outbox rows in deliverable form; null without them."),
      .optional(
        "file", .orNull(.name(of: MigrationRequest.FileOrigin.allCases.map(\.rawValue))),
        "What the new store's file began as; null unless the run was an apply."),
    ])
}

extension RunDetails.PlanRecord {
  /// The form of the plan in a receipt.
  static let form = JSONForm(
    "The steps of an apply, with the numbers of the run.",
    [
      .required("steps", .array(of: .object(PlannedStep.form)), "The changes, in order."),
      .required(
        "conversions", .array(of: .object(PlannedConversion.form)),
        "The attributes whose values changed, and the relationships whose links were chosen."),
      .required("losses", .array(of: .object(PlannedLoss.form)), "The accepted losses."),
    ])
}

extension MigrationRequest {
  /// The form of the options in plan files and receipts.
  static let form = JSONForm(
    "The options that determine a migration.",
    [
      .required("to", .orNull(.string()), "The option '--to', or null."),
      .required("user_id", .orNull(.string()), "The option '--user-id', or null."),
      .required(
        "rows", .name(of: Rows.allCases.map(\.rawValue)), "The form of the outbox rows."),
      .required(
        "accepted_losses", .array(of: .string()),
        "The steps whose losses are accepted, or 'all'."),
      .optional(
        "cloudkit", .name(of: Mirroring.allCases.map(\.rawValue)), "The option '--cloudkit'."),
    ])
}

extension LedgerEntry {
  /// The form of an entry of the ledger in receipts.
  package static let form = JSONForm(
    "What became of the values of one property; the counts add up to the rows.",
    [
      .required("entity", .string(), "The entity or the table."),
      .required("property", .string(), "The property or the column."),
      .required("rows", .integer, "The number of values."),
      .required("identical", .integer, "Values that are the same bit for bit."),
      .required("converted", .integer, "Values that convert back to the same value."),
      .optional("rounded", .integer, "Numbers that lost precision."),
      .optional("clamped", .integer, "Numbers that became the converter's nearest limit."),
      .optional("computed", .integer, "Values that others are computed from."),
      .required("normalised", .integer, "JSON that lost only white space."),
      .required("whitespace_bytes", .integer, "The white space that it lost, in bytes."),
      .required("set_aside", .integer, "Values that aren't in the target."),
      .optional(
        "set_aside_empty", .integer, "Those of them that were missing, empty or a default."),
    ])
}
