import StoreModel
import TestSupport

/// Random relationships between entities, of every kind that stores in the field have.
struct RandomLinks {
  private enum Kind: CaseIterable {
    case manyToMany, ordered, ownInverse, loneFriend, loose, looseOrdered, pointer
  }

  private struct Link {
    let source: String
    let destination: String
    let kind: Kind
    let number: Int

    /// The relationships of an entity.
    func ends(of entity: String) -> [Relationship] {
      let (name, back) = ("link\(number)", "back\(number)")
      var own = Relationship(name: name, destinationName: destination)
      var other = Relationship(name: back, destinationName: source, inverseName: name, maxCount: 0)
      switch kind {
      case .manyToMany, .ordered:
        own.maxCount = 0
        own.inverseName = back
        other.isOrdered = kind == .ordered
      case .ownInverse, .loneFriend:
        own.inverseName = name
        own.maxCount = kind == .ownInverse ? 0 : 1
        return entity == source ? [own] : []
      case .loose, .looseOrdered:
        own.maxCount = -1
        own.isOrdered = kind == .looseOrdered
        return entity == source ? [own] : []
      case .pointer:
        own.inverseName = back
        other.isOrdered = number % 2 == 0
      }
      return (entity == source ? [own] : []) + (entity == destination ? [other] : [])
    }
  }

  private var links: [Link] = []

  /// Creates up to three links.
  init(among names: [String], _ random: inout SeededGenerator) {
    for number in 0..<Int(random.number(4)) { add(number, among: names, &random) }
  }

  private mutating func add(
    _ number: Int, among names: [String], _ random: inout SeededGenerator
  ) {
    guard let source = names.randomElement(using: &random),
      var destination = names.randomElement(using: &random),
      let kind = Kind.allCases.randomElement(using: &random)
    else { return }
    if kind == .ownInverse || kind == .loneFriend { destination = source }
    links.append(Link(source: source, destination: destination, kind: kind, number: number))
  }

  /// Returns the links of a next version: most of those whose ends are kept, and perhaps a new one.
  func followers(among names: [String], _ random: inout SeededGenerator) -> RandomLinks {
    var next = self
    next.links = links.filter { link in
      names.contains(link.source) && names.contains(link.destination) && random.number(12) > 0
    }
    if random.number(4) == 0 { next.add(9, among: names, &random) }
    return next
  }

  /// Returns an entity with its relationships.
  func added(to entity: Entity) -> Entity {
    let relationships = links.flatMap { $0.ends(of: entity.name) }
    return Entity(
      name: entity.name, isAbstract: entity.isAbstract, superentityName: entity.superentityName,
      properties: entity.properties + relationships.map { .relationship($0) },
      uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.indexes,
      renamingIdentifier: entity.renamingIdentifier,
      versionHashModifier: entity.versionHashModifier)
  }
}
