import StoreModel
package import StoreProof

/// A row as its entity has it.
package struct ShownRow: Hashable, Sendable {
  /// A property of the row; a composite has one for each leaf.
  package struct Property: Hashable, Sendable {
    /// The name; that of a composite's leaf is `attribute.leaf`.
    package let name: String

    /// The attribute's type, or the entity that the relationship leads to.
    package let type: String

    /// What the row has.
    package let content: Content
  }

  /// What a row has for a property.
  package enum Content: Hashable, Sendable {
    /// The fingerprint of a value, and what its text or bytes are; the latter is `nil` for others.
    case value(ValueFingerprint, ValueShape?)

    /// The row that a to-one relationship leads to; `nil` without one.
    case link(Link?)

    /// The first rows that a to-many relationship leads to, and the number of all.
    case links([Link], count: Int64)

    /// The store has no column for the property.
    case missingColumn
  }

  /// A row that a relationship leads to.
  package struct Link: Hashable, Sendable {
    /// The entity; the relationship's destination if the row is missing.
    package let entity: String

    /// The primary key.
    package let key: Int64

    /// Whether the store has no row with the key.
    package let isDangling: Bool
  }

  /// The row's entity.
  package let entity: String

  /// The row's primary key.
  package let key: Int64

  /// The attributes, then the relationships, each in the order of their names.
  package let properties: [Property]
}

/// The rows that were asked for.
package struct RowListing: Hashable, Sendable {
  /// The rows that a condition selects.
  package struct Selection: Hashable, Sendable {
    /// The entity, by its name in the store.
    package let entity: String

    /// The number of the entity's rows, with those of its sub-entities.
    package let total: Int64

    /// The number of rows for which the condition is true; all without a condition.
    package let matching: Int64
  }

  /// The path as typed.
  package let path: String

  /// The selection; `nil` if rows were asked for by their keys or ids.
  package let selection: Selection?

  /// The rows, in the order in which they were asked for, or in that of their keys.
  package let rows: [ShownRow]
}
