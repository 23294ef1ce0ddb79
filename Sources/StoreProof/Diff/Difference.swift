/// One row or link in which two stores differ.
package enum Difference: Hashable, Sendable {
  case row(RowDifference)
  case link(LinkDifference)

  /// How a row or link differs.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case onlyInA = "only-in-a"
    case onlyInB = "only-in-b"
    case changed
  }
}

/// A row that only one store has, or whose values differ.
package struct RowDifference: Hashable, Sendable {
  /// How the row differs.
  package let kind: Difference.Kind

  /// The names of its entity, in the stores that have the row.
  package let entity: PairedName

  /// Its primary key; if both stores have the row, the first store's.
  package let key: Int64

  /// The primary key in the second store; `nil` unless both have the row, paired by attributes.
  package let keyInB: Int64?

  /// The changed cells, or all cells with a value if only one store has the row.
  package let cells: [CellDifference]
}

/// A property of a row whose values differ.
package struct CellDifference: Hashable, Sendable {
  /// The content of a cell.
  package enum Content: Hashable, Sendable {
    /// A masked value.
    case value(ValueFingerprint)

    /// The row that a to-one relationship leads to.
    case link(entity: String, key: Int64)
  }

  /// The names of the property.
  package let name: PairedName

  /// What the first store has; `nil` if it doesn't have the row.
  package let before: Content?

  /// What the second store has; `nil` if it doesn't have the row.
  package let after: Content?
}

/// A link of a many-to-many relationship that only one store has, or whose positions differ.
package struct LinkDifference: Hashable, Sendable {
  /// How the link differs.
  package let kind: Difference.Kind

  /// The names of the relationship, as `Entity.relationship`.
  package let relationship: PairedName

  /// The key of the row that has the relationship.
  package let key: Int64

  /// The key of the row that it leads to.
  package let destination: Int64
}
