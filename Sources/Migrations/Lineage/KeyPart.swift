import SQLite

/// A value by which rows are compared or ordered.
package enum KeyPart: Hashable, Sendable {
  /// The result of a formula.
  case value(Computation)

  /// The row that a to-one relationship leads to, by the source's names.
  case link(entity: String, relationship: String)

  /// The options that the value depends on, if they aren't replaced.
  package var options: Set<MigrationOption> {
    if case .value(let computation) = self { computation.options } else { [] }
  }

  /// Returns the value with options replaced by the user's values.
  func binding(_ options: [MigrationOption: Value]) -> KeyPart {
    if case .value(let computation) = self { .value(computation.binding(options)) } else { self }
  }
}

/// Numbers of the rows of an entity, in an order.
package struct RowSequence: Hashable, Sendable {
  /// The attribute, as the step names it.
  package let path: PropertyPath

  /// The source's entity of the rows; `nil` for an entity without rows.
  package let source: String?

  /// The values by which rows are ordered.
  package private(set) var by: [KeyPart]

  /// The value that rows of one sequence share; `nil` if there is one sequence.
  package private(set) var within: KeyPart?

  /// The first number.
  package let start: Int64

  /// The highest number that the attribute's type holds.
  package let limit: Int64

  init(
    path: PropertyPath, source: String?, by: [KeyPart], within: KeyPart?, start: Int64, limit: Int64
  ) {
    (self.path, self.source, self.by, self.within) = (path, source, by, within)
    (self.start, self.limit) = (start, limit)
  }

  /// The options that the numbers depend on, if they aren't replaced.
  var options: Set<MigrationOption> {
    (by + (within.map { [$0] } ?? [])).reduce(into: []) { $0.formUnion($1.options) }
  }

  /// Returns the numbers with options replaced by the user's values.
  func binding(_ options: [MigrationOption: Value]) -> RowSequence {
    var sequence = self
    sequence.by = by.map { $0.binding(options) }
    sequence.within = within?.binding(options)
    return sequence
  }
}
