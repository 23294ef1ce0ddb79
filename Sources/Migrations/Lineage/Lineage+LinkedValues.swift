import SQLite

/// A value that a formula reads from the row at the other end of a link, by the source's names.
package struct LinkedValue: Hashable, Sendable {
  /// The entity that declares the attribute.
  package let entity: String

  /// The attribute; a composite's leaf is `attribute.leaf`.
  package let path: String
}

extension Lineage {
  /// The values of other rows on which the target's rows depend, and which rows there are.
  package var linkedValues: Set<LinkedValue> {
    let values =
      entities.values.flatMap(\.cells.values)
      + droppedProperties.flatMap(\.leaves)
      .compactMap(\.restoration)
    let formulas =
      values.flatMap(\.formulas) + requirements + relinks.compactMap(\.order)
      + removedRows.flatMap(\.rule.formulas)
    return formulas.reduce(into: []) { $0.formUnion($1.linkedValues) }
  }
}

extension Lineage.RemovedRows.Rule {
  fileprivate var formulas: [Computation] {
    switch self {
    case .deleted(let condition): [condition]
    case .united(_, let by, let keep): by.flatMap(\.formulas) + [keep].compactMap(\.self)
    }
  }
}

extension KeyPart {
  fileprivate var formulas: [Computation] {
    if case .value(let computation) = self { [computation] } else { [] }
  }
}

extension Expression {
  /// The formulas that the value is a result of, or is made from.
  fileprivate var formulas: [Computation] {
    switch self {
    case .cell, .constant, .option, .newUUID: []
    case .sequence(let sequence):
      (sequence.by + [sequence.within].compactMap(\.self)).flatMap(\.formulas)
    case .converted(_, _, let inputs): inputs.flatMap(\.formulas)
    case .computed(let computation): [computation]
    case .conditional(_, let test, let then, let otherwise):
      [test, then, otherwise].flatMap(\.formulas)
    }
  }

  /// The values of its own row that the value is made from.
  fileprivate var ownValues: Set<LinkedValue> {
    switch self {
    case .cell(let entity, let path): [LinkedValue(entity: entity, path: path)]
    case .constant, .option, .newUUID, .sequence: []
    case .converted(_, _, let inputs): inputs.reduce(into: []) { $0.formUnion($1.ownValues) }
    case .computed(let computation):
      computation.values.values.reduce(into: []) { $0.formUnion($1.ownValues) }
    case .conditional(_, let test, let then, let otherwise):
      test.ownValues.union(then.ownValues).union(otherwise.ownValues)
    }
  }
}

extension Computation {
  /// The values that the formula reads through links, and those that its own values are made from.
  fileprivate var linkedValues: Set<LinkedValue> {
    var found: Set<LinkedValue> = []
    let own = Array(values.values) + [classes].compactMap(\.self)
    for formula in own.flatMap(\.formulas) { found.formUnion(formula.linkedValues) }
    for (scope, link) in links {
      for (value, expression) in link.values
      where self.expression.names.contains(.init(scope: scope, value: value)) {
        found.formUnion(expression.ownValues)
        for formula in expression.formulas { found.formUnion(formula.linkedValues) }
      }
    }
    return found
  }
}
