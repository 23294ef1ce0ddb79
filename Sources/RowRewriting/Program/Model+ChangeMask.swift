import StoreModel

extension Model {
  /// Returns what each bit of an update's mask in the history stands for (`StoreFormat.md` §8).
  ///
  /// The bits of an attribute's leaves aren't known, so a leaf more or less counts as a change.
  func changeMask(of entity: String) -> [String] {
    let superentities = Set(entities.compactMap(\.superentityName))
    var (links, keys, attributes, toMany): ([String], [String], [String], [String]) =
      ([], [], [], [])
    for property in properties(of: entity) {
      switch property {
      case .attribute(let attribute) where !attribute.isTransient:
        attributes += attribute.leaves.map(\.cellName)
      case .relationship(let relationship) where !relationship.isTransient:
        if relationship.isToMany {
          toMany.append(relationship.name)
        } else {
          links.append(relationship.name)
          if superentities.contains(relationship.destinationName) { keys.append(relationship.name) }
        }
      case .attribute, .relationship, .fetched: break
      }
    }
    // A text before each group, because a property may go from one to the next.
    return ["links"] + links + ["keys"] + keys + ["attributes"] + attributes + ["to-many"] + toMany
  }
}
