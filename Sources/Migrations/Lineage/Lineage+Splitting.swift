import SQLite
import StoreFormat
import StoreModel

extension Lineage {
  /// Rows of a new entity that are made of rows of another, the owner.
  package struct Split: Hashable, Sendable {
    /// The migration.
    package let migration: String

    /// The owner, by its name before the step.
    package let object: String

    /// The index of the step in ``Lineage/steps``.
    package let place: Int

    /// The source's entity of the rows.
    package let owner: String
    package let per: EntitySplit.Per

    /// The values that make rows equal, if there is one row for each combination.
    package let values: [Expression]
  }

  /// A new to-one relationship whose links a step makes.
  package struct MadeLink: Hashable, Sendable {
    /// The step.
    package let split: Split

    /// Whether it leads from the new entity to the owner.
    package let isInverse: Bool
  }

  /// Makes attributes of an entity those of a new entity.
  mutating func split(
    _ step: EntitySplit, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var owner = try entity(step.entity, in: context)
    guard entities[step.part] == nil else { throw .exists(step.part, in: context.migration) }
    let path = PropertyPath(entity: step.entity, property: step.link)
    guard owner.paths(of: step.link).isEmpty, owner.relationships[step.link] == nil else {
      throw .exists(path.description, in: context.migration)
    }
    let inverse = try inverse(of: step, in: context, names: names)
    var part = EntityLineage(source: nil, cells: [:], relationships: [:])
    var values: [Expression] = []
    for attribute in step.attributes {
      values += try move(attribute, from: &owner, to: &part, step, in: context, names: names)
    }
    var links: [RelationshipLineage] = [.init(), .init()]
    if let source = owner.source {
      let split = Split(
        migration: context.migration, object: step.entity, place: steps.count - 1, owner: source,
        per: step.per, values: step.per == .value ? values : [])
      part.split = split
      links = [false, true].map { .init(made: MadeLink(split: split, isInverse: $0)) }
    }
    owner.relationships[step.link] = links[0]
    if let inverse { part.relationships[inverse] = links[1] }
    entities[step.entity] = owner
    entities[step.part] = part
  }

  /// Moves an attribute to the new entity, and returns its values.
  private func move(
    _ attribute: MovedAttribute, from owner: inout EntityLineage, to part: inout EntityLineage,
    _ step: EntitySplit, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> [Expression] {
    if let reason = refusal(of: attribute, step, in: context, names: names) {
      throw step.refusal(reason, in: context)
    }
    let old = PropertyPath(entity: step.entity, property: attribute.name)
    let cells = try cells(of: old, in: owner, context)
    for cell in cells {
      guard cell.expression.isComputable, !cell.expression.dependsOnKey else {
        throw step.refusal(
          "'\(old)' is made by a converter, 'new-uuid' or 'sequence' in the same run; "
            + "migrate in two runs", in: context)
      }
      let newPath = attribute.newName + cell.path.dropFirst(attribute.name.count)
      part.cells[newPath] = value(cell.expression, at: newPath, attribute, step, context, names)
      part.types[newPath] = owner.types[cell.path]
      owner.remove(cell.path)
    }
    return cells.map(\.expression)
  }

  /// Returns a value, or what a mandatory attribute gets in its place.
  private func value(
    _ expression: Expression, at cell: String, _ attribute: MovedAttribute, _ step: EntitySplit,
    _ context: StepContext, _ names: TargetNames
  ) -> Expression {
    let new = context.target[names.target(step.part)]?[attribute.newName].attribute
    guard step.fillsMissing, let new, !new.isOptional,
      let leaf = new.leaves.first(where: { $0.cellName == cell })?.attribute, !leaf.isOptional,
      let missing = new.storedDefault(of: leaf) ?? leaf.type.leastValue?.stored(as: leaf)
    else { return expression }
    return .conditional(
      .null, test: expression, then: .constant(missing), otherwise: expression)
  }

  /// Checks the link in the target's model, and returns the name of its inverse, if it has one.
  private func inverse(
    of step: EntitySplit, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> String? {
    let name = names.target(step.part)
    guard let part = context.target[name] else {
      throw .unknownEntity(
        name, in: context.migration, known: context.target.entities.map(\.name))
    }
    guard context.target.isAlone(part) else {
      throw step.refusal(
        "'\(name)' is abstract, or has a super-entity or sub-entities", in: context)
    }
    guard
      case .relationship(let link)? = context.target[names.target(step.entity)]?[step.link],
      !link.isToMany, !link.isTransient, link.destinationName == name
    else {
      throw step.refusal(
        "'\(step.link)' isn't a to-one relationship to '\(name)' in the target", in: context)
    }
    guard let inverseName = link.inverseName,
      let inverse = context.target.relationship(named: inverseName, of: name)?.relationship
    else { return nil }
    if inverse.isOrdered {
      throw step.refusal("'\(name).\(inverseName)' is ordered; the rows have no order", in: context)
    }
    if !inverse.isToMany, step.per == .value {
      throw step.refusal(
        "'\(name).\(inverseName)' is to-one, and several rows may have one value; "
          + "make it to-many, or use 'row'", in: context)
    }
    return inverseName
  }

  /// Returns why an attribute can't move to the new entity; `nil` if it can.
  private func refusal(
    of attribute: MovedAttribute, _ step: EntitySplit, in context: StepContext, names: TargetNames
  ) -> String? {
    let old = context.source[names.source(step.entity)]?[attribute.name]
    let new = context.target[names.target(step.part)]?[attribute.newName]
    let isExternal = [old, new].map { $0.attribute?.allowsExternalStorage }
    if step.per == .value, isExternal.contains(true) {
      return "'\(step.entity).\(attribute.name)' allows external storage, and its files can't be "
        + "shared; use 'row'"
    }
    if isExternal.contains(true), isExternal[0] != isExternal[1] {
      return "'\(step.entity).\(attribute.name)' allows external storage in one version only, "
        + "or has another name in the version before"
    }
    return nil
  }

  /// Checks that a step can be about an entity whose rows a step of the same run makes.
  func checkMade(by step: Step, in context: StepContext) throws(LineageError) {
    guard let split = entities[step.entity]?.split else { return }
    switch step {
    case .add, .drop, .rename, .renameEntity, .backfill, .compute, .map, .retype, .newUUID,
      .addEntity:
      return
    case .dropEntity, .convert, .merge, .split, .require, .deleteRows, .unite, .sequence, .relink,
      .splitEntity, .inline:
      throw .notDivisible(
        split.object, verb: step.verb,
        reason: "its rows are made by 'split' in the same run; migrate in two runs", place: nil,
        in: context.migration)
    }
  }
}

extension Lineage.EntityLineage {
  /// The source's entity of the rows that these are, or are made of.
  package var rowSource: String? { source ?? split?.owner }
}

extension EntitySplit {
  func refusal(_ reason: String, in context: StepContext) -> LineageError {
    .notDivisible(
      entity, verb: "split", reason: reason, place: place.text, in: context.migration)
  }
}

extension Model {
  /// Returns whether an entity has rows of its own, and neither super-entity nor sub-entities.
  func isAlone(_ entity: Entity) -> Bool {
    !entity.isAbstract && entity.superentityName == nil
      && !entities.contains { $0.superentityName == entity.name }
  }
}

extension Property? {
  /// The attribute, if it is one.
  var attribute: Attribute? {
    if case .attribute(let attribute)? = self { attribute } else { nil }
  }
}
