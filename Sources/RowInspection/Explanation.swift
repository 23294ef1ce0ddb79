import RowRewriting
import OutboxConversion
package import StoreProof

/// What a plan does to one row, and why.
package struct Explanation: Hashable, Sendable {
  /// The content of a property: the fingerprint of a value, or the row that a link leads to.
  package struct Part: Hashable, Sendable {
    /// The property; a composite's leaf is `attribute.leaf`.
    package let property: String

    /// The property's content.
    package let content: CellDifference.Content
  }

  /// One step, as it applies to the row.
  package struct Event: Hashable, Sendable {
    /// The migration that the step belongs to.
    package let migration: String

    /// What the step does.
    package let verb: String

    /// What the step changes, in the names before it.
    package let object: String

    /// The new name or names; `nil` if the step gives none.
    package let newName: String?

    /// The rule that applies to the row, in words.
    package let rule: String

    /// The contents before the migration.
    package let before: [Part]

    /// The contents after the migration.
    package let after: [Part]
  }

  /// What a property of the target is made of, or what happens to a dropped property of the source.
  package struct Fate: Hashable, Sendable {
    /// The contents that it is made of, in the source's names.
    package let sources: [Part]

    /// The content in the target; `nil` if it has no place there.
    package let target: Part?

    /// The rules that were applied, in order; empty if the property is unchanged.
    package let rules: [String]
  }

  /// The path as typed.
  package let path: String

  /// The app.
  package let app: String

  /// The version the store is at.
  package let from: String

  /// The version that the migration leads to.
  package let to: String

  /// The row's entity, in the source.
  package let entity: String

  /// The row's key, which doesn't change.
  package let key: Int64

  /// The row's entity, in the target; `nil` if the row has no place there.
  package let newEntity: String?

  /// The row as it is in the store.
  package let row: ShownRow

  /// The steps that concern the row, in order.
  package let events: [Event]

  /// The properties of the target, then the dropped properties of the source.
  package let fates: [Fate]

  /// What happens to an outbox row with `--rows deliverable`, in words; `nil` for any other row.
  ///
  /// Such a row isn't converted step by step, so it has neither events nor fates.
  package let outcome: String?

  /// The fate of an outbox row that isn't written, or of a row that a step removes, in one word.
  ///
  /// `nil` for any other row.
  package let fate: String?
}
