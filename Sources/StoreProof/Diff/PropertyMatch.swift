import StoreModel
import Migrations

/// Matches the properties of the target's entity with the source's, by index in their shapes.
///
/// Each property has at most one partner. A migration can create several attributes from one, or
/// one from several. The partner is then the attribute with the same name, else one that a step
/// renamed, else the first one. Properties without a partner are new.
struct PropertyMatch {
  /// The index of the same property in the source, by the index in the target.
  package private(set) var partners: [Int: Int] = [:]

  /// The index of the source's property that was converted, by the index in the target.
  package private(set) var conversions: [Int: Int] = [:]

  private let source: [RowShape.Property]
  private let target: [RowShape.Property]

  /// The origin of each of the target's properties.
  private let origins: [ModelPairing.Origin]

  package init(source: RowShape, target: RowShape, models: ModelPairing) {
    self.source = source.properties
    self.target = target.properties
    origins = target.properties.map { models.origin(of: $0, in: source) }
    matchCarried(newNames: models.way?.lineage.newNames ?? [])
    matchConverted()
    matchUntold(models)
  }

  /// The source's properties without a partner.
  var restOfSource: [RowShape.Property] {
    source.indices.filter { !taken.contains($0) }.map { source[$0] }
  }

  /// The target's properties without a partner.
  var restOfTarget: [RowShape.Property] {
    target.indices.filter { partners[$0] == nil && conversions[$0] == nil }.map { target[$0] }
  }

  private var taken: Set<Int> { Set(partners.values).union(conversions.values) }

  private mutating func matchCarried(newNames: Set<String>) {
    for place in source.indices {
      let takers = origins.indices.filter { origins[$0] == .carried(place) }
      let taker =
        takers.first { target[$0].label == source[place].label }
        ?? takers.first { newNames.contains(target[$0].firstName) } ?? takers.first
      if let taker { partners[taker] = place }
    }
  }

  private mutating func matchConverted() {
    let inputs = origins.map { origin in
      if case .converted(let inputs) = origin { inputs } else { [Int]() }
    }
    let namesakes = inputs.enumerated().map { place, inputs in
      inputs.filter { source[$0].label == target[place].label }
    }
    for candidates in [namesakes, inputs] {
      for place in target.indices where conversions[place] == nil {
        let taken = taken
        if let old = candidates[place].first(where: { !taken.contains($0) }) {
          conversions[place] = old
        }
      }
    }
  }

  /// Pairs the properties that no migration mentions by names and renaming identifiers.
  ///
  /// Those that have no namesake in their own entity may have moved from or to a super-entity.
  private mutating func matchUntold(_ models: ModelPairing) {
    var taken = taken
    let rest = target.indices.filter { origins[$0] == .untold && partners[$0] == nil }
    for isMoved in [false, true] {
      for place in rest where partners[place] == nil {
        let property = target[place]
        let former = isMoved ? nil : models.former(property)
        let found = source.indices.first { candidate in
          let other = source[candidate]
          return other.isLink == property.isLink && !taken.contains(candidate)
            && (isMoved ? other.label == property.label : other.isCalled(former))
        }
        guard let found else { continue }
        partners[place] = found
        taken.insert(found)
      }
    }
  }
}

extension ModelPairing {
  /// Returns the source's entity and name of a property of the target, by names and identifiers.
  fileprivate func former(_ property: RowShape.Property) -> PropertyPath? {
    let name = property.firstName
    return namesake(of: name, declaredBy: property.owner).map { found in
      PropertyPath(
        entity: found.entity, property: found.property + property.name.dropFirst(name.count))
    }
  }
}

extension RowShape.Property {
  fileprivate func isCalled(_ path: PropertyPath?) -> Bool {
    path.map { owner == $0.entity && name == $0.property } ?? false
  }
}

extension RowShape.Property {
  /// The name of the attribute that a leaf belongs to.
  fileprivate var firstName: String { String(name.prefix { $0 != "." }) }
}

extension Lineage {
  /// The names that rename steps give to properties.
  fileprivate var newNames: Set<String> {
    Set(
      steps.compactMap { traced in
        if case .rename(_, let name) = traced.step { name } else { nil }
      })
  }
}
