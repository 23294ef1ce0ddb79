package import StoreModel

/// The comparison of a model's hashes with those of a store, entity by entity.
package struct HashComparison: Hashable, Sendable {
  /// What is known about an entity.
  package struct EntityResult: Hashable, Sendable {
    /// How the hashes compare.
    package enum State: String, CaseIterable, Hashable, Sendable {
      case equal
      case differs

      /// No formula gives the model's hash, and the store's cache shows no difference.
      case unknown

      /// The store has no such entity.
      case onlyInModel = "only in model"

      /// The model has no such entity.
      case onlyInStore = "only in store"
    }

    /// The name of the entity.
    package let name: String

    /// How the hashes compare.
    package let state: State

    /// The changes to the model that each give the store's hash, in words.
    ///
    /// Empty if no single change does, or if the hashes are equal. For an unknown hash, the reasons
    /// why it isn't known.
    package let causes: [String]
  }

  /// The entities of both, ordered by name.
  package let entities: [EntityResult]

  /// Whether the store has the model's entities and no others, with equal hashes.
  package var isConfirmed: Bool { entities.allSatisfy { $0.state == .equal } }

  /// Whether an entity differs, or is only in the model or only in the store.
  package var hasDifferences: Bool {
    !entities.allSatisfy { $0.state == .equal || $0.state == .unknown }
  }

  /// The names of the entities whose hashes aren't known.
  package var unknown: [String] { entities.filter { $0.state == .unknown }.map(\.name) }

  /// Returns whether a store confirms the model, in words, if it has no differences.
  package func verdict(on store: String) -> String {
    unknown.isEmpty
      ? "confirmed by '\(store)'"
      : "not confirmed by '\(store)', because hashes aren't known: "
        + unknown.joined(separator: ", ")
  }

  /// Compares a model with the hashes in a store's metadata.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - hashes: The hashes of the store.
  ///   - cached: The model in the store's cache, which names the causes exactly; `nil` to try
  ///     changes.
  /// - Complexity: O(*n* · *m*) in the numbers of changes and of an entity's properties.
  package init(_ model: Model, _ hashes: VersionHashes, cached: Model?) {
    var model = model
    let unknown = UnknownHashes(model, cached: cached)
    let own = VersionHashes(model).entities
    let names = Set(own.keys).union(hashes.entities.keys).sorted { $0.precedes($1) }
    let added = names.filter { own[$0] == nil }
    var causes: [String: [String]] = [:]
    // A super-entity comes first: with its cause known, its sub-entities are tried without it.
    let ordered = names.sorted { model.chain(from: $0).count < model.chain(from: $1).count }
    for name in ordered where own[name] != hashes.entities[name] {
      guard let entity = model[name], !unknown.names.contains(name) else { continue }
      if hashes.entities[name] == nil {
        causes[name] = HashTrial(model, hashes, entity).renamings(among: added)
      } else if let stored = cached?[name] {
        causes[name] = ModelAspects.differences(of: entity, in: model, and: stored)
      } else {
        let found = HashTrial(model, hashes, entity).solutions
        causes[name] = found.map(\.words)
        if let first = found.first { model = first.model }
      }
    }
    entities = names.map { name in
      let state: EntityResult.State =
        switch (own[name], hashes.entities[name]) {
        case (nil, _): .onlyInStore
        case (_, nil): .onlyInModel
        case (let hash, let stored):
          if unknown.names.contains(name) {
            unknown.differences[name] == nil ? .unknown : .differs
          } else {
            hash == stored ? .equal : .differs
          }
        }
      let reasons = state == .unknown ? unknown.reasons(name) : unknown.differences[name]
      return EntityResult(name: name, state: state, causes: causes[name] ?? reasons ?? [])
    }
  }
}
