import JSONText
import StoreModel

/// A dropped and an added property of one entity and type, which may be one property renamed.
///
/// A migration that is inferred drops the one and adds the other: nothing is guessed.
package struct PossibleRename: Hashable, Sendable {
  /// The dropped property, in the names of the source.
  package let old: PropertyPath

  /// The added property, in the names of the target.
  package let new: PropertyPath

  /// The step that renames the property, instead of the two that drop and add it.
  package var step: Step {
    .rename(PropertyPath(entity: new.entity, property: old.property), to: new.property)
  }

  /// Whether one name contains the other, or little of it has to change.
  package var hasSimilarNames: Bool {
    let names = [old.property.lowercased(), new.property.lowercased()].sorted {
      $0.count < $1.count
    }
    // Too many names end in 'id'.
    return names[0].count > 2 && names[1].contains(names[0])
      || nearestName(to: names[0], among: [names[1]]) != nil
  }
}

extension PossibleRename {
  /// Returns each pair of a dropped and an added property between which values can be carried.
  ///
  /// - Complexity: O(n · m) in the numbers of dropped and added properties.
  static func pairs(
    dropped: [Property], of old: Entity, added: [Property], to new: Entity
  ) -> [PossibleRename] {
    dropped.flatMap { before in
      added.filter { before.isRenamable(to: $0) }.map { after in
        PossibleRename(
          old: PropertyPath(entity: old.name, property: before.name),
          new: PropertyPath(entity: new.name, property: after.name))
      }
    }
  }
}

extension Property {
  fileprivate func isRenamable(to other: Property) -> Bool {
    switch (self, other) {
    case (.attribute(let before), .attribute(let after)): before.isCarried(to: after)
    case (.relationship(let before), .relationship(let after)):
      before.destinationName == after.destinationName && before.isToMany == after.isToMany
    case (.attribute, _), (.relationship, _), (.fetched, _): false
    }
  }
}
