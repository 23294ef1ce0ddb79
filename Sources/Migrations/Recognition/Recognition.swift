package import StoreFormat
package import StoreModel

/// Which version of which app a store is at, and how sure that is.
///
/// A store is recognised by structure: the hashes computed from the model in its cache are compared
/// with those of the known versions. Version numbers decide nothing, several models share one.
package struct Recognition: Hashable, Sendable {
  /// How well the store fits the version.
  package enum Match: String, CaseIterable, Hashable, Sendable {
    /// Every entity is the version's, and no other.
    case exact

    /// The entities that a migration from the version touches are the version's; others differ.
    case partial

    /// The store's metadata, model cache and tables disagree.
    case torn

    /// No known version comes close enough.
    case unknown
  }

  /// How well the store fits the version.
  package let match: Match

  /// The version; the nearest one where the match isn't exact, none where nothing is near.
  package let version: ModelVersion?

  /// How the store's model differs from the version's: `+` is what the store has more.
  package let differences: [ModelDifference.Change]

  /// What disagrees within the store, in words.
  package let disagreements: [String]

  /// What the store has that can't be carried by any migration, in words.
  package let unsupported: [String]

  /// A Boolean value indicating whether the store names a newer version than any that is known.
  package let isNewer: Bool

  /// The form that was given up and that the store shows the signs of.
  package let abandoned: AbandonedEdition?
}

extension Recognition {
  /// Recognises a store.
  ///
  /// - Complexity: O(n) in the number of known versions and their entities.
  package init(_ store: StoreDescription, in catalog: Catalog) {
    guard let model = store.cachedModel, store.metadata != nil else {
      let hashes = store.metadata?.hashes ?? VersionHashes(entities: [:])
      let nearest = Self.nearest(to: hashes, tables: store.tableNames, in: catalog)
      self.init(
        as: .torn, version: nearest, disagreements: store.problems,
        unsupported: store.unsupportedFeatures)
      return
    }
    let hashes = VersionHashes(model)
    let disagreements = StructureCheck(store, model: model).disagreements.map(\.message)
    let exact = Self.exact(model, hashes, in: catalog)
    let nearest = exact ?? Self.nearest(to: hashes, tables: store.tableNames, in: catalog)
    let differences =
      exact == nil
      ? nearest.map { ModelDifference(from: $0.model, to: model).changes } ?? [] : []
    if !disagreements.isEmpty {
      self.init(
        as: .torn, version: nearest, differences: differences, disagreements: disagreements,
        unsupported: store.unsupportedFeatures)
    } else if let exact {
      self.init(as: .exact, version: exact, unsupported: store.unsupportedFeatures)
    } else if let abandoned = catalog.abandonedEditions.first(where: { $0.matches(model) }) {
      self.init(
        as: .unknown, version: nearest, differences: differences,
        unsupported: store.unsupportedFeatures, abandoned: abandoned)
    } else {
      let partial = Self.partial(hashes, in: catalog)
      let version = partial ?? nearest
      self.init(
        as: partial == nil ? .unknown : .partial, version: version,
        differences: version.map { ModelDifference(from: $0.model, to: model).changes } ?? [],
        unsupported: store.unsupportedFeatures,
        isNewer: Self.isNewer(model, than: version, in: catalog))
    }
  }

  private init(
    as match: Match, version: ModelVersion?, differences: [ModelDifference.Change] = [],
    disagreements: [String] = [], unsupported: [String], isNewer: Bool = false,
    abandoned: AbandonedEdition? = nil
  ) {
    self.match = match
    self.version = version
    self.differences = differences
    self.disagreements = disagreements
    self.unsupported = unsupported
    self.isNewer = isNewer
    self.abandoned = abandoned
  }

  /// The version that has the model's hashes; where several have, the one with its identifiers.
  private static func exact(
    _ model: Model, _ hashes: VersionHashes, in catalog: Catalog
  ) -> ModelVersion? {
    let names = model.entities.map(\.name)
    let versions = catalog.catalogedApps.filter { $0.mayHave(entities: names) }
      .flatMap(\.catalog.versions)
    return versions.first {
      $0.model.versionIdentifiers == model.versionIdentifiers && $0.has(hashes)
    } ?? versions.first { $0.has(hashes) }
  }

  /// The version with the most equal entities, then the most equal entity names, then the fewest others.
  private static func nearest(
    to hashes: VersionHashes, tables: Set<String>, in catalog: Catalog
  ) -> ModelVersion? {
    let names = Set(hashes.entities.keys)
    let scored = catalog.versions.map { version in
      let theirs = version.hashes.entities
      let equal = theirs.filter { hashes.entities[$0.key] == $0.value }.count
      let named = theirs.keys.filter {
        names.contains($0) || tables.contains("Z" + $0.uppercased())
      }
      return (version: version, score: [equal, named.count, -theirs.count])
    }
    let best = scored.filter { $0.score[0] > 0 || $0.score[1] > 1 }
      .max { $0.score.lexicographicallyPrecedes($1.score) }
    return best?.version
  }

  /// The nearest version all of whose touched entities are equal in the store.
  private static func partial(_ hashes: VersionHashes, in catalog: Catalog) -> ModelVersion? {
    let migrations = catalog.migrations
    let fitting = catalog.versions.filter { version in
      let theirs = version.hashes.entities
      let touched =
        migrations
        .filter { $0.from == version.name && $0.app.isSameApp(as: version.app) }
        .flatMap { $0.steps.map(\.entity) }
        .filter { theirs[$0] != nil }
      return !touched.isEmpty && touched.allSatisfy { hashes.entities[$0] == theirs[$0] }
    }
    let catalog = Catalog(versions: fitting, migrations: [])
    return nearest(to: hashes, tables: [], in: catalog)
  }

  private static func isNewer(
    _ model: Model, than version: ModelVersion?, in catalog: Catalog
  ) -> Bool {
    guard let version else { return false }
    let known = catalog.versions(of: version.app).flatMap { $0.model.versionIdentifiers }
    guard let newest = known.map(VersionNumber.init).max() else { return false }
    return model.versionIdentifiers.map(VersionNumber.init).contains { $0 > newest }
  }
}

/// A version identifier as SwiftData writes it, ordered by its numbers.
private struct VersionNumber: Comparable {
  let parts: [Int]

  init(_ text: String) {
    parts = text.split(separator: ".").map { Int($0) ?? 0 }
  }

  static func < (left: VersionNumber, right: VersionNumber) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
