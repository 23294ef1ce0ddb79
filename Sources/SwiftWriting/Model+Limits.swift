package import StoreModel

extension Model {
  /// What SwiftData can't declare, by entity and property.
  ///
  /// - Complexity: O(*n*) in the number of properties; inherited ones count for each sub-entity.
  package var swiftDataLimits: [SwiftDataLimit] {
    entities.flatMap { entity in
      let owner = entity.limits(in: self).map { SwiftDataLimit(object: entity.name, reason: $0) }
      return owner
        + entity.properties.flatMap { property in
          limits(of: property, in: entity).map {
            SwiftDataLimit(object: "\(entity.name).\(property.name)", reason: $0)
          }
        }
    }
  }

  private func limits(of property: Property, in entity: Entity) -> [String] {
    var limits: [String] = []
    let name = property.name
    if !SwiftIdentifier.isName(name) { limits.append("has a name that isn't one in Swift") }
    if Self.reservedProperties.contains(name) || TypeNames.moduleNames.contains(name) {
      limits.append("has a name that a SwiftData class can't have")
    }
    if self[name] != nil { limits.append("has the name of an entity, which it would hide") }
    let inherited = entity.superentityName.map { properties(of: $0) } ?? []
    if inherited.contains(where: { $0.name == name }) {
      limits.append("is declared by a super-entity, too")
    }
    if (entity.properties + inherited).contains(where: { "_\($0.name)" == name }) {
      limits.append("has the name under which '@Model' stores '\(name.dropFirst())'")
    }
    switch property {
    case .attribute(let attribute): limits += attribute.limits
    case .relationship(let relationship): limits += self.limits(of: relationship, in: entity)
    case .fetched: limits.append("is a fetched property; SwiftData has none")
    }
    return limits
  }

  private func limits(of relationship: Relationship, in entity: Entity) -> [String] {
    var limits: [String] = []
    if relationship.isOrdered { limits.append("is an ordered relationship; SwiftData has none") }
    if relationship.isTransient { limits.append("is a transient relationship; SwiftData has none") }
    if self[relationship.destinationName] == nil {
      limits.append("leads to '\(relationship.destinationName)', which the model doesn't have")
    }
    guard let name = relationship.inverseName else { return limits }
    if name == relationship.name && inherits(relationship.destinationName, from: entity.name) {
      return limits + ["is its own inverse; a macro that names its own property doesn't compile"]
    }
    guard let inverse = self.relationship(named: name, of: relationship.destinationName),
      inverse.relationship.inverseName == relationship.name,
      let own = self.relationship(
        named: relationship.name, of: inverse.relationship.destinationName),
      own.entity == entity.name
    else { return limits + ["names the inverse '\(name)', which doesn't name it"] }
    return limits
  }

  /// Names that the macro `@Model` or its protocol uses.
  private static let reservedProperties: Set<String> = [
    "description", "hasChanges", "isDeleted", "modelContext", "persistentBackingData",
    "persistentModelID", "schemaMetadata", "self", "super",
  ]
}

extension Entity {
  fileprivate func limits(in model: Model) -> [String] {
    var limits: [String] = []
    if !SwiftIdentifier.isName(name) { limits.append("has a name that isn't one in Swift") }
    if Self.reservedNames.contains(name) || TypeNames.moduleNames.contains(name) {
      limits.append("has a name that a class of a versioned schema can't have")
    }
    if isAbstract { limits.append("is an abstract entity; SwiftData has none") }
    if let versionHashModifier {
      limits.append(
        "has the hash modifier '\(versionHashModifier)'; SwiftData has none for classes")
    }
    let known = Set(model.properties(of: name).map(\.name))
    for names in uniquenessConstraints where !known.isSuperset(of: names) || names.isEmpty {
      limits.append(
        "has the constraint '\(names.joined(separator: ", "))', which isn't of properties")
    }
    if Set(uniquenessConstraints).count < uniquenessConstraints.count {
      limits.append("has the same uniqueness constraint twice")
    }
    for names in compoundIndexes where !indexes.contains(where: { $0.propertyNames == names }) {
      limits.append(
        "has the compound index '\(names.joined(separator: ", "))' in the form before iOS 11")
    }
    return limits + indexes.flatMap { $0.limits(among: known) }
  }

  /// Names of the version's own members, and of types that paths can't begin with.
  private static let reservedNames: Set<String> = [
    "Any", "Protocol", "Self", "Type", "init", "models", "self", "super", "versionIdentifier",
  ]
}

extension FetchIndex {
  /// The names of the properties, in index order.
  var propertyNames: [String] { elements.map(\.propertyName) }

  fileprivate func limits(among known: Set<String>) -> [String] {
    var limits: [String] = []
    if elements.isEmpty || !known.isSuperset(of: propertyNames) {
      limits.append("has the index '\(name)', which isn't of properties")
    }
    if !elements.allSatisfy(\.isAscending) {
      limits.append("has the descending index '\(name)'; SwiftData's are ascending")
    }
    if Set(elements.map(\.collationType)).count > 1
      || !elements.allSatisfy({ (0...1).contains($0.collationType) })
    {
      limits.append("has the index '\(name)' of several kinds; SwiftData's have one")
    }
    return limits
  }
}
