import SQLite
import StoreFormat
import StoreModel

extension Lineage {
  /// Returns the lineage after one more migration.
  ///
  /// - Parameters:
  ///   - migration: The migration.
  ///   - source: The model before it.
  ///   - target: The model after it.
  /// - Returns: The longer lineage.
  /// - Throws: A ``LineageError`` if the steps don't lead from one model to the other.
  public func applying(
    _ migration: Migration, source: Model, target: Model
  ) throws(LineageError) -> Lineage {
    var next = self
    let context = StepContext(migration: migration.name, source: source, target: target)
    // Entities are renamed while steps run; a target's name is known for each at any time.
    var names = TargetNames(migration)
    for step in migration.steps {
      next.steps.append(
        TracedStep(
          migration: migration.name, step: step, source: next.entities[step.entity]?.source))
      try next.apply(step, in: context, names: &names)
    }
    try next.check(against: context)
    return next
  }

  private mutating func apply(
    _ step: Step, in context: StepContext, names: inout TargetNames
  ) throws(LineageError) {
    switch step {
    case .addEntity(let name): try addEntity(name, in: context)
    case .dropEntity(let name):
      let entity = try entity(name, in: context)
      droppedEntities.append(
        DroppedEntity(migration: context.migration, name: name, source: entity.source))
      entities[name] = nil
    case .renameEntity(let name, let newName):
      let entity = try entity(name, in: context)
      guard entities[newName] == nil else { throw .exists(newName, in: context.migration) }
      entities[name] = nil
      entities[newName] = entity
      names.renamed(name, to: newName)
    case .add(let path, let value): try add(path, value: value, in: context, names: names)
    case .drop(let path): try drop(path, in: context, names: names)
    case .rename(let path, let newName): try rename(path, to: newName, in: context)
    case .convert(let path, let newName, let converter):
      try convert(path, to: newName, with: converter, in: context)
    case .merge(let paths, let path): try merge(paths, to: path, in: context, names: names)
    case .backfill(let path, let source, let condition):
      try backfill(path, from: source, where: condition, in: context, names: names)
    }
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
    lineage.relationships = lineage.relationships.mapValues { _ in nil }
    entities[name] = lineage
  }

  private mutating func add(
    _ path: PropertyPath, value: ModelValue?, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    guard entity.paths(of: path.property).isEmpty, entity.relationships[path.property] == nil else {
      throw .exists(path.description, in: context.migration)
    }
    let property = try context.targetProperty(path, entity: names.target(path.entity))
    switch property {
    case .attribute(let attribute):
      for leaf in attribute.leaves {
        entity.cells[leaf.cellName] = .constant(
          try context.value(value, of: leaf.attribute, in: attribute, path: path))
      }
    case .relationship, .fetched:
      entity.relationships[path.property] = .some(nil)
    }
    entities[path.entity] = entity
  }

  private mutating func drop(
    _ path: PropertyPath, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    if let relationship = entity.relationships.removeValue(forKey: path.property) {
      if let name = relationship, let source = entity.source {
        droppedRelationships.append(
          DroppedRelationship(
            migration: context.migration, path: path, source: source, name: name))
      }
    } else {
      let cells = try cells(of: path, in: entity, context)
      droppedProperties.append(
        DroppedProperty(
          migration: context.migration, path: path, source: entity.source,
          expressions: cells.map(\.expression),
          defaultValue: context.sourceDefault(of: path, entity: names.source(path.entity))))
      for cell in cells { entity.cells[cell.path] = nil }
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
        entity.cells[cell.path] = nil
        entity.cells[newName + cell.path.dropFirst(path.property.count)] = cell.expression
      }
    }
    entities[path.entity] = entity
  }

  private mutating func convert(
    _ path: PropertyPath, to newName: String, with converter: Converter, in context: StepContext
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    let cells = try cells(of: path, in: entity, context)
    guard let first = cells.first, cells.count == 1 else {
      throw .unknownProperty(path, in: context.migration, known: [])
    }
    entity.cells[first.path] = nil
    guard entity.cells[newName] == nil else {
      throw .exists("\(path.entity).\(newName)", in: context.migration)
    }
    entity.cells[newName] = .converted(converter, first.expression)
    entities[path.entity] = entity
  }

  /// A row has at most one of the merged values; one that has none gets the default.
  private mutating func merge(
    _ paths: [PropertyPath], to path: PropertyPath, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let property = try context.targetProperty(path, entity: names.target(path.entity))
    guard case .attribute(let attribute) = property, attribute.type != .composite else {
      throw .wrongValue(path, type: "a value of an attribute", in: context.migration)
    }
    var merged = Expression.constant(
      try context.value(nil, of: attribute, in: attribute, path: path))
    for source in paths.reversed() {
      var entity = try entity(source.entity, in: context)
      let found = try cells(of: source, in: entity, context)
      guard let cell = found.first, found.count == 1 else {
        throw .unknownProperty(source, in: context.migration, known: [])
      }
      merged = .conditional(
        .null, test: cell.expression, then: merged, otherwise: cell.expression)
      entity.cells[cell.path] = nil
      entities[source.entity] = entity
    }
    var entity = try entity(path.entity, in: context)
    entity.cells[path.property] = merged
    entities[path.entity] = entity
  }

  private mutating func backfill(
    _ path: PropertyPath, from source: BackfillSource, where condition: BackfillCondition?,
    in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    let filled: Expression
    switch source {
    case .attribute(let name, let converter):
      let other = PropertyPath(entity: path.entity, property: name)
      let cells = try cells(of: other, in: entity, context)
      guard let cell = cells.first, cells.count == 1 else {
        throw .unknownProperty(other, in: context.migration, known: [])
      }
      filled = converter.map { .converted($0, cell.expression) } ?? cell.expression
    case .option(let option): filled = .option(option)
    case .value(let value):
      let property = try context.targetProperty(path, entity: names.target(path.entity))
      guard case .attribute(let attribute) = property else {
        throw .wrongValue(path, type: "a value of an attribute", in: context.migration)
      }
      filled = .constant(try context.value(value, of: attribute, in: attribute, path: path))
    }
    guard let condition else {
      entity.cells[path.property] = filled
      entities[path.entity] = entity
      return
    }
    let present = try cells(of: path, in: entity, context).first?.expression ?? .constant(.null)
    let place = context.sourceDefault(of: path, entity: names.source(path.entity))
    entity.cells[path.property] = .conditional(
      Expression.Condition(condition, placeholder: place), test: present, then: filled,
      otherwise: present)
    entities[path.entity] = entity
  }
}

extension Lineage {
  private func entity(
    _ name: String, in context: StepContext
  ) throws(LineageError) -> EntityLineage {
    guard let entity = entities[name] else {
      throw .unknownEntity(name, in: context.migration, known: entities.keys.sorted())
    }
    return entity
  }

  private func cells(
    of path: PropertyPath, in entity: EntityLineage, _ context: StepContext
  ) throws(LineageError) -> [(path: String, expression: Expression)] {
    let paths = entity.paths(of: path.property)
    guard !paths.isEmpty else {
      throw .unknownProperty(path, in: context.migration, known: entity.cells.keys.sorted())
    }
    return paths.compactMap { name in entity.cells[name].map { (name, $0) } }
  }
}

extension Expression.Condition {
  init(_ condition: BackfillCondition, placeholder: Value?) {
    self =
      switch condition {
      case .null: .null
      case .zero: .zero
      case .empty: .empty
      case .placeholder: .placeholder(placeholder)
      }
  }
}
