import StoreModel
import TestSupport

/// Random new names of entities and relationships, with the old ones as renaming identifiers.
struct RandomRenaming {
  private var entities: [String: String] = [:]
  private var links: [String: String] = [:]

  init(of names: [String], _ random: inout SeededGenerator) {
    // 'Zoo…' moves an entity's number, 'B…' may leave it.
    for name in names where random.number(12) == 0 {
      entities[name] = (random.number(2) == 0 ? "Zoo" : "B") + name
    }
    for number in 0..<3 where random.number(12) == 0 { links["link\(number)"] = "joint\(number)" }
  }

  /// Returns an entity as it is named in the next version.
  func renamed(_ entity: Entity) -> Entity {
    let properties = entity.properties.map { property -> Property in
      guard case .relationship(let link) = property else { return property }
      return .relationship(
        Relationship(
          name: links[link.name] ?? link.name,
          destinationName: entities[link.destinationName] ?? link.destinationName,
          inverseName: link.inverseName.map { links[$0] ?? $0 }, maxCount: link.maxCount,
          isOrdered: link.isOrdered, isOptional: link.isOptional,
          renamingIdentifier: links[link.name] == nil ? nil : link.name))
    }
    let name = entities[entity.name]
    return Entity(
      name: name ?? entity.name, isAbstract: entity.isAbstract,
      superentityName: entity.superentityName.map { entities[$0] ?? $0 }, properties: properties,
      uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.indexes,
      renamingIdentifier: name == nil ? entity.renamingIdentifier : entity.name,
      versionHashModifier: entity.versionHashModifier)
  }
}
