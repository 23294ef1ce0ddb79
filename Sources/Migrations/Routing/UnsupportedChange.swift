import StoreModel

/// A change between two models that only the app can make in a store.
package enum UnsupportedChange: Hashable, Sendable {
  /// A many-to-many relationship within one entity is new, and the name of its table is unknown.
  case newSameEntityRelationship(PropertyPath)

  /// An entity whose rows are kept gets a new super-entity that has properties.
  case newSuperentity(String, of: String)

  /// Returns the changes from one model to another, in the order of the new entities.
  ///
  /// - Complexity: O(*n*²) in the number of entities.
  static func all(from source: Model, to target: Model) -> [UnsupportedChange] {
    let origins = target.origins(in: source)
    return target.entities.flatMap { entity in
      let origin = origins[entity.name].flatMap { source[$0] }
      return target.newSuperentity(entity, origins) + target.newPairs(of: entity, from: origin)
    }
  }
}

extension UnsupportedChange: CustomStringConvertible {
  package var description: String {
    switch self {
    case .newSameEntityRelationship(let path):
      "'\(path)' is a new many-to-many relationship within one entity, and the name of its table isn't known"
    case .newSuperentity(let name, let entity):
      "'\(entity)' gets the new super-entity '\(name)', which has properties"
    }
  }
}

extension Model {
  fileprivate func newSuperentity(
    _ entity: Entity, _ origins: [String: String]
  ) -> [UnsupportedChange] {
    guard origins[entity.name] == nil, entity.properties.contains(where: { !$0.isTransient }),
      let heir = entities.first(where: {
        origins[$0.name] != nil && inherits($0.name, from: entity.name)
      })
    else { return [] }
    return [.newSuperentity(entity.name, of: heir.name)]
  }

  /// Returns the first relationship of each new pair of many-to-many relationships of an entity.
  fileprivate func newPairs(of entity: Entity, from origin: Entity?) -> [UnsupportedChange] {
    entity.relationships.compactMap { relationship in
      guard let inverse = entity.pair(of: relationship),
        relationship.name == inverse.name || relationship.name.precedes(inverse.name)
      else { return nil }
      let kept = [relationship, inverse].contains { half in
        [half.name, half.renamingIdentifier].contains { name in
          guard let origin, let name, case .relationship(let old) = origin[name] else {
            return false
          }
          return origin.pair(of: old) != nil
        }
      }
      return kept
        ? nil
        : .newSameEntityRelationship(
          PropertyPath(entity: entity.name, property: relationship.name))
    }
  }
}

extension Entity {
  /// Returns the inverse of a many-to-many relationship within the entity; `nil` for another one.
  fileprivate func pair(of relationship: Relationship) -> Relationship? {
    guard relationship.isToMany, !relationship.isTransient, relationship.destinationName == name,
      let inverseName = relationship.inverseName,
      case .relationship(let inverse) = self[inverseName], inverse.isToMany
    else { return nil }
    return inverse
  }
}
