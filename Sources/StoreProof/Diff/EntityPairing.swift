import StoreModel

/// The properties to compare in the rows of one entity, determined before a row is read.
struct EntityPairing {
  /// A property that both stores have, compared cell by cell.
  struct Pair {
    package let a: RowShape.Property
    package let b: RowShape.Property
  }

  /// A property that only one store has, or that is in another form in each.
  struct Unpaired {
    package let a: RowShape.Property?
    package let b: RowShape.Property?
  }

  package let a: RowShape?
  package let b: RowShape?
  package let pairs: [Pair]
  package let unpaired: [Unpaired]

  /// The attribute by which rows are paired; `nil` if they are paired by primary key.
  private(set) var key: Pair?

  /// Creates the pairing of an entity that only one store has, whose rows are only counted.
  package init(a: RowShape?, b: RowShape?) {
    self.a = a
    self.b = b
    pairs = []
    unpaired = []
  }

  package init(a: RowShape, b: RowShape, models: ModelPairing) {
    let isBackward = models.way?.isBackward ?? false
    let (source, target) = isBackward ? (b, a) : (a, b)
    let match = PropertyMatch(source: source, target: target, models: models)
    let pairs = match.partners.map { (source.properties[$1], target.properties[$0]) }
    let converted = match.conversions.map { (source.properties[$1], target.properties[$0]) }
    self.a = a
    self.b = b
    self.pairs = pairs.map { isBackward ? Pair(a: $1, b: $0) : Pair(a: $0, b: $1) }
      .sorted { $0.a.label.precedes($1.a.label) }
    let (onlyA, onlyB) =
      isBackward
      ? (match.restOfTarget, match.restOfSource) : (match.restOfSource, match.restOfTarget)
    unpaired =
      (converted.map { isBackward ? Unpaired(a: $1, b: $0) : Unpaired(a: $0, b: $1) }
      + onlyA.map { Unpaired(a: $0, b: nil) } + onlyB.map { Unpaired(a: nil, b: $0) })
      .sorted { $0.name.name.precedes($1.name.name) }
  }

  /// Returns the pairing with rows paired by the first of several attributes that the entity has.
  ///
  /// An attribute is `attribute` or `Entity.attribute`, in the names of either store.
  func keyed(by attributes: [String]) -> EntityPairing {
    var keyed = self
    keyed.key = attributes.lazy.compactMap { name in pairs.first { isKey($0, named: name) } }.first
    return keyed
  }

  /// The names of the attributes by which rows can be paired.
  var keyNames: [String] { pairs.filter { !$0.a.isLink && !$0.b.isLink }.map(\.a.label) }

  private func isKey(_ pair: Pair, named name: String) -> Bool {
    [(a, pair.a), (b, pair.b)].contains { shape, property in
      !property.isLink
        && (property.label == name || shape.map { "\($0.entity).\(property.label)" } == name)
    }
  }

  package var name: PairedName { PairedName(a: a?.entity, b: b?.entity) }
}

extension EntityPairing.Pair {
  package var name: PairedName { PairedName(a: a.label, b: b.label) }
}

extension EntityPairing.Unpaired {
  package var name: PairedName { PairedName(a: a?.label, b: b?.label) }
}
