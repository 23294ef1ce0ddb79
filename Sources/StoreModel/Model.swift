/// A Core Data model: the entities of one version of an app, as `NSManagedObjectModel` holds them.
///
/// A model is a value without identity: two models are equal when every entity, property and
/// identifier is.
package struct Model: Hashable, Sendable {
  /// The entities, ordered by name (by Unicode scalars, case-sensitive).
  package let entities: [Entity]

  /// What the store's metadata calls `NSStoreModelVersionIdentifiers`, ordered.
  ///
  /// SwiftData writes one, `major.minor.patch`. Core Data allows any text and several.
  package var versionIdentifiers: [String]

  /// The configurations by name, each with the names of its entities, ordered.
  ///
  /// SwiftData writes one, named `default`, with all entities. Plain models have none.
  package var configurations: [String: [String]]

  /// The style in which an archive of this model is written.
  package var dialect: ModelDialect

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

  /// Returns the entity with a name.
  package subscript(name: String) -> Entity? {
    indexByName[name].map { entities[$0] }
  }
}

/// The two ways in which Apple's frameworks archive a model.
///
/// They differ in the collection classes and in which empty keys are written; see
/// `StoreFormat.md` §11.
package enum ModelDialect: String, CaseIterable, Hashable, Sendable {
  /// A model compiled by Xcode from a `.xcdatamodel`.
  case coreData

  /// A model built at run time by SwiftData of iOS 17: entities name their class.
  case swiftData17

  /// A model built at run time by SwiftData from iOS 18 on.
  case swiftData
}

extension String {
  /// Returns whether this string comes before another by Unicode scalars, as Core Data orders names.
  ///
  /// Swift's own `<` compares canonically equivalent strings as equal; names are compared exactly.
  package func precedes(_ other: String) -> Bool {
    unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }
}
