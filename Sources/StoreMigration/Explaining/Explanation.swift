import RowRewriting
import OutboxConversion
package import StoreProof

/// What becomes of one row, and why: its way through every step of a plan.
package struct Explanation: Hashable, Sendable {
  /// What a property of the row holds: the mark of a value, or the row that a link leads to.
  package struct Part: Hashable, Sendable {
    /// The property; the leaf of a composite as `attribute.leaf`.
    package let property: String

    /// What it holds.
    package let content: CellDifference.Content
  }

  /// One step, as it applies to the row.
  package struct Event: Hashable, Sendable {
    /// The migration that the step belongs to.
    package let migration: String

    /// What the step does.
    package let verb: String

    /// What it does it to, in the names that hold before it.
    package let object: String

    /// The new name, where it gives one.
    package let newName: String?

    /// Which rule fired, in words.
    package let rule: String

    /// What stood there before the migration.
    package let before: [Part]

    /// What stands there after it.
    package let after: [Part]
  }

  /// What one property of the source, or of the target, becomes or is made of.
  package struct Fate: Hashable, Sendable {
    /// What it is made of, in the source's names.
    package let sources: [Part]

    /// What it is in the target; none for what has no place there.
    package let target: Part?

    /// The rules that made it so, in order; none where it stays as it is.
    package let rules: [String]
  }

  /// The path as it was typed.
  package let path: String

  /// The app.
  package let app: String

  /// The version the store is at.
  package let from: String

  /// The version it would be brought to.
  package let to: String

  /// The row's entity, in the source.
  package let entity: String

  /// The row's key, which it keeps.
  package let key: Int64

  /// The row's entity, in the target; none where the row has no place there.
  package let newEntity: String?

  /// The steps that are about the row, in order.
  package let events: [Event]

  /// The properties of the target, then what is left of the source's.
  package let fates: [Fate]

  /// What becomes of a row of an outbox that the app is to deliver, in words; none of any other.
  ///
  /// Such a row isn't made step by step, and has neither events nor fates.
  package let outcome: String?
}
