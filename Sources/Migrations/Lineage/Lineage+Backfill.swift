import StoreFormat
package import SQLite
import StoreModel

extension Lineage {
  /// Adds an attribute, or fills an existing one in rows that meet a condition.
  mutating func backfill(
    _ path: PropertyPath, from source: BackfillSource, where condition: BackfillCondition?,
    in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    if case .matching(let attribute, let name) = source {
      try link(path, to: attribute, of: name, where: condition, in: context, names: names)
      return
    }
    let source = source.making(try? context.targetProperty(path, names))
    let filled = try expression(for: source, of: path, in: context, names: names)
    var entity = try entity(path.entity, in: context)
    guard let condition else {
      guard entity.paths(of: path.property).isEmpty else {
        throw .exists(path.description, in: context.migration)
      }
      entity.set(path.property, to: filled, of: source.type(in: entity))
      entities[path.entity] = entity
      return
    }
    if let type = entity.types[path.property] {
      try check(source.type(in: entity), isCarriedTo: type, at: path, in: context)
    }
    let present = try cells(of: path, in: entity, context).first?.expression ?? .constant(.null)
    let place = context.sourceDefault(of: path, entity: names.source(path.entity))
    entity.cells[path.property] = .conditional(
      Expression.Condition(condition, placeholder: place), test: present, then: filled,
      otherwise: present)
    entities[path.entity] = entity
  }

  private func expression(
    for source: BackfillSource, of path: PropertyPath, in context: StepContext, names: TargetNames
  ) throws(LineageError) -> Expression {
    switch source {
    case .attribute(let name, let converter):
      let value = try singleCell(
        of: PropertyPath(entity: path.entity, property: name), in: context
      ).expression
      return converter.map { .converted($0, output: 0, [value]) } ?? value
    case .option(let option): return .option(option)
    case .matching:
      throw .wrongValue(path, type: "a value of an attribute", in: context.migration)
    case .value(let value):
      let property = try context.targetProperty(path, names)
      guard case .attribute(let attribute) = property else {
        throw .wrongValue(path, type: "a value of an attribute", in: context.migration)
      }
      return .constant(try context.value(value, of: attribute, in: attribute, path: path))
    }
  }

  /// Fills the empty links of a to-one relationship with the rows that an attribute names.
  private mutating func link(
    _ path: PropertyPath, to attribute: String, of name: String,
    where condition: BackfillCondition?,
    in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let value = try singleCell(
      of: PropertyPath(entity: path.entity, property: name), in: context
    ).expression
    var entity = try entity(path.entity, in: context)
    guard var relationship = entity.relationships[path.property], condition == .null,
      relationship.match == nil, relationship.made == nil, !relationship.isRelinked, value.isPlain,
      case .relationship(let described) = context.source[names.source(path.entity)]?[path.property],
      !described.isToMany
    else { throw .notLinkable(path, in: context.migration) }
    let destination = presentName(of: described.destinationName, names)
    let reached = try self.entity(destination, in: context)
    if reached.split != nil { throw .notLinkable(path, in: context.migration) }
    guard let source = reached.source else {
      // The destination is a new entity, so there are no rows to link to.
      return
    }
    let named = PropertyPath(entity: destination, property: attribute)
    guard case .cell(_, let sourcePath) = try singleCell(of: named, in: context).expression
    else {
      throw .notLinkable(path, in: context.migration)
    }
    relationship.match = Match(entity: source, attribute: sourcePath, value: value)
    entity.relationships[path.property] = relationship
    entities[path.entity] = entity
  }
}

extension BackfillSource {
  /// Returns the type of the source's values, or `nil` if it is the type of the filled attribute.
  fileprivate func type(in entity: Lineage.EntityLineage) -> StoredType? {
    switch self {
    case .attribute(let name, let converter):
      converter.map { StoredType($0.outputTypes[0]) } ?? entity.types[name]
    case .option: StoredType(.string)
    case .matching, .value: nil
    }
  }

  /// Returns the source with its converter, if it has one, as that of a property.
  fileprivate func making(_ property: Property?) -> BackfillSource {
    guard case .attribute(let name, let converter?) = self else { return self }
    return .attribute(name, converter.making(property))
  }
}

extension Expression {
  /// Whether this is an unconverted value of the source, or a constant.
  fileprivate var isPlain: Bool {
    switch self {
    case .cell, .constant: true
    case .option, .converted, .computed, .newUUID, .sequence, .conditional: false
    }
  }
}

extension Expression.Condition {
  package init(_ condition: BackfillCondition, placeholder: Value?) {
    self =
      switch condition {
      case .null: .null
      case .zero: .zero
      case .empty: .empty
      case .placeholder: .placeholder(placeholder)
      }
  }
}
