/// A property of an entity.
package enum Property: Hashable, Sendable {
  case attribute(Attribute)
  case relationship(Relationship)

  /// A fetched property; it has no column and no hash, and only its name is kept.
  case fetched(name: String)

  /// The name.
  package var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let name): name
    }
  }

  /// Whether the property isn't stored.
  package var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetched: false
    }
  }

  /// Whether rows have a value or a link of the property.
  package var isStored: Bool {
    if case .fetched = self { false } else { !isTransient }
  }

  /// The renaming identifier; `nil` if it is the name.
  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetched: nil
    }
  }
}

/// A relationship, as declared by its source entity.
package struct Relationship: Hashable, Sendable {
  /// What happens to the destination when the source is deleted: `NSDeleteRule`.
  package enum DeleteRule: Int, CaseIterable, Hashable, Sendable {
    /// The destination keeps its reference to the deleted source.
    case noAction = 0

    /// The inverse reference is removed.
    case nullify = 1

    /// The destination is deleted, too.
    case cascade = 2

    /// The source can't be deleted while it has destinations.
    case deny = 3
  }

  /// The name.
  package let name: String

  /// The name of the destination entity.
  package let destinationName: String

  /// The name of the inverse relationship, or `nil` if there isn't one.
  package var inverseName: String?

  /// The maximum number of destinations; 0 means no limit.
  package var maxCount: Int

  /// The minimum number of destinations.
  package var minCount: Int

  /// The delete rule.
  package var deleteRule: DeleteRule

  /// Whether the destinations are ordered.
  package var isOrdered: Bool

  /// Whether the relationship may be empty.
  package var isOptional: Bool

  /// Whether the relationship isn't stored.
  package var isTransient: Bool

  /// The relationship's name in an earlier version; `nil` if the model doesn't declare another.
  package var renamingIdentifier: String?

  /// A text that changes only the relationship's version hash.
  package var versionHashModifier: String?

  /// The developer's annotations.
  package var userInfo: [String: ModelValue]

  package init(
    name: String,
    destinationName: String,
    inverseName: String? = nil,
    maxCount: Int = 1,
    minCount: Int = 0,
    deleteRule: DeleteRule = .nullify,
    isOrdered: Bool = false,
    isOptional: Bool = true,
    isTransient: Bool = false,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: ModelValue] = [:]
  ) {
    self.name = name
    self.destinationName = destinationName
    self.inverseName = inverseName
    self.maxCount = maxCount
    self.minCount = minCount
    self.deleteRule = deleteRule
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.renamingIdentifier = renamingIdentifier == name ? nil : renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether the relationship can have more than one destination.
  package var isToMany: Bool { maxCount != 1 }
}
