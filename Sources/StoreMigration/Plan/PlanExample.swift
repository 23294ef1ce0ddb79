/// A row whose values change their form, before and after: the first of its kind.
public struct PlanExample: Hashable, Sendable {
  /// A value in an example.
  public struct Part: Hashable, Sendable {
    /// The attribute, or the leaf of a composite as `attribute.leaf`.
    public let attribute: String

    /// What may be said of the value.
    public let mark: ValueMark

    public init(attribute: String, mark: ValueMark) {
      self.attribute = attribute
      self.mark = mark
    }
  }

  /// The row's entity, in the source.
  public let entity: String

  /// The row's entity, in the target.
  public let newEntity: String

  /// The row's key.
  public let key: Int64

  /// The class of what became of the values, as conversions count it; `filled` for a backfill.
  public let kind: String

  /// What is read, in the source's names.
  public let before: [Part]

  /// What is made of it, in the target's names.
  public let after: [Part]
}
