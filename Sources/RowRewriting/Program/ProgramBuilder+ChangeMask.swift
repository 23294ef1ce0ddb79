import Migrations
import StoreFormat
import StoreModel

extension ProgramBuilder {
  /// The target's numbers of entities whose masks in the history lose their meaning.
  var changedEntities: Set<Int64> {
    var changed: Set<Int64> = []
    for (name, entity) in lineage.entities {
      guard let old = entity.source, let number = targetLayout.numbering.number(of: name) else {
        continue
      }
      let before = source.changeMask(of: old) { $1 }
      let after = target.changeMask(of: name, sourceName(of:_:))
      if before != after { changed.insert(Int64(number)) }
    }
    return changed
  }

  /// Returns the source's name of a property; for a new one, a text that no property has.
  private func sourceName(of entity: String, _ property: String) -> String {
    let new = "new \(property)"
    guard let entity = lineage.entities[entity] else { return new }
    if let relationship = entity.relationships[property] { return relationship.source?.name ?? new }
    return switch entity.cells[property] {
    case .cell(_, let path): path
    case .constant, nil: new
    // The attribute existed, with other values.
    default: property
    }
  }
}

extension Model {
  /// Returns what each bit of an update's mask in the history stands for (`StoreFormat.md` §8).
  ///
  /// The bits of an attribute's leaves aren't known, so a leaf more or less counts as a change.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - name: A closure that gets the declaring entity and a relationship, an attribute or a leaf.
  /// - Returns: The results of the closure in the order of the bits, in groups.
  fileprivate func changeMask(
    of entity: String, _ name: (_ entity: String, _ property: String) -> String
  ) -> [[String]] {
    let superentities = Set(entities.compactMap(\.superentityName))
    var (links, keys, attributes, toMany): ([String], [String], [String], [String]) =
      ([], [], [], [])
    for property in properties(of: entity) {
      let owner = chain(from: entity).first { self[$0]?[property.name] != nil } ?? entity
      switch property {
      case .attribute(let attribute) where !attribute.isTransient:
        attributes += attribute.leaves.map { name(owner, $0.cellName) }
      case .relationship(let relationship) where !relationship.isTransient:
        let link = name(owner, relationship.name)
        if relationship.isToMany {
          toMany.append(link)
        } else {
          links.append(link)
          if superentities.contains(relationship.destinationName) { keys.append(link) }
        }
      case .attribute, .relationship, .fetched: break
      }
    }
    return [links, keys, attributes, toMany]
  }
}
