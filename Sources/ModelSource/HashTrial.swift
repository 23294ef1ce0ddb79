import StoreModel

/// Tries single changes to an entity until it has the hash of a store.
struct HashTrial {
  /// A change that gives the hash.
  struct Solution {
    /// The change in words.
    let words: String

    /// The model with the change.
    let model: Model
  }

  private let model: Model
  private let entity: Entity
  private let hashes: [String: [UInt8]]

  /// The names of the entity and its ancestors.
  private let chain: [String]

  /// The properties that count for the hash, ordered by name, with their hashes.
  private let properties: [(property: Property, owner: String, hash: [UInt8]?)]

  init(_ model: Model, _ hashes: VersionHashes, _ entity: Entity) {
    self.model = model
    self.entity = entity
    self.hashes = hashes.entities
    let chain = model.chain(from: entity.name)
    self.chain = chain
    properties = model.properties(of: entity.name).map { property in
      let owner = chain.first { model[$0]?[property.name] != nil } ?? entity.name
      return (property, owner, property.versionHash(in: chain))
    }
  }

  /// The store's hash of the super-entity, which is right whatever the model says.
  private var parentHash: [UInt8]? { entity.superentityName.flatMap { hashes[$0] } }

  /// The changes that give the store's hash.
  var solutions: [Solution] {
    if hash(of: entity) == hashes[entity.name], let parent = entity.superentityName {
      return [Solution(words: "its super-entity '\(parent)' differs", model: model)]
    }
    return entitySolutions + properties.indices.flatMap(propertySolutions)
  }

  /// Returns the names of a store's entities that the entity has the hash of, under that name.
  func renamings(among names: [String]) -> [String] {
    names.filter { name in
      var renamed = Entity(name: name, isAbstract: entity.isAbstract)
      renamed.superentityName = entity.superentityName
      renamed.uniquenessConstraints = entity.uniquenessConstraints
      renamed.versionHashModifier = entity.versionHashModifier
      return hash(of: renamed) == hashes[name]
    }
    .map { "the entity is called '\($0)' in the store" }
  }

  private func hash(of entity: Entity, parent: [UInt8]?? = .none) -> [UInt8] {
    VersionHashes.hash(
      of: entity, parent: parent ?? parentHash, properties: properties.compactMap(\.hash))
  }
}

// MARK: - The entity itself

extension HashTrial {
  private var entitySolutions: [Solution] {
    let changes = entityChanges.filter {
      hash(of: $0, parent: $0.superentityName.map { hashes[$0] } ?? .some(nil))
        == hashes[entity.name]
    }
    return changes.map { changed in
      let words = ModelAspects.differences(of: entity, in: model, and: changed)
      return Solution(words: words.joined(separator: "; "), model: model.replacing(changed))
    }
  }

  private var entityChanges: [Entity] {
    var changes: [Entity] = []
    func add(_ change: (inout Entity) -> Void) {
      var changed = entity
      change(&changed)
      changes.append(changed)
    }
    add { $0.isAbstract.toggle() }
    for text in [nil] + model.hashModifiers where text != entity.versionHashModifier {
      add { $0.versionHashModifier = text }
    }
    for place in entity.uniquenessConstraints.indices {
      add { $0.uniquenessConstraints.remove(at: place) }
    }
    if entity.uniquenessConstraints.count > 1 { add { $0.uniquenessConstraints = [] } }
    for (property, _, _) in properties where property.isAttribute {
      add { $0.uniquenessConstraints.append([property.name]) }
    }
    // Inherited properties count as well, so a changed parent only helps an entity without any.
    if entity.superentityName != nil { add { $0.superentityName = nil } }
    return changes
  }
}

// MARK: - A property

extension HashTrial {
  /// Returns the changes to a property that give the store's hash.
  private func propertySolutions(_ place: Int) -> [Solution] {
    let (property, owner, _) = properties[place]
    let own = properties.map(\.hash)
    var seen: Set<[UInt8]> = []
    func gives(_ hash: [UInt8]?, at new: Int? = nil) -> Bool {
      var parts = own
      parts[place] = nil
      parts.insert(hash, at: new ?? place)
      return VersionHashes.hash(
        of: entity, parent: parentHash, properties: parts.compactMap(\.self))
        == hashes[entity.name]
    }
    var found: [Solution] = []
    let path = "'\(owner).\(property.name)'"
    if own[place] != nil, gives(nil) {
      found.append(
        Solution(words: "\(path) is missing in the store, or transient", model: model))
    }
    for changed in property.variants(in: model, owner: owner) {
      guard let hash = changed.versionHash(in: chain), hash != own[place],
        seen.insert(hash).inserted, gives(hash)
      else { continue }
      let words = ModelAspects.differences(of: property, and: changed)
      found.append(
        Solution(
          words: "\(path) \(words.joined(separator: "; "))",
          model: model.replacing(changed, of: owner)))
    }
    return found + renamed(place, gives: gives)
  }

  /// Returns the other names of a property that give the store's hash.
  private func renamed(
    _ place: Int, gives: ([UInt8]?, Int?) -> Bool
  ) -> [Solution] {
    let (property, owner, _) = properties[place]
    return property.otherNames.compactMap { name in
      let changed = property.called(name)
      // The hashes are in the order of the names; the property's own place is left out.
      let others = properties.map(\.property.name).enumerated().filter { $0.offset != place }
      let new = others.prefix { $0.element.precedes(name) }.count
      let shifted = new >= place ? new + 1 : new
      guard let hash = changed.versionHash(in: chain), gives(hash, shifted) else { return nil }
      return Solution(
        words: "'\(owner).\(property.name)' is called '\(name)' in the store", model: model)
    }
  }
}

extension Model {
  /// The hash modifiers that occur in the model, without duplicates.
  var hashModifiers: [String?] {
    let texts = entities.flatMap { entity in
      [entity.versionHashModifier] + entity.attributes.map(\.versionHashModifier)
        + entity.relationships.map(\.versionHashModifier)
    }
    return Array(Set(texts.compactMap(\.self))).sorted()
  }

  /// Returns the model with another entity in the place of one with its name.
  fileprivate func replacing(_ entity: Entity) -> Model {
    Model(
      entities: entities.map { $0.name == entity.name ? entity : $0 },
      versionIdentifiers: versionIdentifiers, configurations: configurations, dialect: dialect)
  }

  /// Returns the model with another property in the place of one with its name.
  fileprivate func replacing(_ property: Property, of owner: String) -> Model {
    guard let entity = self[owner] else { return self }
    return replacing(
      Entity(
        name: entity.name, className: entity.className, isAbstract: entity.isAbstract,
        superentityName: entity.superentityName,
        properties: entity.properties.map { $0.name == property.name ? property : $0 },
        uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.indexes,
        compoundIndexes: entity.compoundIndexes, renamingIdentifier: entity.renamingIdentifier,
        versionHashModifier: entity.versionHashModifier, userInfo: entity.userInfo))
  }
}
