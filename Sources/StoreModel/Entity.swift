/// An entity of a model, with the properties that it declares itself.
package struct Entity: Hashable, Sendable {
  /// The name.
  package let name: String

  /// The name of the entity's class, or `nil` if the archive doesn't contain one.
  package var className: String?

  /// Whether the entity is abstract: it has no rows of its own.
  package var isAbstract: Bool

  /// The name of the super-entity, or `nil` for a root entity.
  package var superentityName: String?

  /// The declared properties, without inherited ones, ordered by name.
  package let properties: [Property]

  /// The uniqueness constraints, each an ordered list of attribute names.
  package var uniquenessConstraints: [[String]]

  /// The fetch indexes, in the order of the model.
  package var indexes: [FetchIndex]

  /// The indexes in the format before iOS 11, each a list of property names.
  package var compoundIndexes: [[String]]

  /// The entity's name in an earlier version; `nil` if the model doesn't declare another.
  package var renamingIdentifier: String?

  /// A text that changes only the entity's version hash.
  package var versionHashModifier: String?

  /// The developer's annotations.
  package var userInfo: [String: ModelValue]

  package init(
    name: String,
    className: String? = nil,
    isAbstract: Bool = false,
    superentityName: String? = nil,
    properties: [Property] = [],
    uniquenessConstraints: [[String]] = [],
    indexes: [FetchIndex] = [],
    compoundIndexes: [[String]] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: ModelValue] = [:]
  ) {
    self.name = name
    self.className = className
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.properties = properties.sorted { $0.name.precedes($1.name) }
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.compoundIndexes = compoundIndexes
    self.renamingIdentifier = renamingIdentifier == name ? nil : renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Returns the declared property with a name.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  package subscript(name: String) -> Property? {
    properties.first { $0.name == name }
  }

  /// The declared attributes, ordered by name.
  package var attributes: [Attribute] {
    properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }

  /// The declared relationships, ordered by name.
  package var relationships: [Relationship] {
    properties.compactMap { if case .relationship(let relation) = $0 { relation } else { nil } }
  }
}

/// A fetch index declared by a model.
///
/// Indexes of relationships and uniqueness constraints aren't included.
package struct FetchIndex: Hashable, Sendable {
  /// An indexed property.
  package struct Element: Hashable, Sendable {
    /// The name of the property.
    package let propertyName: String

    /// Whether the index is ascending.
    package let isAscending: Bool

    /// The collation type: 0 binary, 1 R-tree (`NSFetchIndexElementType`).
    package let collationType: Int

    package init(propertyName: String, isAscending: Bool = true, collationType: Int = 0) {
      self.propertyName = propertyName
      self.isAscending = isAscending
      self.collationType = collationType
    }
  }

  /// The name, unique in the entity.
  package let name: String

  /// The properties, in index order.
  package let elements: [Element]

  package init(name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }
}
