package import StoreModel

extension Lineage {
  /// An ordered relationship whose order is lost, although its links stay.
  package struct LostOrder: Hashable, Sendable {
    /// The migration that makes the relationship unordered, or leaves only its inverse.
    package let migration: String

    /// The relationship, by its names after the migration or, if it is removed, before the step.
    package let path: PropertyPath

    /// The relationship, by the source's names.
    package let source: PropertyPath

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(path)" }
  }

  /// Returns the relationships whose order is lost on the way from one model to another.
  ///
  /// A relationship that a later migration orders again isn't among them, because the order is
  /// carried; nor is one whose links are lost with the order.
  ///
  /// - Parameters:
  ///   - source: The model before the first migration.
  ///   - target: The model after the last migration.
  /// - Returns: The relationships, each once, in the order of the migrations.
  package func lostOrders(from source: Model, to target: Model) -> [LostOrder] {
    let unordered = unorderedRelationships.filter { lost in
      last(of: lost.source, in: target).map { $0.isToMany && !$0.isOrdered } == true
    }
    let removed = droppedRelationships.compactMap { dropped -> LostOrder? in
      let path = PropertyPath(entity: dropped.source, property: dropped.name)
      guard last(of: path, in: target) == nil,
        let inverse = source.inverse(of: path), last(of: inverse, in: target) != nil
      else { return nil }
      return LostOrder(migration: dropped.migration, path: dropped.path, source: path)
    }
    var found: Set<PropertyPath> = []
    return (unordered + removed).reversed().filter {
      source.isOrdered($0.source) && found.insert($0.source).inserted
    }.reversed()
  }

  /// Returns what becomes of a relationship of the source; `nil` if the target hasn't got it.
  private func last(of path: PropertyPath, in target: Model) -> Relationship? {
    for (name, entity) in entities where entity.source == path.entity {
      let present = entity.relationships.first { $0.value.source?.name == path.property }
      if let present, case .relationship(let last)? = target[name]?[present.key] { return last }
    }
    return nil
  }

  /// Notes the ordered relationships that a migration makes unordered.
  mutating func noteUnorderedRelationships(in context: StepContext, _ names: TargetNames) {
    for entity in context.target.entities {
      guard let lineage = entities[entity.name], let origin = lineage.source else { continue }
      for after in entity.relationships where after.isToMany && !after.isOrdered {
        guard let link = lineage.relationships[after.name], let source = link.source,
          let before = context.relationship(link, of: names.source(entity.name)),
          before.isToMany, before.isOrdered
        else { continue }
        unorderedRelationships.append(
          LostOrder(
            migration: context.migration,
            path: PropertyPath(entity: entity.name, property: after.name),
            source: PropertyPath(entity: origin, property: source.name)))
      }
    }
  }
}

extension Model {
  fileprivate func isOrdered(_ path: PropertyPath) -> Bool {
    guard case .relationship(let relationship)? = self[path.entity]?[path.property] else {
      return false
    }
    return relationship.isToMany && relationship.isOrdered
  }

  /// Returns the inverse of a relationship, at the entity that declares it.
  package func inverse(of path: PropertyPath) -> PropertyPath? {
    guard case .relationship(let relationship)? = self[path.entity]?[path.property],
      let name = relationship.inverseName,
      let owner = self.relationship(named: name, of: relationship.destinationName)?.entity
    else { return nil }
    return PropertyPath(entity: owner, property: name)
  }
}
