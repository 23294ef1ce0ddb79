import StoreFormat
package import StoreModel

extension Lineage {
  /// Checks that the steps lead to exactly the entities and properties of the target.
  func check(against context: StepContext, _ names: TargetNames) throws(LineageError) {
    for name in entities.keys.sorted() where context.target[name] == nil {
      throw .surplus(name, in: context.migration)
    }
    let numbering = EntityNumbering(context.target)
    for entity in context.target.entities {
      guard let lineage = entities[entity.name] else {
        throw .missingStep(entity.name, in: context.migration)
      }
      try check(lineage, against: entity, context)
      try checkDestinations(of: lineage, entity, numbering, context)
      try checkLinks(of: lineage, entity, context, names)
    }
  }

  private func check(
    _ lineage: EntityLineage, against entity: Entity, _ context: StepContext
  ) throws(LineageError) {
    var expected: Set<String> = []
    for attribute in entity.attributes where !attribute.isTransient {
      for leaf in attribute.leaves {
        expected.insert(leaf.cellName)
        guard lineage.cells[leaf.cellName] != nil else {
          throw missing(leaf, of: attribute, lineage, entity, context)
        }
        try check(
          lineage.types[leaf.cellName], isCarriedTo: StoredType(of: leaf.attribute),
          at: PropertyPath(entity: entity.name, property: leaf.cellName), in: context)
      }
    }
    try checkFiles(of: lineage, entity, context)
    if let surplus = lineage.cells.keys.sorted().first(where: { !expected.contains($0) }) {
      throw .surplus("\(entity.name).\(surplus)", in: context.migration)
    }
    let relationships = Set(entity.relationships.filter { !$0.isTransient }.map(\.name))
    if let surplus = lineage.relationships.keys.sorted().first(where: {
      !relationships.contains($0)
    }) {
      throw .surplus("\(entity.name).\(surplus)", in: context.migration)
    }
    if let missing = relationships.sorted().first(where: { lineage.relationships[$0] == nil }) {
      throw .missingStep("\(entity.name).\(missing)", in: context.migration)
    }
  }

  /// Checks that no two attributes of a row have the value of one attribute with external storage.
  ///
  /// Both would name one file, and the app removes the file when it changes one of them.
  private func checkFiles(
    of lineage: EntityLineage, _ entity: Entity, _ context: StepContext
  ) throws(LineageError) {
    var owners: [Expression: String] = [:]
    for attribute in entity.attributes where attribute.allowsExternalStorage {
      for origin in lineage.cells[attribute.name]?.carried ?? [] {
        if let other = owners.updateValue(attribute.name, forKey: origin) {
          throw .sharedFile(
            PropertyPath(entity: entity.name, property: other),
            PropertyPath(entity: entity.name, property: attribute.name), in: context.migration)
        }
      }
    }
  }

  /// Returns why a leaf has no origin: no step makes it, or converts between composite and plain.
  private func missing(
    _ leaf: AttributeLeaf, of attribute: Attribute, _ lineage: EntityLineage, _ entity: Entity,
    _ context: StepContext
  ) -> LineageError {
    guard let other = lineage.paths(of: attribute.name).first,
      other.contains(".") != leaf.cellName.contains(".")
    else { return .missingStep("\(entity.name).\(leaf.cellName)", in: context.migration) }
    let old = other.contains(".") ? StoredType(.composite) : lineage.types[other]
    return .typeChange(
      PropertyPath(entity: entity.name, property: attribute.name),
      from: old?.name ?? "a single value", to: attribute.type.name, in: context.migration)
  }

  /// Checks that each value of an attribute, if its type is known, is one of another type.
  func check(
    _ type: StoredType?, isCarriedTo new: StoredType, at path: PropertyPath,
    in context: StepContext
  ) throws(LineageError) {
    guard let type, !type.isCarried(to: new) else { return }
    throw .typeChange(path, from: type.name, to: new.name, in: context.migration)
  }

  /// Checks that each kept relationship leads to the same rows as before.
  private func checkDestinations(
    of lineage: EntityLineage, _ entity: Entity, _ numbering: EntityNumbering,
    _ context: StepContext
  ) throws(LineageError) {
    for relationship in entity.relationships where !relationship.isTransient {
      guard let old = lineage.relationships[relationship.name]?.source?.destination else {
        continue
      }
      let present = entities.filter { $0.value.source == old }.map(\.key)
      // Entities of an inheritance tree share a table, so it is enough that the roots are equal.
      let root = numbering.root(of: relationship.destinationName)
      guard present.contains(where: { numbering.root(of: $0) == root })
      else {
        throw .retargeted(
          PropertyPath(entity: entity.name, property: relationship.name), from: old,
          to: relationship.destinationName, in: context.migration)
      }
    }
  }
}

extension Entity {
  /// Returns the leaf with a cell name, if there is one.
  package func leaf(at path: String) -> Attribute? {
    attributes.lazy.flatMap(\.leaves).first { $0.cellName == path }?.attribute
  }
}

extension Expression {
  /// The source's properties whose values this may have unchanged.
  fileprivate var carried: Set<Expression> {
    switch self {
    case .cell: [self]
    case .conditional(_, _, let then, let otherwise): then.carried.union(otherwise.carried)
    case .constant, .option, .converted, .computed, .newUUID, .sequence: []
    }
  }
}
