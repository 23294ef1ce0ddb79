import SQLite
package import StoreModel

extension Lineage {
  /// Returns the lineage after one more migration.
  ///
  /// - Parameters:
  ///   - migration: The migration.
  ///   - source: The model before it.
  ///   - target: The model after it.
  /// - Returns: The longer lineage.
  /// - Throws: A ``LineageError`` if the steps don't lead from one model to the other.
  package func applying(
    _ migration: Migration, source: Model, target: Model
  ) throws(LineageError) -> Lineage {
    var next = self
    let context = StepContext(
      migration: migration.name, source: source, target: target,
      constants: migration.constants.compactMapValues(\.storedAlone))
    // Steps rename entities: `names` maps present names to those of the source and the target.
    var names = TargetNames(migration)
    next.beginRelinking()
    for (place, step) in migration.steps.enumerated() {
      names.later = migration.steps.dropFirst(place + 1)
      next.steps.append(
        TracedStep(
          migration: migration.name, step: step, source: next.entities[step.entity]?.rowSource,
          isReversible: step.isReversible && !next.isOverwritten(by: step)))
      do throws(LineageError) {
        try next.apply(step, in: context, names: &names)
      } catch {
        throw .inStep(place + 1, error)
      }
    }
    try next.check(against: context, names)
    next.noteUnorderedRelationships(in: context, names)
    for entity in target.entities {
      next.entities[entity.name]?.types = entity.leafTypes
      next.entities[entity.name]?.inverses = [:]
    }
    return next
  }

  /// Whether a step computes an attribute that exists already, and says nothing of its old values.
  private func isOverwritten(by step: Step) -> Bool {
    guard case .compute(let path, _, let inverse) = step, inverse[path.property] == nil
    else { return false }
    return entities[path.entity]?.paths(of: path.property).isEmpty == false
  }

  private mutating func apply(
    _ step: Step, in context: StepContext, names: inout TargetNames
  ) throws(LineageError) {
    try checkMade(by: step, in: context)
    switch step {
    case .addEntity(let name): try addEntity(name, in: context)
    case .dropEntity(let name): try dropEntity(name, in: context)
    case .renameEntity(let name, let newName):
      try renameEntity(name, to: newName, in: context)
      names.renamed(name, to: newName)
    case .add(let path, let value): try add(path, value: value, in: context, names: names)
    case .drop(let path):
      let restoration = try restoration(of: path, in: context, names: names)
      try drop(path, restoredBy: restoration, in: context, names: names)
    case .rename(let path, let newName): try rename(path, to: newName, in: context)
    case .convert(let conversion): try convert(conversion, in: context, names: names)
    case .merge(let paths, let path): try merge(paths, to: path, in: context, names: names)
    case .split(let path, let paths): try split(path, to: paths, in: context, names: names)
    case .backfill(let path, let source, let condition):
      try backfill(path, from: source, where: condition, in: context, names: names)
    case .map(let path, let map): try self.map(path, by: map, in: context, names: names)
    case .retype(let path, let change):
      try retype(path, by: change, in: context, names: names)
    case .newUUID(let path): try addUUID(path, in: context, names: names)
    case .require(let name, let formula, let reason):
      try require(formula, of: name, because: reason, in: context, names: names)
    case .deleteRows(let deletion): try delete(deletion, in: context, names: names)
    case .unite(let union): try unite(union, in: context, names: names)
    case .sequence(let path, let numbering):
      try number(path, by: numbering, in: context, names: names)
    case .splitEntity(let split): try self.split(split, in: context, names: names)
    case .inline(let inline): try self.inline(inline, in: context, names: names)
    case .relink(let path, let keep):
      try relink(path, keep: keep, in: context, names: names)
    case .compute(let path, let formula, let inverse):
      try compute(path, by: formula, inverses: inverse, in: context, names: names)
    }
  }

  private mutating func renameEntity(
    _ name: String, to newName: String, in context: StepContext
  ) throws(LineageError) {
    let entity = try entity(name, in: context)
    guard entities[newName] == nil else { throw .exists(newName, in: context.migration) }
    entities[name] = nil
    entities[newName] = entity
  }

  private mutating func dropEntity(_ name: String, in context: StepContext) throws(LineageError) {
    let entity = try entity(name, in: context)
    let earlier = removedRows.count { $0.migration == context.migration && $0.name == name }
    droppedEntities.append(
      DroppedEntity(
        migration: context.migration, name: name, source: entity.source, number: earlier + 1))
    entities[name] = nil
  }

  private mutating func addEntity(_ name: String, in context: StepContext) throws(LineageError) {
    guard entities[name] == nil else { throw .exists(name, in: context.migration) }
    guard let entity = context.target[name] else {
      throw .unknownEntity(
        name, in: context.migration, known: context.target.entities.map(\.name))
    }
    var lineage = EntityLineage(identityOf: entity)
    lineage.source = nil
    lineage.cells = lineage.cells.mapValues { _ in .constant(.null) }
    lineage.relationships = lineage.relationships.mapValues { _ in .init() }
    entities[name] = lineage
  }

  private mutating func add(
    _ path: PropertyPath, value: ModelValue?, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    if path.isOfLeaf { return try addLeaf(path, value: value, in: context, names: names) }
    var entity = try entity(path.entity, in: context)
    guard entity.paths(of: path.property).isEmpty, entity.relationships[path.property] == nil else {
      throw .exists(path.description, in: context.migration)
    }
    let property = try context.targetProperty(path, names)
    switch property {
    case .attribute(let attribute):
      for leaf in attribute.leaves {
        entity.cells[leaf.cellName(under: path.property)] = .constant(
          try context.value(value, of: leaf.attribute, in: attribute, path: path))
      }
    case .relationship, .fetched:
      entity.relationships[path.property] = .init()
    }
    entities[path.entity] = entity
  }

  mutating func drop(
    _ path: PropertyPath, restoredBy restoration: Expression? = nil, in context: StepContext,
    names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    if let relationship = entity.relationships.removeValue(forKey: path.property) {
      guard relationship.made == nil else {
        throw .notDivisible(
          path.description, verb: "drop",
          reason: "its links are made by 'split' in the same run; migrate in two runs", place: nil,
          in: context.migration)
      }
      if let name = relationship.source?.name, let source = entity.source {
        droppedRelationships.append(
          DroppedRelationship(
            migration: context.migration, path: path, source: source, name: name))
      }
    } else {
      let cells = try cells(of: path, in: entity, context)
      if path.isOfLeaf, cells.map(\.path) != [path.property] {
        throw .severalParts(path, in: context.migration)
      }
      let insignificantValues = context.insignificantValues(
        of: path.whole, entity: names.source(path.entity))
      droppedProperties.append(
        DroppedProperty(
          migration: context.migration, path: path, source: entity.rowSource,
          leaves: cells.map {
            DroppedLeaf(
              expression: $0.expression,
              insignificantValues: insignificantValues[$0.path]
                ?? InsignificantValues(of: nil, in: nil),
              restoration: restoration)
          }))
      for cell in cells { entity.remove(cell.path) }
    }
    entities[path.entity] = entity
  }

  private mutating func rename(
    _ path: PropertyPath, to newName: String, in context: StepContext
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    guard entity.paths(of: newName).isEmpty, entity.relationships[newName] == nil else {
      throw .exists("\(path.entity).\(newName)", in: context.migration)
    }
    if let relationship = entity.relationships.removeValue(forKey: path.property) {
      entity.relationships[newName] = relationship
    } else {
      for cell in try cells(of: path, in: entity, context) {
        let newPath = newName + cell.path.dropFirst(path.property.count)
        entity.cells[newPath] = cell.expression
        entity.types[newPath] = entity.types[cell.path]
        entity.remove(cell.path)
      }
    }
    entities[path.entity] = entity
  }
}
