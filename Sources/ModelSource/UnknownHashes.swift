import StoreModel

/// The entities of a model whose hashes no formula gives, compared with a store's cache instead.
struct UnknownHashes {
  /// The names of the entities.
  let names: Set<String>

  /// The differences from the cache, in words, of the entities that differ from it.
  let differences: [String: [String]]

  private let model: Model

  /// Compares the entities with those of a store's cache; `nil` if the store has none.
  init(_ model: Model, cached: Model?) {
    self.model = model
    let unknown = model.entitiesWithoutHash
    names = Set(unknown)
    var differences: [String: [String]] = [:]
    // A super-entity comes first, because its sub-entities differ with it.
    for name in unknown.sorted(by: { model.chain(from: $0).count < model.chain(from: $1).count }) {
      guard let entity = model[name], let stored = cached?[name] else { continue }
      let own = ModelAspects.ownDifferences(of: entity, and: stored)
      if !own.isEmpty {
        differences[name] = own
      } else if let parent = entity.superentityName, differences[parent] != nil {
        differences[name] = ["its super-entity '\(parent)' differs"]
      }
    }
    self.differences = differences
  }

  /// Returns why the hash of an entity isn't known.
  func reasons(_ name: String) -> [String] {
    model.unsupportedFeatures(of: name).map(\.description)
  }
}
