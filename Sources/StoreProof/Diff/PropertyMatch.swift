import StoreModel
import Migrations
import RowRewriting
import OutboxConversion

/// Which properties of a source's entity are which of the target's, by their places in the shapes.
///
/// Each property has one partner at most. A migration can make several attributes of one, or of
/// several; partner is the one that has its name, or else was given its name by a step, or comes
/// first. What is left over is new.
struct PropertyMatch {
  /// The source's property that is the same, by the target's.
  package private(set) var partners: [Int: Int] = [:]

  /// The source's property whose other form it is, by the target's.
  package private(set) var conversions: [Int: Int] = [:]

  private let source: [RowShape.Property]
  private let target: [RowShape.Property]

  /// Where each of the target's properties comes from.
  private let origins: [ModelPairing.Origin]

  package init(source: RowShape, target: RowShape, models: ModelPairing) {
    self.source = source.properties
    self.target = target.properties
    origins = target.properties.map { models.origin(of: $0, in: source) }
    matchCarried(newNames: models.way?.lineage.newNames ?? [])
    matchConverted()
    matchUntold()
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

  /// What no migration speaks of pairs by equal names.
  private mutating func matchUntold() {
    let taken = taken
    for place in target.indices where origins[place] == .untold {
      let old = source.indices.first {
        source[$0].label == target[place].label && source[$0].isLink == target[place].isLink
      }
      if let old, !taken.contains(old) { partners[place] = old }
    }
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
