import SQLite

extension Lineage {
  /// The values at the other ends of links on which the target's rows depend, by the source's names.
  package var linkedValues: Set<PropertyPath> {
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
}

extension Computation {
  /// The values that the formula reads through links, and those that its own values are made from.
  fileprivate var linkedValues: Set<PropertyPath> {
    var found: Set<PropertyPath> = []
    let own = Array(values.values) + [classes].compactMap(\.self)
    for formula in own.flatMap(\.formulas) { found.formUnion(formula.linkedValues) }
    for (scope, link) in links {
      for (value, expression) in link.values
      where self.expression.names.contains(.init(scope: scope, value: value)) {
        found.formUnion(expression.paths)
        for formula in expression.formulas { found.formUnion(formula.linkedValues) }
      }
    }
    return found
  }
}
