/// The differences of two models, by entity and property.
package struct ModelDifference: Hashable, Sendable {
  /// A difference.
  package enum Change: Hashable, Sendable {
    case entityAdded(String)
    case entityRemoved(String)
    case propertyAdded(entity: String, property: String, kind: String)
    case propertyRemoved(entity: String, property: String, kind: String)

    /// The property exists in both models but differs; `aspects` lists the differences in words.
    case propertyChanged(entity: String, property: String, aspects: [String])

    /// Something else about the entity differs: inheritance, uniqueness or hash modifier.
    case entityChanged(entity: String, aspects: [String])
  }

  /// The differences, ordered by entity and property.
  package let changes: [Change]

  /// Compares what the version hashes of two models cover.
  ///
  /// Default values, class names, indexes and delete rules don't count: Core Data ignores them when
  /// it opens a store.
  package init(from old: Model, to new: Model) {
    let names = Set(old.entities.map(\.name)).union(new.entities.map(\.name))
    changes = names.sorted { $0.precedes($1) }.flatMap { name in
      switch (old[name], new[name]) {
      case (nil, _): [Change.entityAdded(name)]
      case (_, nil): [Change.entityRemoved(name)]
      case (let old?, let new?): Self.changes(from: old, to: new)
      }
    }
  }

  private static func changes(from old: Entity, to new: Entity) -> [Change] {
    var changes: [Change] = []
    let aspects = entityAspects(old, new)
    if !aspects.isEmpty { changes.append(.entityChanged(entity: old.name, aspects: aspects)) }
    let names = Set(old.properties.map(\.name)).union(new.properties.map(\.name))
    for name in names.sorted(by: { $0.precedes($1) }) {
      switch (old[name], new[name]) {
      case (nil, let property?):
        changes.append(.propertyAdded(entity: old.name, property: name, kind: property.kind))
      case (let property?, nil):
        changes.append(.propertyRemoved(entity: old.name, property: name, kind: property.kind))
      case (let before?, let after?)
      where before.versionHash(in: [old.name]) != after.versionHash(in: [new.name]):
        changes.append(
          .propertyChanged(
            entity: old.name, property: name, aspects: propertyAspects(before, after)))
      default: break
      }
    }
    return changes
  }

  private static func entityAspects(_ old: Entity, _ new: Entity) -> [String] {
    var aspects: [String] = []
    if old.superentityName != new.superentityName { aspects.append("super-entity") }
    if old.isAbstract != new.isAbstract { aspects.append("abstract") }
    if Set(old.uniquenessConstraints) != Set(new.uniquenessConstraints) {
      aspects.append("uniqueness")
    }
    if old.versionHashModifier != new.versionHashModifier { aspects.append("hash modifier") }
    return aspects
  }

  private static func propertyAspects(_ old: Property, _ new: Property) -> [String] {
    var aspects: [String] = []
    if old.kind != new.kind { aspects.append("\(old.kind) is now \(new.kind)") }
    if old.isOptional != new.isOptional {
      aspects.append(new.isOptional ? "is now optional" : "is now mandatory")
    }
    return aspects.isEmpty ? ["differs"] : aspects
  }
}

extension Property {
  /// The attribute type or relationship destination, in words.
  package var kind: String {
    switch self {
    case .attribute(let attribute): attribute.type.name
    case .relationship(let relationship):
      (relationship.isToMany ? "to many " : "to one ") + relationship.destinationName
    case .fetched: "fetched property"
    }
  }

  /// Whether the property may have no value.
  package var isOptional: Bool {
    switch self {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship): relationship.isOptional
    case .fetched: true
    }
  }
}
