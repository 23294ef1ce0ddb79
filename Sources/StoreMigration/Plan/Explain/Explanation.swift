/// What becomes of one row, and why: its way through every step of a plan.
public struct Explanation: Hashable, Sendable {
  /// What a property of the row holds: the mark of a value, or the row that a link leads to.
  public struct Part: Hashable, Sendable {
    /// The property; the leaf of a composite as `attribute.leaf`.
    public let property: String

    /// What it holds.
    public let content: CellDifference.Content
  }

  /// One step, as it applies to the row.
  public struct Event: Hashable, Sendable {
    /// The migration that the step belongs to.
    public let migration: String

    /// What the step does.
    public let verb: String

    /// What it does it to, in the names that hold before it.
    public let object: String

    /// The new name, where it gives one.
    public let newName: String?

    /// Which rule fired, in words.
    public let rule: String

    /// What stood there before the migration.
    public let before: [Part]

    /// What stands there after it.
    public let after: [Part]
  }

  /// What one property of the source, or of the target, becomes or is made of.
  public struct Fate: Hashable, Sendable {
    /// What it is made of, in the source's names.
    public let sources: [Part]

    /// What it is in the target; none for what has no place there.
    public let target: Part?

    /// The rules that made it so, in order; none where it stays as it is.
    public let rules: [String]
  }

  /// The path as it was typed.
  public let path: String

  /// The app.
  public let app: String

  /// The version the store is at.
  public let from: String

  /// The version it would be brought to.
  public let to: String

  /// The row's entity, in the source.
  public let entity: String

  /// The row's key, which it keeps.
  public let key: Int64

  /// The row's entity, in the target; none where the row has no place there.
  public let newEntity: String?

  /// The steps that are about the row, in order.
  public let events: [Event]

  /// The properties of the target, then what is left of the source's.
  public let fates: [Fate]

  /// What becomes of a row of an outbox that the app is to deliver, in words; none of any other.
  ///
  /// Such a row isn't made step by step, and has neither events nor fates.
  public let outcome: String?
}
