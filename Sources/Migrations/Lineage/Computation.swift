package import SQLite
package import StoreModel

/// A checked formula, with the origin of each value that it reads.
package struct Computation: Hashable, Sendable {
  /// A to-one relationship whose row a formula reads.
  package struct Link: Hashable, Sendable {
    /// The source's entity that declares the relationship.
    package let entity: String

    /// The relationship's name in the source.
    package let relationship: String

    /// The source's entity of the row.
    package let destination: String

    /// The origin of each value of the row, by its name in the formula.
    package let values: [String: Expression]
  }

  /// The attribute that gets the result, as messages name it.
  package let attribute: String

  /// The formula.
  package let expression: ScalarExpression

  /// The origin of each value of the row itself, by its name in the formula.
  package internal(set) var values: [String: Expression]

  /// The links, by their names in the formula.
  package let links: [String: Link]

  /// The type of the result.
  package let type: AttributeType

  /// Whether the result may be NULL.
  package let isOptional: Bool
}
