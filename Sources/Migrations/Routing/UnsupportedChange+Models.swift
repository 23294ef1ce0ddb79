package import StoreModel

extension UnsupportedChange {
  /// Returns the changes from one model to another, in the order of the new entities.
  ///
  /// - Parameters:
  ///   - source: The store's model.
  ///   - target: The new model.
  /// - Returns: The changes; empty if the tool can make all of them.
  /// - Complexity: O(*n*²) in the number of entities.
  package static func all(from source: Model, to target: Model) -> [UnsupportedChange] {
    let origins = target.origins(in: source)
    return target.entities.flatMap { entity in
      let origin = origins[entity.name].flatMap { source[$0] }
      let above = target.newSuperentity(entity) { origins[$0] != nil }
      return [above].compactMap(\.self) + target.newPairs(of: entity, from: origin)
    }
  }
}

extension Lineage {
  /// Returns the super-entities with properties that rows of the source get.
  func newSuperentities(in target: Model) -> [UnsupportedChange] {
    target.entities.compactMap { entity in
      target.newSuperentity(entity) { entities[$0]?.source != nil }
    }
  }
}

extension Model {
  /// Returns the change if an entity with properties is new, and above one whose rows are kept.
  fileprivate func newSuperentity(
    _ entity: Entity, keeping isKept: (String) -> Bool
  ) -> UnsupportedChange? {
    guard !isKept(entity.name), entity.hasStoredProperties,
      let heir = entities.first(where: {
        isKept($0.name) && inherits($0.name, from: entity.name)
      })
    else { return nil }
    return .newSuperentity(entity.name, of: heir.name)
  }

  /// Returns the first relationship of each new pair of many-to-many relationships of an entity.
  fileprivate func newPairs(of entity: Entity, from origin: Entity?) -> [UnsupportedChange] {
    let origins = origin.map { entity.origins(in: $0) } ?? [:]
    return entity.relationships.compactMap { relationship in
      guard let inverse = entity.pair(of: relationship),
        relationship.name == inverse.name || relationship.name.precedes(inverse.name)
      else { return nil }
      let kept = [relationship, inverse].contains { half in
        guard let origin, let name = origins[half.name],
          case .relationship(let old) = origin[name]
        else { return false }
        return origin.pair(of: old) != nil
      }
      return kept
        ? nil
        : .newSameEntityRelationship(
          PropertyPath(entity: entity.name, property: relationship.name))
    }
  }
}

extension Entity {
  fileprivate var hasStoredProperties: Bool {
    properties.contains { property in
      if case .fetched = property { false } else { !property.isTransient }
    }
  }

  /// Returns the inverse of a many-to-many relationship within the entity; `nil` for another one.
  fileprivate func pair(of relationship: Relationship) -> Relationship? {
    guard relationship.isToMany, !relationship.isTransient, relationship.destinationName == name,
      let inverseName = relationship.inverseName,
      case .relationship(let inverse) = self[inverseName], inverse.isToMany
    else { return nil }
    return inverse
  }
}
