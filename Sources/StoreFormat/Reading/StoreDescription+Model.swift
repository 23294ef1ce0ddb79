package import StoreModel

extension StoreDescription {
  /// Whether the store has no model cache, as stores of old systems (`StoreFormat.md` §3.3).
  package var lacksModelCache: Bool { cachedModel == nil && modelCacheCount == 0 }

  /// Returns the description with the model that a store without a model cache is at.
  ///
  /// - Parameters:
  ///   - model: A model with the hashes of the store's metadata.
  ///   - name: The name of the model in the finding about the cache.
  /// - Returns: The description, with a warning about the missing cache.
  package func supplied(with model: Model, called name: String) -> StoreDescription {
    var supplied = self
    supplied.cachedModel = model
    if let hashes = metadata?.hashes { supplied.cachedModel?.record(hashes) }
    supplied.unreadable.removeAll { $0.check == .modelCache }
    supplied.unreadable.append(
      Finding(
        .modelCache, "the store has no model cache; its hashes are those of \(name)",
        severity: .warning))
    return supplied
  }

  /// Returns the description with the reason why a model isn't that of a store without a cache.
  package func refused(_ model: Model, called name: String) -> StoreDescription {
    let (stored, known) = (metadata?.hashes?.entities ?? [:], VersionHashes(model).entities)
    let names = Set(stored.keys).union(known.keys).sorted()
    guard let entity = names.first(where: { stored[$0] != known[$0] }) else { return self }
    let reason =
      stored[entity] == nil
      ? "the store has no entity '\(entity)'"
      : known[entity] == nil ? "it lacks '\(entity)'" : "the hash of '\(entity)' differs"
    var refused = self
    refused.unreadable.append(
      Finding(.modelCache, "\(name) isn't its model, because \(reason)"))
    return refused
  }
}
