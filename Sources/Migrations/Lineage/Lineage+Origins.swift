import StoreModel

extension Lineage {
  /// The source's properties whose values steps drop.
  var droppedOrigins: Set<PropertyPath> {
    let attributes = droppedProperties.flatMap(\.leaves).flatMap(\.expression.origins)
    let relationships = droppedRelationships.map {
      PropertyPath(entity: $0.source, property: $0.name)
    }
    return Set(attributes + relationships)
  }

  /// Returns the source's properties that an entity's own properties come from.
  func origins(of entity: String) -> Set<PropertyPath> {
    guard let lineage = entities[entity] else { return [] }
    let relationships = lineage.relationships.values.compactMap { relationship -> PropertyPath? in
      guard let source = lineage.source, let name = relationship.source?.name else { return nil }
      return PropertyPath(entity: source, property: name)
    }
    return Set(lineage.cells.values.flatMap(\.origins) + relationships)
  }
}

extension Expression {
  /// The source's properties that the value is made from.
  fileprivate var origins: Set<PropertyPath> {
    switch self {
    case .cell(let entity, let path): [PropertyPath(entity: entity, property: path)]
    case .constant, .option, .newUUID, .sequence: []
    case .converted(_, _, let inputs): Set(inputs.flatMap(\.origins))
    case .computed(let computation): Set(computation.values.values.flatMap(\.origins))
    case .conditional(_, let test, let then, let otherwise):
      Set([test, then, otherwise].flatMap(\.origins))
    }
  }
}
