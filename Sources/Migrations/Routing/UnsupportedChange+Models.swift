import StoreFormat
package import StoreModel

extension UnsupportedChange {
  /// Returns the changes from one model to another, hierarchies first, then by new entity.
  ///
  /// - Parameters:
  ///   - source: The store's model.
  ///   - target: The new model.
  /// - Returns: The changes; empty if the tool can make all of them.
  /// - Complexity: O(*n*²) in the number of entities.
  package static func all(from source: Model, to target: Model) -> [UnsupportedChange] {
    let origins = target.origins(in: source)
    return target.leftSuperentities(of: source) {
      origins[$0]
    } losing: { ancestor, kept, _ in
      guard let old = source[ancestor], let new = target[kept] else { return false }
      return !new.origins(in: old).isEmpty
    }
      + target.entities.flatMap { entity in
        let origin = origins[entity.name].flatMap { source[$0] }
        let above = target.newSuperentity(entity) { origins[$0] != nil }
        return [above].compactMap(\.self) + target.newPairs(of: entity, from: origin)
      }
  }
}

extension Lineage {
  /// Returns the changes of hierarchies that rows of the source can't follow.
  ///
  /// - Parameters:
  ///   - source: The store's model.
  ///   - target: The new model.
  /// - Returns: The changes; empty if rows can follow all of them.
  /// - Complexity: O(*n*²) in the number of entities.
  package func unsupportedChanges(from source: Model, to target: Model) -> [UnsupportedChange] {
    target.leftSuperentities(of: source) {
      entities[$0]?.source
    } losing: { ancestor, _, entity in
      let carried = target.chain(from: entity)
        .reduce(into: droppedOrigins) { $0.formUnion(origins(of: $1)) }
      return !Lineage(identityOf: source).origins(of: ancestor).isSubset(of: carried)
    }
      + target.entities.compactMap { entity in
        target.newSuperentity(entity) { entities[$0]?.source != nil }
      }
  }

  /// Checks the lineage of an inverse: rows that are written later have a place for every value.
  ///
  /// - Parameters:
  ///   - source: The model that the inverse starts at.
  ///   - target: The model that it leads to.
  ///   - migration: The name of the migration.
  /// - Throws: ``LineageError/leavesSuperentity(_:of:in:)``
  package func checkPlaces(
    from source: Model, to target: Model, in migration: String
  ) throws(LineageError) {
    for case .leftSuperentity(let name, let entity) in unsupportedChanges(from: source, to: target)
    {
      throw .leavesSuperentity(name, of: entity, in: migration)
    }
  }
}

extension Model {
  /// Returns the first super-entity that each entity leaves, although the rows of both are kept.
  ///
  /// In one table, this is only refused if rows lose values with it: they would stay in columns
  /// that the entity doesn't have.
  fileprivate func leftSuperentities(
    of older: Model, by origin: (String) -> String?,
    losing losesValues: (_ ancestor: String, _ kept: String, _ entity: String) -> Bool
  ) -> [UnsupportedChange] {
    // The numbering is made for hierarchies only, as most models have none.
    guard older.entities.contains(where: { $0.superentityName != nil }) else { return [] }
    let numbering = EntityNumbering(self)
    let origins = entities.compactMap { entity in origin(entity.name).map { (entity.name, $0) } }
    let kept = Dictionary(grouping: origins, by: \.1).mapValues { $0.map(\.0) }
    return origins.compactMap { name, former in
      let ancestors = older.chain(from: former).dropFirst().reversed()
      let left = ancestors.lazy.flatMap { ancestor in
        (kept[ancestor] ?? []).map { (ancestor: ancestor, kept: $0) }
      }
      .first {
        numbering.root(of: $0.kept) != numbering.root(of: name)
          || !inherits(name, from: $0.kept) && losesValues($0.ancestor, $0.kept, name)
      }
      return left.map { .leftSuperentity($0.kept, of: name) }
    }
  }

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
