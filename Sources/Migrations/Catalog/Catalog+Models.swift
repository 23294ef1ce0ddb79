package import StoreFormat
import StoreModel

extension Catalog {
  /// Returns a description with the given model that has the hashes of a store without a cache.
  ///
  /// If none has, the description says why they aren't the store's.
  package func completing(_ store: StoreDescription) -> StoreDescription {
    guard store.lacksModelCache, let hashes = store.metadata?.hashes, !hashes.entities.isEmpty
    else {
      return store
    }
    if let found = givenModels.first(where: { $0.has(hashes) }) {
      return store.supplied(with: found.model, called: found.fullName)
    }
    return givenModels.reduce(store) { $0.refused($1.model, called: $1.fullName) }
  }
}

extension ModelVersion {
  fileprivate var fullName: String { "\(app) \(name)" }
}
