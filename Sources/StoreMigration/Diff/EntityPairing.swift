import StoreModel

/// What is compared in the rows of one entity, settled before a row is read.
struct EntityPairing {
  /// A property of each store, compared cell by cell.
  struct Pair {
    let a: RowShape.Property
    let b: RowShape.Property
  }

  /// A property that only one store has, or that each has in a form of its own.
  struct Unpaired {
    let a: RowShape.Property?
    let b: RowShape.Property?
  }

  let a: RowShape?
  let b: RowShape?
  let pairs: [Pair]
  let unpaired: [Unpaired]

  /// Prepares an entity that only one store has: its rows are counted, its properties aren't listed.
  init(a: RowShape?, b: RowShape?) {
    self.a = a
    self.b = b
    pairs = []
    unpaired = []
  }

  init(a: RowShape, b: RowShape, models: ModelPairing) {
    let isBackward = models.way?.isBackward ?? false
    let (source, target) = isBackward ? (b, a) : (a, b)
    let match = PropertyMatch(source: source, target: target, models: models)
    let pairs = match.partners.map { (source.properties[$1], target.properties[$0]) }
    let converted = match.conversions.map { (source.properties[$1], target.properties[$0]) }
    let (onlySource, onlyTarget) = (
      match.restOfSource.map { source.properties[$0] },
      match.restOfTarget.map { target.properties[$0] }
    )
    self.a = a
    self.b = b
    self.pairs = pairs.map { isBackward ? Pair(a: $1, b: $0) : Pair(a: $0, b: $1) }
      .sorted { $0.a.label.precedes($1.a.label) }
    let (onlyA, onlyB) = isBackward ? (onlyTarget, onlySource) : (onlySource, onlyTarget)
    unpaired =
      (converted.map { isBackward ? Unpaired(a: $1, b: $0) : Unpaired(a: $0, b: $1) }
      + onlyA.map { Unpaired(a: $0, b: nil) } + onlyB.map { Unpaired(a: nil, b: $0) })
      .sorted { $0.name.name.precedes($1.name.name) }
  }

  var name: PairedName { PairedName(a: a?.entity, b: b?.entity) }
}

extension EntityPairing.Pair {
  var name: PairedName { PairedName(a: a.label, b: b.label) }
}

extension EntityPairing.Unpaired {
  var name: PairedName { PairedName(a: a?.label, b: b?.label) }
}

/// Which properties of a source's entity are which of the target's, by their places in the shapes.
///
/// Each property has one partner at most. A migration can make several attributes of one, or of
/// several; partner is the one that has its name, or else was given its name by a step, or comes
/// first. What is left over is new.
private struct PropertyMatch {
  /// The source's property that is the same, by the target's.
  private(set) var partners: [Int: Int] = [:]

  /// The source's property whose other form it is, by the target's.
  private(set) var conversions: [Int: Int] = [:]

  /// What is left of each.
  private(set) var restOfSource: [Int] = []
  private(set) var restOfTarget: [Int] = []

  init(source: RowShape, target: RowShape, models: ModelPairing) {
    let origins = target.properties.map { models.origin(of: $0, in: source) }
    let newNames = models.way?.lineage.newNames ?? []
    for place in source.properties.indices {
      let takers = origins.indices.filter { origins[$0] == .carried(place) }
      let name = source.properties[place].label
      let taker =
        takers.first { target.properties[$0].label == name }
        ?? takers.first { newNames.contains(target.properties[$0].firstName) } ?? takers.first
      if let taker { partners[taker] = place }
    }
    let carried = Set(partners.values)
    for (place, inputs) in origins.enumerated().compactMap({ $1.inputs($0) }) {
      let name = target.properties[place].label
      let old = inputs.first { source.properties[$0].label == name }
      if let old, !carried.contains(old) { conversions[place] = old }
    }
    for (place, inputs) in origins.enumerated().compactMap({ $1.inputs($0) })
    where conversions[place] == nil {
      let taken = carried.union(conversions.values)
      if let old = inputs.first(where: { !taken.contains($0) }) { conversions[place] = old }
    }
    let converted = Set(conversions.values)
    for (place, origin) in origins.enumerated() where origin == .untold {
      let property = target.properties[place]
      let old = source.properties.firstIndex {
        $0.label == property.label && $0.isLink == property.isLink
      }
      if let old, !carried.contains(old), !converted.contains(old) { partners[place] = old }
    }
    let taken = Set(partners.values).union(conversions.values)
    restOfSource = source.properties.indices.filter { !taken.contains($0) }
    restOfTarget = target.properties.indices.filter {
      partners[$0] == nil && conversions[$0] == nil
    }
  }
}

extension ModelPairing.Origin {
  /// A place with the properties whose other form stands there; none for other origins.
  fileprivate func inputs(_ place: Int) -> (Int, [Int])? {
    if case .converted(let inputs) = self { (place, inputs) } else { nil }
  }
}

extension RowShape.Property {
  /// The name of the attribute that a leaf belongs to.
  fileprivate var firstName: String { String(name.prefix { $0 != "." }) }
}

extension Lineage {
  /// The names that steps give to properties.
  fileprivate var newNames: Set<String> {
    Set(
      steps.compactMap { traced in
        if case .rename(_, let name) = traced.step { name } else { nil }
      })
  }
}
