import StoreModel

extension Lineage {
  func entity(
    _ name: String, in context: StepContext
  ) throws(LineageError) -> EntityLineage {
    guard let entity = entities[name] else {
      throw .unknownEntity(name, in: context.migration, known: entities.keys.sorted())
    }
    return entity
  }

  func cells(
    of path: PropertyPath, in entity: EntityLineage, _ context: StepContext
  ) throws(LineageError) -> [(path: String, expression: Expression)] {
    let paths = entity.paths(of: path.property)
    guard !paths.isEmpty else {
      throw .unknownProperty(path, in: context.migration, known: entity.cells.keys.sorted())
    }
    return paths.compactMap { name in entity.cells[name].map { (name, $0) } }
  }

  /// Returns the only cell of an attribute, which mustn't be a composite of several.
  func singleCell(
    of path: PropertyPath, in context: StepContext
  ) throws(LineageError) -> (path: String, expression: Expression) {
    let cells = try cells(of: path, in: entity(path.entity, in: context), context)
    guard let cell = cells.first, cells.count == 1 else {
      throw .severalParts(path, in: context.migration)
    }
    return cell
  }
}

extension Lineage.EntityLineage {
  /// Removes the cell of an attribute or of a composite's leaf.
  package mutating func remove(_ path: String) {
    cells[path] = nil
    types[path] = nil
  }

  /// Sets the origin of an attribute's values.
  ///
  /// - Parameters:
  ///   - path: The attribute, or a composite's leaf.
  ///   - expression: The origin of the values.
  ///   - type: The type of the values, or `nil` if it is certainly the target's.
  package mutating func set(
    _ path: String, to expression: Expression, of type: StoredType? = nil
  ) {
    cells[path] = expression
    types[path] = type
  }
}
