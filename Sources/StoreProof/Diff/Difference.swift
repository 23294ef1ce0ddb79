/// One row or link in which two stores differ.
package enum Difference: Hashable, Sendable {
  case row(RowDifference)
  case link(LinkDifference)

  /// In which way a row or link differs.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case onlyInA = "only-in-a"
    case onlyInB = "only-in-b"
    case changed
  }
}

/// A row that only one store has, or that has another value in each.
package struct RowDifference: Hashable, Sendable {
  /// In which way the row differs.
  package let kind: Difference.Kind

  /// The names of its entity in the stores that have the row.
  package let entity: PairedName

  /// Its primary key.
  package let key: Int64

  /// The changed cells, or all that have a value where only one store has the row.
  package let cells: [CellDifference]
}

/// One property of a row that differs.
package struct CellDifference: Hashable, Sendable {
  /// What stands in a cell.
  package enum Content: Hashable, Sendable {
    /// A value, masked.
    case value(ValueMark)

    /// The row that a to-one relationship leads to.
    case link(entity: String, key: Int64)
  }

  /// The property's names.
  package let name: PairedName

  /// What the first store has; `nil` if it doesn't have the row.
  package let before: Content?

  /// What the second store has; `nil` if it doesn't have the row.
  package let after: Content?
}

/// A link of a many-to-many relationship that only one store has, or that has another place in each.
package struct LinkDifference: Hashable, Sendable {
  /// In which way the link differs.
  package let kind: Difference.Kind

  /// The relationship's names, as `Entity.relationship`.
  package let relationship: PairedName

  /// The key of the row that has the relationship.
  package let key: Int64

  /// The key of the row that it leads to.
  package let destination: Int64
}
