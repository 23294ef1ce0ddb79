package import StoreModel

extension Lineage {
  /// A relationship that a migration makes unordered, so that the order of its links is lost.
  package struct LostOrder: Hashable, Sendable {
    /// The migration.
    package let migration: String

    /// The relationship, by its names after the migration.
    package let path: PropertyPath

    /// The relationship, by the source's names.
    package let source: PropertyPath

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(path)" }
  }

  /// Returns the relationships whose order is lost on the way to the target.
  ///
  /// A relationship that a later migration removes isn't among them, because its links are lost
  /// with the order; nor is one that a later migration orders again, because the order is carried.
  ///
  /// - Parameter target: The model after the last migration.
  /// - Returns: The relationships, in the order of the migrations.
  package func lostOrders(in target: Model) -> [LostOrder] {
    unorderedRelationships.filter { lost in
      entities.contains { name, entity in
        entity.source == lost.source.entity
          && entity.relationships.contains { relationship, lineage in
            guard lineage.source?.name == lost.source.property, !lineage.isRelinked,
              case .relationship(let last)? = target[name]?[relationship]
            else { return false }
            return last.isToMany && !last.isOrdered
          }
      }
    }
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
