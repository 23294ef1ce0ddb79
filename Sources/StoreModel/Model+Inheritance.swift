extension Model {
  /// Returns the names of an entity and of those it inherits from, nearest first.
  ///
  /// Empty for an entity that the model doesn't have; a cycle ends where it would repeat itself.
  package func chain(from entityName: String) -> [String] {
    var chain: [String] = []
    var next: String? = entityName
    while let name = next, let entity = self[name], chain.count < entities.count {
      chain.append(name)
      next = entity.superentityName
    }
    return chain
  }

  /// Returns whether an entity is another or inherits from it.
  package func inherits(_ entityName: String, from ancestor: String) -> Bool {
    chain(from: entityName).contains(ancestor)
  }

  /// Returns a relationship that an entity declares or inherits, and the entity that declares it.
  package func relationship(
    named name: String, of entityName: String
  ) -> (entity: String, relationship: Relationship)? {
    for owner in chain(from: entityName) {
      if case .relationship(let relationship) = self[owner]?[name] { return (owner, relationship) }
    }
    return nil
  }

  /// Returns the properties that an entity declares or inherits, ordered by name.
  package func properties(of entityName: String) -> [Property] {
    let chain = chain(from: entityName)
    // Its own are in order.
    guard chain.count > 1 else { return self[entityName]?.properties ?? [] }
    var byName: [String: Property] = [:]
    for entity in chain.compactMap({ self[$0] }) {
      for property in entity.properties where byName[property.name] == nil {
        byName[property.name] = property
      }
    }
    return byName.values.sorted { $0.name.precedes($1.name) }
  }
}
