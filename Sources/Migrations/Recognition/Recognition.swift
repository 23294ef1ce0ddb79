package import StoreFormat
package import StoreModel

/// The app and version of a store, and how well the store matches the version.
///
/// A store is recognised by its structure: the hashes of its cached model are compared with those
/// of known versions. Several models have the same version number, so it only decides between
/// versions with equal hashes.
package struct Recognition: Hashable, Sendable {
  /// How well a store matches a version.
  package enum Match: String, CaseIterable, Hashable, Sendable {
    /// The store has the version's entities and no others.
    case exact

    /// The entities that a migration from the version touches are the version's; others differ.
    case partial

    /// The store's metadata, model cache and tables disagree.
    case torn

    /// No known version is close enough.
    case unknown
  }

  /// How well the store matches the version.
  package let match: Match

  /// The version, or the nearest one if the match isn't exact; `nil` if no version is near.
  package let version: ModelVersion?

  /// The differences of the store's model from the version's; `+` is what only the store has.
  package let differences: [ModelDifference.Change]

  /// The contradictions within the store, as messages.
  package let disagreements: [String]

  /// The store's features that no migration supports, as messages.
  package let unsupported: [String]

  /// Whether the store's version identifier is newer than every known one.
  package let isNewer: Bool

  /// The abandoned edition that the store's signs indicate, if any.
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
      // Stores of older systems have no model cache, and nothing that could disagree with it.
      self.init(
        as: store.lacksModelCache && store.metadata != nil ? .unknown : .torn, version: nearest,
        disagreements: store.problems,
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

  /// Returns the version with the model's hashes, preferably one with its version identifiers.
  ///
  /// Of several with equal identifiers, one with the model's indexes is preferred.
  private static func exact(
    _ model: Model, _ hashes: VersionHashes, in catalog: Catalog
  ) -> ModelVersion? {
    let (entities, names) = (model.entities.map(\.name), model.hashedNames)
    // Names rule out most apps and versions, whose files then needn't be parsed.
    let versions = catalog.catalogedApps.filter { $0.mayHave(entities: entities) }
      .flatMap(\.catalog.versions).filter { $0.mayHave(names) }
    let named = versions.filter {
      $0.model.versionIdentifiers == model.versionIdentifiers && $0.has(hashes)
    }
    let sameIndexes = named.count > 1 ? named.first { $0.has(indexesOf: model) } : nil
    return sameIndexes ?? named.first ?? versions.first { $0.has(hashes) }
  }

  /// Returns the version with most equal entities, then most equal names, then fewest entities.
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
    // One equal entity or two equal names are the minimum.
    let best = scored.filter { $0.score[0] > 0 || $0.score[1] > 1 }
      .max { $0.score.lexicographicallyPrecedes($1.score) }
    return best?.version
  }

  /// Returns the nearest version whose entities that migrations touch are equal in the store.
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

extension Model {
  /// The names of entities, attributes and relationships, which version hashes cover.
  var hashedNames: Set<String> {
    Set(
      entities.flatMap { entity in
        [entity.name] + entity.attributes.map(\.name) + entity.relationships.map(\.name)
      })
  }
}

/// A version identifier in SwiftData's form, such as `1.0.0`, ordered by its numbers.
private struct VersionNumber: Comparable {
  let parts: [Int]

  init(_ text: String) {
    parts = text.split(separator: ".").map { Int($0) ?? 0 }
  }

  static func < (left: VersionNumber, right: VersionNumber) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
