/// One entity of a model, with the properties it declares itself.
package struct Entity: Hashable, Sendable {
  /// The entity's name, in the model's spelling.
  package let name: String

  /// The name of the class that represents it, where the archive names one.
  package var className: String?

  /// A Boolean value indicating whether the entity has no rows of its own.
  package var isAbstract: Bool

  /// The name of the entity this one inherits from.
  package var superentityName: String?

  /// The properties declared by this entity and not inherited, ordered by name.
  package let properties: [Property]

  /// The uniqueness constraints, each a list of attribute names in the order of the constraint.
  package var uniquenessConstraints: [[String]]

  /// The fetch indexes, in the order of the model.
  package var indexes: [FetchIndex]

  /// The indexes in the form that systems before iOS 11 used, each a list of property names.
  package var compoundIndexes: [[String]]

  /// The name this entity had in an earlier version, where the model declares one.
  package var renamingIdentifier: String?

  /// A text that changes the entity's hash without changing anything else.
  package var versionHashModifier: String?

  /// What the developer noted beside the entity.
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
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Returns the property declared by this entity under a name.
  ///
  /// - Complexity: O(n) in the number of properties.
  package subscript(name: String) -> Property? {
    properties.first { $0.name == name }
  }

  /// The attributes declared by this entity, ordered by name.
  package var attributes: [Attribute] {
    properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }

  /// The relationships declared by this entity, ordered by name.
  package var relationships: [Relationship] {
    properties.compactMap { if case .relationship(let relation) = $0 { relation } else { nil } }
  }
}

/// An index that a model asks for, beyond those of relationships and uniqueness.
package struct FetchIndex: Hashable, Sendable {
  /// One property of an index.
  package struct Element: Hashable, Sendable {
    /// The name of the property that is indexed.
    package let propertyName: String

    /// A Boolean value indicating whether the index runs from low to high.
    package let isAscending: Bool

    /// Core Data's number of the kind of element: 0 binary, 1 R-tree.
    package let collationType: Int

    package init(propertyName: String, isAscending: Bool = true, collationType: Int = 0) {
      self.propertyName = propertyName
      self.isAscending = isAscending
      self.collationType = collationType
    }
  }

  /// The name of the index, unique in its entity.
  package let name: String

  /// The properties, in the order of the index.
  package let elements: [Element]

  package init(name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }
}
