/// One property of an entity.
package enum Property: Hashable, Sendable {
  case attribute(Attribute)
  case relationship(Relationship)

  /// A stored query. It has no column and no hash; only its name is kept.
  case fetched(name: String)

  /// The property's name, in the model's spelling.
  package var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let name): name
    }
  }
}

/// One relationship, seen from the entity that declares it.
package struct Relationship: Hashable, Sendable {
  /// What happens to the destination when the source is deleted.
  package enum DeleteRule: Int, CaseIterable, Hashable, Sendable {
    /// The destination stays, and may keep a link to nothing.
    case noAction = 0

    /// The destination stays, and its link back is removed.
    case nullify = 1

    /// The destination is deleted too.
    case cascade = 2

    /// The source can't be deleted while it has a destination.
    case deny = 3
  }

  /// The relationship's name, in the model's spelling.
  package let name: String

  /// The name of the entity it leads to.
  package let destinationName: String

  /// The name of the relationship that leads back, where there is one.
  package var inverseName: String?

  /// The largest number of destinations; 0 for no limit.
  package var maxCount: Int

  /// The smallest number of destinations.
  package var minCount: Int

  /// What happens to the destination when the source is deleted.
  package var deleteRule: DeleteRule

  /// A Boolean value indicating whether destinations have an order.
  package var isOrdered: Bool

  /// A Boolean value indicating whether there may be no destination.
  package var isOptional: Bool

  /// A Boolean value indicating whether the relationship isn't stored.
  package var isTransient: Bool

  /// The name this relationship had in an earlier version, where the model declares one.
  package var renamingIdentifier: String?

  /// A text that changes the relationship's hash without changing anything else.
  package var versionHashModifier: String?

  /// What the developer noted beside the relationship.
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
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// A Boolean value indicating whether the relationship leads to more than one destination.
  package var isToMany: Bool { maxCount != 1 }
}
