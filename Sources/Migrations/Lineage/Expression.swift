package import SQLite

/// Where one value of the target comes from, in terms of one row of the source.
package indirect enum Expression: Hashable, Sendable {
  /// The value of a property of the source's row, by the entity that declares it there.
  ///
  /// Leaves of composites as `property.leaf`.
  case cell(entity: String, path: String)

  /// The same value for every row.
  case constant(Value)

  /// What the user gave for an option.
  case option(MigrationOption)

  /// One of the values that a conversion makes of others.
  case converted(Converter, output: Int, [Expression])

  /// One value where a condition holds of a test, another elsewhere.
  case conditional(Condition, test: Expression, then: Expression, otherwise: Expression)

  /// A condition on a value.
  package enum Condition: Hashable, Sendable {
    case null
    case zero
    case empty

    /// The value is a default, or stands in more than one row.
    case placeholder(Value?)
  }

  /// The properties of the source's row that the value depends on.
  package var cells: Set<String> {
    switch self {
    case .cell(_, let path): [path]
    case .constant, .option: []
    case .converted(_, _, let inputs): inputs.reduce(into: []) { $0.formUnion($1.cells) }
    case .conditional(_, let test, let then, let otherwise):
      test.cells.union(then.cells).union(otherwise.cells)
    }
  }

  /// Returns the expression with options replaced by what the user gave.
  package func binding(_ options: [MigrationOption: Value]) -> Expression {
    switch self {
    case .cell, .constant: self
    case .option(let option): options[option].map { .constant($0) } ?? self
    case .converted(let converter, let output, let inputs):
      .converted(converter, output: output, inputs.map { $0.binding(options) })
    case .conditional(let condition, let test, let then, let otherwise):
      .conditional(
        condition, test: test.binding(options), then: then.binding(options),
        otherwise: otherwise.binding(options))
    }
  }
}
