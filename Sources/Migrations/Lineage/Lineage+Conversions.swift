import SQLite
import StoreFormat
import StoreModel

extension Lineage {
  /// Converts attributes to others; a missing value of a mandatory one becomes its default.
  mutating func convert(
    _ conversion: Conversion, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(conversion.entity, in: context)
    let converter = conversion.converter.making(
      conversion.outputs.first.flatMap { name in
        try? context.targetProperty(
          PropertyPath(entity: conversion.entity, property: name), names)
      })
    var inputs: [Expression] = []
    for path in conversion.inputPaths {
      let cell = try input(path, number: inputs.count, of: converter, in: entity, context)
      inputs.append(cell.expression)
      entity.remove(cell.path)
    }
    if converter.mayLose {
      convertedProperties += conversion.inputPaths.enumerated().map { place, path in
        ConvertedProperty(
          migration: context.migration, path: path, source: entity.source,
          conversion: .converted(converter, output: 0, inputs), input: place)
      }
    }
    for (place, name) in conversion.outputs.enumerated() {
      guard entity.paths(of: name).isEmpty, entity.relationships[name] == nil else {
        throw .exists("\(conversion.entity).\(name)", in: context.migration)
      }
      let path = PropertyPath(entity: conversion.entity, property: name)
      let made = Expression.converted(converter, output: place, inputs)
      try entity.set(
        made, of: StoredType(converter.outputTypes[place]), at: path, in: context, names: names)
    }
    entities[conversion.entity] = entity
  }

  /// Returns the cell of an attribute that a converter reads.
  private func input(
    _ path: PropertyPath, number: Int, of converter: Converter, in entity: EntityLineage,
    _ context: StepContext
  ) throws(LineageError) -> (path: String, expression: Expression) {
    let cells = try cells(of: path, in: entity, context)
    guard let cell = cells.first, cells.count == 1 else {
      throw .severalParts(path, in: context.migration)
    }
    let accepted = converter.inputTypes[number]
    if let type = entity.types[cell.path], type.isExternal || !accepted.contains(type.type) {
      throw .wrongInput(path, type: type.name, converter: converter.name, in: context.migration)
    }
    return cell
  }

  /// Unites attributes of which a row has at most one; a row without any gets the default.
  mutating func merge(
    _ paths: [PropertyPath], to path: PropertyPath, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    guard Set(paths.map(\.entity)).count == paths.count else {
      throw .mergedTwice(path, in: context.migration)
    }
    let property = try context.targetProperty(path, names)
    guard case .attribute(let attribute) = property, attribute.type != .composite else {
      throw .wrongValue(path, type: "a value of an attribute", in: context.migration)
    }
    var merged = Expression.constant(
      try context.value(nil, of: attribute, in: attribute, path: path))
    // In reverse order, so that the first attribute is tested first.
    for source in paths.reversed() {
      var entity = try entity(source.entity, in: context)
      let cell = try singleCell(of: source, in: context)
      try check(
        entity.types[cell.path], isCarriedTo: StoredType(of: attribute), at: path, in: context)
      merged = .conditional(
        .null, test: cell.expression, then: merged, otherwise: cell.expression)
      entity.remove(cell.path)
      entities[source.entity] = entity
    }
    var entity = try entity(path.entity, in: context)
    // A super-entity that an inverse adds has its attributes, which are empty.
    let isNew = entity.source == nil && entity.cells[path.property] == .constant(.null)
    guard isNew || entity.paths(of: path.property).isEmpty,
      entity.relationships[path.property] == nil
    else { throw .exists(path.description, in: context.migration) }
    entity.set(path.property, to: merged)
    entities[path.entity] = entity
  }

  /// Moves an attribute to sub-entities; their rows are in the same table and keep the value.
  mutating func split(
    _ path: PropertyPath, to paths: [PropertyPath], in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let cell = try singleCell(of: path, in: context)
    let type = try self.entity(path.entity, in: context).types[cell.path]
    // Rows of other entities lose it. In those that keep it, another column holds the value.
    try drop(path, in: context, names: names)
    for target in paths {
      var entity = try self.entity(target.entity, in: context)
      guard entity.paths(of: target.property).isEmpty else {
        throw .exists(target.description, in: context.migration)
      }
      entity.set(target.property, to: cell.expression, of: type)
      entities[target.entity] = entity
    }
  }
}

extension Lineage.EntityLineage {
  /// Sets an attribute to converted values; a missing mandatory value becomes the default.
  fileprivate mutating func set(
    _ made: Expression, of type: StoredType, at path: PropertyPath, in context: StepContext,
    names: TargetNames
  ) throws(LineageError) {
    guard case .attribute(let attribute) = context.target[names.target(path.entity)]?[path.property]
    else {
      // A later step of this migration renames the attribute, or the final check reports it.
      set(path.property, to: made, of: type)
      return
    }
    guard let leaf = attribute.leaves.first, attribute.leaves.count == 1 else {
      throw .severalParts(path, in: context.migration)
    }
    guard !attribute.isOptional, let usual = attribute.storedDefault(of: leaf.attribute) else {
      set(leaf.cellName, to: made, of: type)
      return
    }
    set(
      leaf.cellName,
      to: .conditional(.null, test: made, then: .constant(usual), otherwise: made), of: type)
  }
}

extension Converter {
  /// Returns the converter as that of a property: ``integer(_:)`` clamps to the property's range.
  func making(_ property: Property?) -> Converter {
    guard case .integer = self, case .attribute(let attribute)? = property,
      let type = attribute.leaves.first?.attribute.type, type.integerRange != nil
    else { return self }
    return .integer(type)
  }
}
