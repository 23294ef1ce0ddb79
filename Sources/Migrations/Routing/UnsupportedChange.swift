import StoreModel

/// A change between two models that only the app can make in a store.
package enum UnsupportedChange: Hashable, Sendable {
  /// A many-to-many relationship within one entity needs a table, and no rule names it.
  case newSameEntityRelationship(PropertyPath)

  /// An entity whose rows are kept gets a new super-entity that has properties.
  case newSuperentity(String, of: String)
}

extension UnsupportedChange: CustomStringConvertible {
  package var description: String {
    switch self {
    case .newSameEntityRelationship(let path):
      "'\(path)' needs a new table: it is a many-to-many relationship within one entity, and which "
        + "side names that table differs from store to store"
    case .newSuperentity(let name, let entity):
      "'\(entity)' gets the new super-entity '\(name)', which has properties"
    }
  }
}
