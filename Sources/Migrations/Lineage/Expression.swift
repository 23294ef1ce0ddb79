package import SQLite

/// The origin of one value of the target, in terms of one row of the source.
package indirect enum Expression: Hashable, Sendable {
  /// The value of a property, with the source's entity that declares it.
  ///
  /// The path of a composite's leaf is `property.leaf`.
  case cell(entity: String, path: String)

  /// The same value for every row.
  case constant(Value)

  /// The user's value for an option.
  case option(MigrationOption)

  /// One output of a conversion of other values.
  case converted(Converter, output: Int, [Expression])

  /// One value if the test meets a condition, else another.
  case conditional(Condition, test: Expression, then: Expression, otherwise: Expression)

  /// The result of a formula over other values.
  case computed(Computation)

  /// A UUID for each row of the source, for an attribute: 16 bytes, or their text.
  case newUUID(PropertyPath, isText: Bool)

  /// The number of the row in an order.
  case sequence(RowSequence)

  /// A condition on a value.
  package enum Condition: Hashable, Sendable {
    case null
    case zero
    case empty

    /// The value is missing, is the default, or occurs in more than one row.
    case placeholder(Value?)
  }

  /// The properties of the source's row that the value depends on.
  package var cells: Set<String> { Set(paths.map(\.property)) }

  /// The properties of the source's row that the value depends on, with the entities that declare
  /// them.
  var paths: Set<PropertyPath> {
    switch self {
    case .cell(let entity, let path): [PropertyPath(entity: entity, property: path)]
    case .constant, .option, .newUUID, .sequence: []
    case .converted(_, _, let inputs): inputs.reduce(into: []) { $0.formUnion($1.paths) }
    case .computed(let computation):
      computation.values.values.reduce(into: []) { $0.formUnion($1.paths) }
    case .conditional(_, let test, let then, let otherwise):
      test.paths.union(then.paths).union(otherwise.paths)
    }
  }

  /// The source's entities whose properties the value is made from, outside formulas.
  package var owners: Set<String> {
    switch self {
    case .cell(let entity, _): [entity]
    // Formulas know the entity whose rows they are for.
    case .constant, .option, .newUUID, .sequence, .computed: []
    case .converted(_, _, let inputs): inputs.reduce(into: []) { $0.formUnion($1.owners) }
    case .conditional(_, let test, let then, let otherwise):
      test.owners.union(then.owners).union(otherwise.owners)
    }
  }

  /// The options that the value depends on, if they aren't replaced.
  package var options: Set<MigrationOption> {
    switch self {
    case .option(let option): [option]
    case .cell, .constant, .newUUID: []
    case .sequence(let sequence): sequence.options
    case .converted(_, _, let inputs): inputs.reduce(into: []) { $0.formUnion($1.options) }
    case .computed(let computation): computation.options
    case .conditional(_, let test, let then, let otherwise):
      test.options.union(then.options).union(otherwise.options)
    }
  }

  /// Returns the expression with options replaced by the user's values.
  package func binding(_ options: [MigrationOption: Value]) -> Expression {
    switch self {
    case .cell, .constant, .newUUID: self
    case .sequence(let sequence): .sequence(sequence.binding(options))
    case .option(let option): options[option].map { .constant($0) } ?? self
    case .converted(let converter, let output, let inputs):
      .converted(converter, output: output, inputs.map { $0.binding(options) })
    case .computed(let computation): .computed(computation.binding(options))
    case .conditional(let condition, let test, let then, let otherwise):
      .conditional(
        condition, test: test.binding(options), then: then.binding(options),
        otherwise: otherwise.binding(options))
    }
  }
}

extension Computation {
  /// The options that the result depends on, if they aren't replaced.
  package var options: Set<MigrationOption> {
    values.values.reduce(into: []) { $0.formUnion($1.options) }
  }

  /// Returns the computation with options replaced by the user's values.
  package func binding(_ options: [MigrationOption: Value]) -> Computation {
    var computation = self
    computation.values = values.mapValues { $0.binding(options) }
    computation.classes = classes?.binding(options)
    return computation
  }
}
