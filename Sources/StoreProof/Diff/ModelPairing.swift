package import StoreModel
package import Migrations

/// Pairs the entities and properties of two models, whatever their names.
///
/// If migrations lead from one model to the other, the pairs follow them. Entities and properties
/// that no migration mentions are paired by equal names, or by equal renaming identifiers.
package struct ModelPairing {
  /// The migrations between two models, combined.
  package struct Way {
    package let lineage: Lineage

    /// Whether the migrations lead from the second model to the first.
    package let isBackward: Bool

    package init(lineage: Lineage, isBackward: Bool) {
      self.lineage = lineage
      self.isBackward = isBackward
    }
  }

  /// The origin of a property of the target.
  package enum Origin: Hashable {
    /// A property of the source, by index, unchanged.
    case carried(Int)

    /// Properties of the source, by index, in another form.
    case converted([Int])

    /// The property is new.
    case new

    /// No migration mentions the property.
    case untold
  }

  package let a: Model
  package let b: Model
  package let way: Way?

  private let partnersOfA: [String: String]
  private let partnersOfB: [String: String]

  /// The source's names of properties, by entity and property of the target.
  private let formerNames: [String: [String: String]]

  package init(a: Model, b: Model, way: Way? = nil) {
    self.a = a
    self.b = b
    self.way = way
    let isBackward = way?.isBackward ?? false
    let (source, target) = isBackward ? (b, a) : (a, b)
    let origins = Self.origins(source: source, target: target, way?.lineage)
    formerNames = origins.reduce(into: [:]) { names, pair in
      guard let new = target[pair.key], let old = source[pair.value] else { return }
      names[pair.key] = new.origins(in: old)
    }
    let reversed = Dictionary(origins.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    partnersOfA = isBackward ? origins : reversed
    partnersOfB = isBackward ? reversed : origins
  }

  /// Returns the source's entity for each entity of the target that has one.
  private static func origins(
    source: Model, target: Model, _ lineage: Lineage?
  ) -> [String: String] {
    var origins: [String: String] = [:]
    for entity in target.entities {
      guard let known = lineage?.entities[entity.name] else { continue }
      if let name = known.source, source[name] != nil { origins[entity.name] = name }
    }
    let claimed = Set(origins.values)
    for (name, former) in target.origins(in: source) where lineage?.entities[name] == nil {
      if !claimed.contains(former) { origins[name] = former }
    }
    return origins
  }

  /// Returns the other model's entity that corresponds to an entity of one of the models.
  func partner(of entity: String, in side: StoreSide) -> String? {
    (side == .a ? partnersOfA : partnersOfB)[entity]
  }
}

extension ModelPairing {
  /// Returns the origin of a property of the target, with indices in a shape of the source.
  func origin(of property: RowShape.Property, in source: RowShape) -> Origin {
    guard let entity = way?.lineage.entities[property.owner] else { return .untold }
    if property.isLink {
      guard let relationship = entity.relationships[property.name] else { return .untold }
      let place = source.properties.firstIndex { candidate in
        candidate.isLink && candidate.name == relationship.source?.name
          && candidate.isInverseless == property.isInverseless
          && (!candidate.isInverseless || candidate.owner == entity.source)
      }
      return place.map { .carried($0) } ?? .new
    }
    guard let expression = entity.cells[property.name] else { return .untold }
    if let place = expression.carried(from: source) { return .carried(place) }
    let places = expression.converted(from: source)
    return places.isEmpty ? .new : .converted(places)
  }

  /// Returns the source's entity and name for a property of the target, by names and identifiers.
  func namesake(
    of property: String, declaredBy entity: String
  ) -> (entity: String, property: String)? {
    let partner = partner(of: entity, in: way?.isBackward == true ? .a : .b)
    guard let partner, let name = formerNames[entity]?[property] else { return nil }
    return (partner, name)
  }

  /// Returns the source's entity and name for a relationship of the target, if there are any.
  package func origin(
    of relationship: String, declaredBy entity: String
  ) -> (entity: String, relationship: String)? {
    guard let partner = partner(of: entity, in: way?.isBackward == true ? .a : .b) else {
      return nil
    }
    guard let known = way?.lineage.entities[entity]?.relationships[relationship] else {
      return namesake(of: relationship, declaredBy: entity) ?? (partner, relationship)
    }
    return known.source.map { (partner, $0.name) }
  }
}

extension Expression {
  /// Returns the index of the property whose significant values this expression passes unchanged.
  fileprivate func carried(from shape: RowShape) -> Int? {
    switch self {
    case .cell(let entity, let path): shape.place(of: path, declaredBy: entity)
    // A merged attribute has the cells of several sub-entities, of which a row has one.
    case .conditional(_, _, let then, let otherwise):
      otherwise.carried(from: shape) ?? then.carried(from: shape)
    // An integer and the real number made of it are equal as numbers.
    case .converted(.real, _, let inputs): inputs.first?.carried(from: shape)
    case .constant, .option, .converted, .computed, .newUUID, .sequence: nil
    }
  }

  /// Returns the indices of the properties that this expression converts.
  fileprivate func converted(from shape: RowShape) -> [Int] {
    switch self {
    case .converted(_, _, let inputs):
      inputs.flatMap { input in
        input.carried(from: shape).map { [$0] } ?? input.converted(from: shape)
      }
    case .computed(let computation):
      computation.values.values.flatMap { input in
        input.carried(from: shape).map { [$0] } ?? input.converted(from: shape)
      }
    case .conditional(_, _, let then, let otherwise):
      otherwise.converted(from: shape) + then.converted(from: shape)
    case .cell, .constant, .option, .newUUID, .sequence: []
    }
  }
}
