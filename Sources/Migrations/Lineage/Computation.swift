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

  /// What the result is for.
  package enum Purpose: Hashable, Sendable {
    /// It is the attribute's value.
    case value

    /// It is the class under which plans count the row's value, one of these.
    ///
    /// `refused` refuses the migration, for a reason.
    case classes([String], refusal: String)

    /// It is compared with the value of a removed attribute.
    case restoration

    /// The migration is refused if it isn't true, for a reason.
    case requirement(String)
  }

  /// The attribute that gets the result, as messages name it; the entity of a requirement.
  package let attribute: String

  /// The source's entity whose rows are computed; `nil` for an entity without rows.
  package let source: String?

  /// What the result is for.
  package let purpose: Purpose

  /// The formula, as the step states it.
  package let formula: Formula

  /// The formula, checked.
  package let expression: ScalarExpression

  /// The origin of each value of the row itself, by its name in the formula.
  package internal(set) var values: [String: Expression]

  /// The class of the row's value, as another computation; `nil` if only NULL has its own class.
  package internal(set) var classes: Expression?

  /// The links, by their names in the formula.
  package let links: [String: Link]

  /// The type of the result.
  package let type: AttributeType

  /// Whether the result may be NULL.
  package let isOptional: Bool
}
