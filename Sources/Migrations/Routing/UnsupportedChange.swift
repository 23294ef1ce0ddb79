import StoreModel

/// A change between two models that only the app can make in a store.
package enum UnsupportedChange: Hashable, Sendable {
  /// A many-to-many relationship within one entity needs a table, and no rule names it.
  case newSameEntityRelationship(PropertyPath)

  /// An entity whose rows are kept gets a new super-entity that has properties.
  case newSuperentity(String, of: String)

  /// An entity no longer inherits from one that is kept, in whose table its rows are.
  case leftSuperentity(String, of: String)
}

extension UnsupportedChange {
  /// Returns sentences about changes, one for all of the same kind.
  ///
  /// - Parameter changes: The changes.
  /// - Returns: The sentences, lower case, without a period.
  package static func sentences(_ changes: [UnsupportedChange]) -> [String] {
    let paths = changes.compactMap { change in
      if case .newSameEntityRelationship(let path) = change { "'\(path)'" } else { nil }
    }
    guard paths.count > 1, let last = paths.last else { return changes.map(\.description) }
    let tables =
      "\(paths.dropLast().joined(separator: ", ")) and \(last) need new tables: they are "
      + "many-to-many relationships within one entity, and which side names such a table differs "
      + "from store to store"
    return [tables]
      + changes.compactMap { change in
        if case .newSameEntityRelationship = change { nil } else { change.description }
      }
  }
}

extension UnsupportedChange: CustomStringConvertible {
  package var description: String {
    switch self {
    case .newSameEntityRelationship(let path):
      "'\(path)' needs a new table: it is a many-to-many relationship within one entity, and which "
        + "side names that table differs from store to store"
    case .newSuperentity(let name, let entity):
      "'\(entity)' gets the new super-entity '\(name)', which has properties"
    case .leftSuperentity(let name, let entity):
      "'\(entity)' no longer inherits from '\(name)', in whose table its rows are"
    }
  }
}
