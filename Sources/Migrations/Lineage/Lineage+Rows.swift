import SQLite
import StoreModel

extension Lineage {
  /// Notes the rows that a step deletes.
  mutating func delete(
    _ deletion: RowDeletion, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let condition = try value(of: deletion.condition, deletion.entity, in: context, names: names)
    remove(from: deletion.entity, by: .deleted(condition), in: context)
  }

  /// Notes the rows that a step unites.
  mutating func unite(
    _ union: RowUnion, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var parts: [KeyPart] = []
    for formula in union.by {
      parts.append(try part(formula, of: union.entity, in: context, names: names))
    }
    let keep = try union.keep.formula.map { (formula) throws(LineageError) in
      try value(of: formula, union.entity, in: context, names: names)
    }
    remove(from: union.entity, by: .united(union, by: parts, keep: keep), in: context)
  }

  private mutating func remove(
    from name: String, by rule: RemovedRows.Rule, in context: StepContext
  ) {
    let earlier = removedRows.count { $0.migration == context.migration && $0.name == name }
    removedRows.append(
      RemovedRows(
        migration: context.migration, name: name, source: entities[name]?.source,
        place: steps.count - 1, rule: rule, number: earlier + 1))
  }

  /// Adds an attribute with the number of each row in an order.
  mutating func number(
    _ path: PropertyPath, by numbering: RowNumbering, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    guard entity.paths(of: path.property).isEmpty, entity.relationships[path.property] == nil else {
      throw .exists(path.description, in: context.migration)
    }
    guard
      case .attribute(let attribute) = try context.targetProperty(path, names),
      let numbers = attribute.type.integerRange
    else { throw .wrongValue(path, type: "an integer", in: context.migration) }
    var parts: [KeyPart] = []
    for formula in numbering.by {
      parts.append(try part(formula, of: path.entity, in: context, names: names))
    }
    let within = try numbering.within.map { (formula) throws(LineageError) in
      try part(formula, of: path.entity, in: context, names: names)
    }
    let sequence = RowSequence(
      path: path, source: entity.source, by: parts, within: within, start: numbering.start,
      limit: numbers.upperBound)
    entity.set(path.property, to: .sequence(sequence), of: StoredType(of: attribute))
    entities[path.entity] = entity
  }

  /// Returns a to-one relationship, or a formula.
  private func part(
    _ formula: Formula, of name: String, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> KeyPart {
    let entity = try entity(name, in: context)
    guard let lineage = entity.relationships[formula.text], !lineage.isRelinked,
      case .relationship(let described) = context.source[names.source(name)]?[formula.text],
      !described.isToMany, let source = lineage.source, let owner = entity.source
    else { return .value(try value(of: formula, name, in: context, names: names)) }
    return .link(entity: owner, relationship: source.name)
  }

  func value(
    of formula: Formula, _ name: String, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> Computation {
    try computation(
      formula, of: .undefined, isOptional: true, for: PropertyPath(entity: name, property: name),
      in: context, names: names)
  }
}
