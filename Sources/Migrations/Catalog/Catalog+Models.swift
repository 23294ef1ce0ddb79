package import StoreFormat
import StoreModel

extension Catalog {
  /// The last of the models that the user gave, by the numbers in their names.
  package var lastGiven: ModelVersion? { givenModels.max { $0.sortKey < $1.sortKey } }

  /// Returns a description with the given model that has the hashes of a store without a cache.
  ///
  /// If none has, the description says why the nearest of them isn't the store's.
  package func completing(_ store: StoreDescription) -> StoreDescription {
    guard store.lacksModelCache, let hashes = store.metadata?.hashes, !hashes.entities.isEmpty
    else {
      return store
    }
    if let found = givenModels.first(where: { $0.has(hashes) }) {
      return store.supplied(with: found.model, called: found.fullName)
    }
    let nearest = givenModels.max {
      $0.countOfEntities(in: hashes) < $1.countOfEntities(in: hashes)
    }
    return nearest.map { store.refused($0.model, called: $0.fullName) } ?? store
  }
}

extension ModelVersion {
  fileprivate var fullName: String { "\(app) \(name)" }

  /// Returns the number of entities with equal hashes.
  fileprivate func countOfEntities(in other: VersionHashes) -> Int {
    hashes.entities.count { other.entities[$0.key] == $0.value }
  }
}
