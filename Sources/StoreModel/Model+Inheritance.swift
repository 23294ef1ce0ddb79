extension Model {
  /// Returns the names of an entity and its ancestors, nearest first.
  ///
  /// Returns an empty array for an unknown entity. If the inheritance is cyclic, the chain ends
  /// before it repeats.
  package func chain(from entityName: String) -> [String] {
    var chain: [String] = []
    var next: String? = entityName
    while let name = next, let entity = self[name], chain.count < entities.count {
      chain.append(name)
      next = entity.superentityName
    }
    return chain
  }

  /// Returns whether an entity equals another or inherits from it.
  package func inherits(_ entityName: String, from ancestor: String) -> Bool {
    chain(from: entityName).contains(ancestor)
  }

  /// Returns a declared or inherited relationship, and the name of the entity that declares it.
  package func relationship(
    named name: String, of entityName: String
  ) -> (entity: String, relationship: Relationship)? {
    for owner in chain(from: entityName) {
      if case .relationship(let relationship) = self[owner]?[name] { return (owner, relationship) }
    }
    return nil
  }

  /// Returns the declared and inherited properties of an entity, ordered by name.
  package func properties(of entityName: String) -> [Property] {
    let chain = chain(from: entityName)
    // Declared properties are ordered already.
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
