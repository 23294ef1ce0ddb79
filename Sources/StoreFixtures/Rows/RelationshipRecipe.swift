import StoreModel

/// Which row a to-one relationship of a row leads to.
struct RelationshipRecipe: Sendable {
  /// How the destination is found.
  enum Kind: Sendable {
    /// The user that the row belongs to, whom a text beside the link may name as well.
    case owner(hasText: Bool)

    /// The row with the same number, if both sides are linked.
    case partner(bothHave: Int)

    /// Any row.
    case any
  }

  let kind: Kind
  let destinations: [Crowd]

  /// In how many of a hundred rows there is no destination.
  let nullPercent: Int
  let hash: UInt64

  init(_ relationship: Relationship, of entity: Entity, crowd: Crowd, in world: World) {
    let destinations = world.crowds(under: relationship.destinationName)
    let inverse = relationship.inverseName.flatMap {
      world.model.relationship(named: $0, of: relationship.destinationName)
    }
    let names = [entity.name + "." + relationship.name]
    if let inverse, !inverse.relationship.isToMany {
      // Both sides compute the same links: only between the first entities of either side.
      let own = world.crowds(under: entity.name).first
      let other = destinations.first
      let isFirst = own == crowd
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

  /// Returns the entity of the destination and the number of its row.
  func destination(of crowd: Crowd, at index: Int, in world: World) -> (crowd: Crowd, index: Int)? {
    var random = world.random(hash, index)
    if destinations.isEmpty || isNull(at: index, &random) { return nil }
    let destination = random.pick(destinations)
    switch kind {
    case .owner(hasText: true) where !world.ownerCase(crowd, index).isLinked: return nil
    case .owner:
      guard let owner = world.ownerIndex(crowd, index), owner < destination.count else {
        return (destination, 0)
      }
      return (destination, owner)
    case .partner(let count): return index < count ? (destination, index) : nil
    case .any: return (destination, random.below(destination.count))
    }
  }

  /// Whether there is no destination: the first row has one, the second doesn't, later ones by chance.
  private func isNull(at index: Int, _ random: inout RandomSource) -> Bool {
    guard nullPercent > 0 else { return false }
    let isNull = random.chance(nullPercent)
    return index < 2 ? index == 1 : isNull
  }
}
