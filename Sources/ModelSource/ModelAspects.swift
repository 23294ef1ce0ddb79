import StoreModel

/// The differences of two models that their hashes cover, in words.
enum ModelAspects {
  /// Returns what an entity of a store has other than that of a model.
  static func differences(of entity: Entity, in model: Model, and stored: Entity) -> [String] {
    let words = ownDifferences(of: entity, and: stored)
    if words.isEmpty, let parent = entity.superentityName {
      return ["its super-entity '\(parent)' differs"]
    }
    return words
  }

  /// Returns what an entity of a store has other than that of a model, without its super-entity.
  static func ownDifferences(of entity: Entity, and stored: Entity) -> [String] {
    var words: [String] = entityWords(entity, stored)
    let names = Set(entity.properties.map(\.name)).union(stored.properties.map(\.name))
    for name in names.sorted(by: { $0.precedes($1) }) {
      let path = "'\(entity.name).\(name)'"
      switch (entity[name], stored[name]) {
      case (nil, let property?): words.append("\(path) is \(property.kind) in the store")
      case (_?, nil): words.append("\(path) is missing in the store")
      case (let one?, let other?): words += differences(of: one, and: other).map { "\(path) \($0)" }
      case (nil, nil): break
      }
    }
    return words
  }

  private static func entityWords(_ entity: Entity, _ stored: Entity) -> [String] {
    var words: [String] = []
    if entity.isAbstract != stored.isAbstract {
      words.append("the entity is \(stored.isAbstract ? "abstract" : "not abstract") in the store")
    }
    if entity.superentityName != stored.superentityName {
      words.append(
        "the super-entity is \(stored.superentityName.map { "'\($0)'" } ?? "missing") in the store")
    }
    if Set(entity.uniquenessConstraints) != Set(stored.uniquenessConstraints) {
      let lists = stored.uniquenessConstraints.map { $0.joined(separator: "+") }
      words.append(
        "the uniqueness constraints are \(lists.isEmpty ? "missing" : lists.joined(separator: ", "))"
          + " in the store")
    }
    if entity.versionHashModifier != stored.versionHashModifier {
      words.append("the hash modifier is \(quoted(stored.versionHashModifier)) in the store")
    }
    return words
  }

  /// Returns what a property of a store has other than that of a model.
  static func differences(of property: Property, and stored: Property) -> [String] {
    switch (property, stored) {
    case (.attribute(let one), .attribute(let other)): attributeWords(one, other)
    case (.relationship(let one), .relationship(let other)): relationshipWords(one, other)
    case (.fetched, .fetched): []
    case (_, let other): ["is \(other.kind) in the store"]
    }
  }

  private static func attributeWords(_ one: Attribute, _ other: Attribute) -> [String] {
    var words: [String] = []
    if one.type != other.type { words.append("is \(other.type.name) in the store") }
    words += flag("optional", one.isOptional, other.isOptional)
    words += flag("transient", one.isTransient, other.isTransient)
    words += flag("read-only", one.isReadOnly, other.isReadOnly)
    words += flag("derived", one.isDerived, other.isDerived)
    words += flag("stored externally", one.allowsExternalStorage, other.allowsExternalStorage)
    words += flag(
      "preserved after deletion", one.isPreservedAfterDeletion, other.isPreservedAfterDeletion)
    if one.versionHashModifier != other.versionHashModifier {
      words.append("has the hash modifier \(quoted(other.versionHashModifier)) in the store")
    }
    let leaves = Dictionary(
      other.leaves.map { ($0.cellName, $0.attribute) }, uniquingKeysWith: { first, _ in first })
    if one.type == .composite && other.type == .composite {
      for leaf in one.leaves {
        guard let stored = leaves[leaf.cellName] else {
          words.append("has no element '\(leaf.cellName)' in the store")
          continue
        }
        words += attributeWords(leaf.attribute, stored).map { "('\(leaf.cellName)') \($0)" }
      }
      let known = Set(one.leaves.map(\.cellName))
      words += leaves.keys.filter { !known.contains($0) }.sorted().map {
        "has the element '\($0)' in the store"
      }
    }
    return words
  }

  private static func relationshipWords(_ one: Relationship, _ other: Relationship) -> [String] {
    var words: [String] = []
    if one.destinationName != other.destinationName {
      words.append("leads to '\(other.destinationName)' in the store")
    }
    if one.inverseName != other.inverseName {
      words.append(
        "has \(other.inverseName.map { "the inverse '\($0)'" } ?? "no inverse") in the store")
    }
    if one.maxCount != other.maxCount {
      words.append(
        other.maxCount == 0
          ? "is to-many without a maximum in the store"
          : "has at most \(other.maxCount) in the store")
    }
    if one.minCount != other.minCount {
      words.append("has at least \(other.minCount) in the store")
    }
    words += flag("ordered", one.isOrdered, other.isOrdered)
    words += flag("optional", one.isOptional, other.isOptional)
    words += flag("transient", one.isTransient, other.isTransient)
    if one.versionHashModifier != other.versionHashModifier {
      words.append("has the hash modifier \(quoted(other.versionHashModifier)) in the store")
    }
    return words
  }

  private static func flag(_ name: String, _ one: Bool, _ other: Bool) -> [String] {
    one == other ? [] : ["is \(other ? "" : "not ")\(name) in the store"]
  }

  private static func quoted(_ modifier: String?) -> String { modifier.map { "'\($0)'" } ?? "''" }
}
