/// A Core Data model: the entities of a version of an app, as in `NSManagedObjectModel`.
package struct Model: Hashable, Sendable {
  /// The entities, ordered by name (Unicode scalars, case-sensitive).
  package let entities: [Entity]

  /// The version identifiers, ordered: `NSStoreModelVersionIdentifiers` in the store's metadata.
  ///
  /// SwiftData writes one, `major.minor.patch`. Core Data allows several, with any text.
  package var versionIdentifiers: [String]

  /// The entity names of each configuration, ordered.
  ///
  /// SwiftData writes one configuration, `default`, with all entities. Core Data models usually
  /// have none.
  package var configurations: [String: [String]]

  /// The format of the model's archives.
  package var dialect: ModelDialect

  /// The hashes of entities with ``unsupportedFeatures``, as a store's metadata has them.
  ///
  /// No known formula gives them (`StoreFormat.md` §10.1).
  package private(set) var recordedHashes: [String: [UInt8]] = [:]

  private let indexByName: [String: Int]

  package init(
    entities: [Entity],
    versionIdentifiers: [String] = [],
    configurations: [String: [String]] = [:],
    dialect: ModelDialect = .swiftData
  ) {
    self.entities = entities.sorted { $0.name.precedes($1.name) }
    self.versionIdentifiers = versionIdentifiers.sorted { $0.precedes($1) }
    self.configurations = configurations.mapValues { $0.sorted { $0.precedes($1) } }
    self.dialect = dialect
    indexByName = Dictionary(
      self.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Remembers the hashes that can't be computed, from those of a store at this model.
  package mutating func record(_ hashes: VersionHashes) {
    let names = entitiesWithoutFormula
    recordedHashes = names.isEmpty ? [:] : hashes.entities.filter { names.contains($0.key) }
  }

  /// The names of the entities whose hash no formula gives and nothing records, ordered.
  ///
  /// Their ``VersionHashes`` tell definitions apart, but aren't Core Data's.
  package var entitiesWithoutHash: [String] {
    entitiesWithoutFormula.filter { recordedHashes[$0] == nil }
  }

  /// The names of the entities that have unsupported features, and of their sub-entities, ordered.
  private var entitiesWithoutFormula: [String] {
    let unknown = Set(unsupportedFeatures.map(\.entityName))
    return unknown.isEmpty
      ? [] : entities.map(\.name).filter { !unknown.isDisjoint(with: chain(from: $0)) }
  }

  /// Returns the unsupported features of an entity and its ancestors.
  package func unsupportedFeatures(of entityName: String) -> [UnsupportedFeature] {
    let chain = chain(from: entityName)
    return unsupportedFeatures.filter { chain.contains($0.entityName) }
  }

  /// The number of properties of all entities, with those that they inherit.
  package var countOfProperties: Int {
    entities.reduce(0) { count, entity in
      chain(from: entity.name).reduce(count) { $0 + (self[$1]?.properties.count ?? 0) }
    }
  }

  /// The model without recorded hashes.
  ///
  /// Its ``VersionHashes`` tell definitions apart, but those of derived attributes aren't Core
  /// Data's.
  package var withoutRecordedHashes: Model {
    var model = self
    model.recordedHashes = [:]
    return model
  }

  /// Returns the entity with a name, or `nil` if there isn't one.
  package subscript(name: String) -> Entity? {
    indexByName[name].map { entities[$0] }
  }
}

/// The formats in which Apple's frameworks archive a model.
///
/// They differ in the collection classes and in whether empty keys are written: see
/// `StoreFormat.md` §11.
package enum ModelDialect: String, CaseIterable, Hashable, Sendable {
  /// A model that Xcode compiles from an `.xcdatamodel`.
  case coreData

  /// A model that SwiftData creates at run time on iOS 17: entities name their class.
  case swiftData17

  /// A model that SwiftData creates at run time since iOS 18.
  case swiftData
}

extension String {
  /// Returns whether this string precedes another by UTF-16 code units, Core Data's order of names.
  ///
  /// Swift's `<` treats canonically equivalent strings as equal; names are compared exactly.
  package func precedes(_ other: String) -> Bool {
    utf16.lexicographicallyPrecedes(other.utf16)
  }
}
