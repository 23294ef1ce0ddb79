import StoreModel

/// How to choose the destination of a to-one relationship.
struct RelationshipRecipe: Sendable {
  /// How the destination is chosen.
  enum Kind: Sendable {
    /// The user who owns the row; a text may also refer to the user.
    case owner(hasText: Bool)

    /// The row with the same index, if both sides have it.
    case partner(bothHave: Int)

    /// Any row.
    case any
  }

  let kind: Kind
  let destinations: [RowSet]

  /// The percentage of rows without a destination.
  let nullPercent: Int
  let hash: UInt64

  init(_ relationship: Relationship, of entity: Entity, rowSet: RowSet, in fixture: FixturePlan) {
    let destinations = fixture.rowSets(under: relationship.destinationName)
    let inverse = relationship.inverseName.flatMap {
      fixture.model.relationship(named: $0, of: relationship.destinationName)
    }
    let names = [entity.name + "." + relationship.name]
    if let inverse, !inverse.relationship.isToMany {
      // Both sides must compute the same links, so only the first entities of each side have them.
      let own = fixture.rowSets(under: entity.name).first
      let other = destinations.first
      let isFirst = own == rowSet
      self.destinations = isFirst ? other.map { [$0] } ?? [] : []
      kind = .partner(bothHave: min(own?.count ?? 0, other?.count ?? 0))
      let pair = names + [inverse.entity + "." + inverse.relationship.name]
      hash = stableHash(pair.sorted().joined(separator: "|"))
      nullPercent = 5
    } else {
      self.destinations = destinations
      let hasText = entity["userID"] != nil
      let isOwner = destinations.allSatisfy(\.isUsers)
      kind = isOwner ? .owner(hasText: hasText) : .any
      hash = stableHash(names[0])
      nullPercent = relationship.isOptional && !(isOwner && hasText) ? 8 : 0
    }
  }

  /// Returns the entity and the index of the destination row, or `nil` if there isn't one.
  func destination(of rowSet: RowSet, at index: Int, in fixture: FixturePlan) -> (
    rowSet: RowSet, index: Int
  )? {
    var random = fixture.random(hash, index)
    if destinations.isEmpty || isNull(at: index, &random) { return nil }
    let destination = random.pick(destinations)
    switch kind {
    case .owner(hasText: true) where !fixture.ownerCase(rowSet, index).isLinked: return nil
    case .owner:
      guard let owner = fixture.ownerIndex(rowSet, index), owner < destination.count else {
        return (destination, 0)
      }
      return (destination, owner)
    case .partner(let count): return index < count ? (destination, index) : nil
    case .any: return (destination, random.below(destination.count))
    }
  }

  /// Returns whether the link is NULL: not in the first row, but in the second, later by chance.
  private func isNull(at index: Int, _ random: inout RandomSource) -> Bool {
    guard nullPercent > 0 else { return false }
    let isNull = random.chance(nullPercent)
    return index < 2 ? index == 1 : isNull
  }
}
