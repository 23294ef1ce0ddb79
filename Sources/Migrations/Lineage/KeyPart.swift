/// A value by which rows are compared or ordered.
package enum KeyPart: Hashable, Sendable {
  /// The result of a formula.
  case value(Computation)

  /// The row that a to-one relationship leads to, by the source's names.
  case link(entity: String, relationship: String)
}

/// Numbers of the rows of an entity, in an order.
package struct RowSequence: Hashable, Sendable {
  /// The attribute, as the step names it.
  package let path: PropertyPath

  /// The source's entity of the rows; `nil` for an entity without rows.
  package let source: String?

  /// The values by which rows are ordered.
  package let by: [KeyPart]

  /// The value that rows of one sequence share; `nil` if there is one sequence.
  package let within: KeyPart?

  /// The first number.
  package let start: Int64

  /// The highest number that the attribute's type holds.
  package let limit: Int64
}
