import JSONText
import Migrations
import OutboxConversion
import StoreMigration
import StoreProof

extension JSONForm {
  static let version = JSONForm("A version.", .version)

  static let modelDifference = JSONForm(
    "A difference between two models.",
    [
      .name("change", of: ["added", "removed", "changed"], "The kind of the difference."),
      .text("object", "The entity, or Entity.property."),
      .text("detail", "What differs."),
    ])

  static let mirroring = JSONForm(
    "What is known about a store's mirroring to CloudKit.",
    [
      .countOrNull("records", "The rows that the cloud knows; null if they weren't counted."),
      .countOrNull("uploads", "The rows that wait to be uploaded, or null."),
      .countOrNull("deletions", "The rows that wait to be deleted, or null."),
      .list("changes", cloudChange, "What the cloud can't follow."),
    ])

  private static let cloudChange = JSONForm(
    "A change of a model that a production schema of CloudKit can't follow.",
    [
      .name("kind", of: CloudSchemaChange.Kind.self, "The kind of the change."),
      .text("object", "The entity, or Entity.property."),
      .textOrNull("new", "The new name or type, or null."),
    ])

  static let blocker = JSONForm(
    "A reason why 'apply' would refuse.",
    [
      .required("code", .code, "The code."), .required("status", exitStatus, "The exit status."),
      .text("message", "What is wrong, and what to do about it."),
      .textOrNull("entity", "The entity of the rows that it is about; null without rows."),
      .required("keys", .array(of: .integer), "The keys of the first ten of these rows."),
      .count("rows", "The number of these rows."),
    ])

  /// The report of `apply` has every count of an entry, unlike receipts of earlier versions.
  static let ledgerEntry = JSONForm(
    LedgerEntry.form.meaning,
    LedgerEntry.form.members.map { member in
      .required(member.key, member.shape == .integer ? .count : member.shape, member.meaning)
    })

  static let entityChange = JSONForm(
    "How many rows or links of a kind were written.",
    [
      .text("entity", "The entity, or Entity.relationship for links of a join table."),
      .count("added", "The rows that were added."),
      .count("changed", "The rows that were changed."),
      .count("removed", "The rows that were removed."),
    ])

  static let check = JSONForm(
    "A check.",
    [
      .required("name", .code, "The name of the check."), .flag("ok", "Whether nothing failed."),
      .flag("checked", "Whether the check was done; else `detail` is the reason why not."),
      .textOrNull("detail", "What was found, or null."),
    ])

  static let queue = JSONForm(
    "What the app would do with the outbox.",
    [
      .count("open", "The rows that aren't completed."),
      .flag("stopped", "Whether a row that the app can't read keeps it from sending any."),
      .object(
        "steps",
        JSONForm(
          "The rows by what the app does with them.",
          queueSteps.map { .optional($0, .count, "The number of these.") }), "The rows by step."),
      .list("batch", queueEntry, "The rows that it picks up first."),
    ])

  private static let queueSteps = ["create", "update", "delete", "completed", "fails", "stops"]

  private static let queueEntry = JSONForm(
    "A row of the outbox.",
    [
      .integer("key", "Its primary key."),
      .textOrNull("event_type", "Its event type; null if the app doesn't know it."),
      .name("step", of: queueSteps, "What the app does with it."),
    ])
}

extension JSONShape {
  /// A word for scripts, such as `missing-log`.
  static let code = JSONShape.string(matching: "^[a-z][a-z0-9-]*$")

  /// The content of a cell: a link, or a value's fingerprint.
  static let anyCell = JSONShape.either([.object(.linkCell), .object(.cell)])
}

extension JSONForm {
  static let cell = JSONForm("A value, as a fingerprint.", ValueFingerprint.keys)

  static let linkCell = JSONForm(
    "The row that a link leads to.",
    [
      .name("kind", of: ["link"], "The kind of the content."),
      .text("entity", "The row's entity."), .integer("key", "Its primary key."),
    ])

  static let row = JSONForm(
    "A row.",
    [
      .text("entity", "Its entity."), .integer("key", "Its primary key."),
      .required(
        "properties",
        .array(
          of: .either(
            [attributeProperty, linkProperty, linksProperty, missingProperty].map { .object($0) })),
        "Its properties."),
    ])

  static let attributeProperty = property(
    "An attribute.",
    [
      .object("value", cell, "Its value."),
      .textOrNull("shape", "What a text or bytes are, or null."),
    ])

  private static let linkProperty = property(
    "A to-one relationship.", [.objectOrNull("link", link, "The row that it leads to, or null.")])

  private static let linksProperty = property(
    "A to-many relationship.",
    [
      .count("count", "The number of its rows."), .list("links", link, "The first five of them."),
    ])

  private static let missingProperty = property(
    "A property that the store has no column for.",
    [.flag("missing", "Always true.")])

  static let link = JSONForm(
    "A row that a link leads to.",
    [
      .text("entity", "Its entity."), .integer("key", "Its primary key."),
      .flag("dangling", "Whether there is no such row."),
    ])

  private static func property(_ meaning: String, _ members: [Member]) -> JSONForm {
    JSONForm(
      meaning,
      [
        .text("name", "Its name."),
        .text("type", "The attribute's type, or the entity that the relationship leads to."),
      ] + members)
  }
}

extension [JSONForm.Member] {
  /// The warnings that reports on a store end with.
  static let warnings: Self = [
    .list("warnings", PlanWarning.form, "The warnings.")
  ]
}
