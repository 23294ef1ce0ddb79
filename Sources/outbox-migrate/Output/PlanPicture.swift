import StoreMigration
package import Migrations
package import RowRewriting

/// The entities that a plan's steps touch, before and after, with what moves between them.
///
/// A picture is made of the steps alone, so that a plan that was saved has one too.
struct PlanPicture: Hashable, Sendable {
  /// One entity.
  struct Entity: Hashable, Sendable {
    /// The name in the source; none for an entity that is new.
    var before: String?

    /// The name in the target; none for an entity that goes.
    var after: String?

    /// The rows that steps change.
    var rows: Int64 = 0

    /// The properties of the source that steps touch, in the order in which they are named.
    var sources: [String] = []

    /// The properties of the target that steps make, in an order that crosses few lines.
    var targets: [Target] = []
  }

  /// A property of the target, with where it comes from.
  struct Target: Hashable, Sendable {
    let name: String
    let origin: Origin
  }

  /// A property of the source.
  struct Place: Hashable, Sendable {
    /// The entity's place in ``PlanPicture/entities``.
    let entity: Int

    /// The property's place in its sources.
    let property: Int
  }

  /// Where a property comes from.
  struct Origin: Hashable, Sendable {
    /// How far a value is from what it was, the nearest first.
    enum Change: Int, Hashable, Sendable {
      case renamed, moved, converted, filled, added
    }

    var places: [Place]
    var change: Change
  }

  /// The entities, in the order in which steps touch them.
  private(set) var entities: [Entity] = []

  init(_ steps: [PlannedStep]) {
    var tracer = Tracer()
    for step in steps { tracer.follow(step) }
    entities = tracer.finish()
  }

  /// The properties of the source that nothing of the target comes from.
  var lost: Set<Place> {
    let all = entities.enumerated().flatMap { entity, value in
      value.sources.indices.map { Place(entity: entity, property: $0) }
    }
    return Set(all).subtracting(entities.flatMap { $0.targets.flatMap(\.origin.places) })
  }
}

/// Follows names through the steps of a plan.
private struct Tracer {
  private var entities: [PlanPicture.Entity] = []

  /// The present names of entities.
  private var placeByName: [String: Int] = [:]

  /// The present properties of each entity, and where they come from; none for one that is gone.
  private var origins: [[String: PlanPicture.Origin]] = []

  mutating func follow(_ step: PlannedStep) {
    let names = step.object.separated
    let entity = place(of: names.first?.entity ?? step.object, isNew: step.addsEntity)
    let counted =
      step.verb == "merge" ? place(of: step.newName?.separated.first?.entity ?? "") : entity
    entities[counted].rows = max(entities[counted].rows, step.rows)
    guard let property = names.first?.property else {
      follow(step, ofEntity: entity)
      return
    }
    // What becomes of an entity's properties that the source doesn't have shows nothing.
    if entities[entity].before == nil { return }
    switch step.verb {
    case "add", "backfill":
      origins[entity][property] = .init(
        places: [], change: step.verb == "add" ? .added : .filled)
    case "drop": _ = take(property, from: entity)
    case "rename": move(names, to: step.newName ?? property, as: .renamed, in: entity)
    case "convert": move(names, to: step.newName ?? property, as: .converted, in: entity)
    default: move(names, to: step.newName ?? property, as: .moved, in: entity)
    }
  }

  private mutating func follow(_ step: PlannedStep, ofEntity entity: Int) {
    let name = step.object
    switch step.verb {
    case "drop":
      entities[entity].after = nil
      placeByName[name] = nil
      origins[entity] = [:]
    case "rename":
      entities[entity].after = step.newName
      placeByName[name] = nil
      if let newName = step.newName { placeByName[newName] = entity }
    default: break
    }
  }

  /// Makes properties of others; names without an entity are of the same one.
  private mutating func move(
    _ names: [(entity: String, property: String?)], to newNames: String,
    as change: PlanPicture.Origin.Change, in entity: Int
  ) {
    var places: [PlanPicture.Place] = []
    var farthest = change
    for name in names {
      guard let property = name.property else { continue }
      let origin = take(property, from: place(of: name.entity))
      places += origin.places.filter { !places.contains($0) }
      if origin.change.rawValue > farthest.rawValue { farthest = origin.change }
    }
    for name in newNames.split(separator: ", ").map(String.init) {
      let parts = name.separated.first
      let owner = parts?.property == nil ? entity : place(of: parts?.entity ?? name)
      origins[owner][parts?.property ?? name] = .init(places: places, change: farthest)
    }
  }

  /// Removes a present property and returns where it came from.
  private mutating func take(_ property: String, from entity: Int) -> PlanPicture.Origin {
    if let origin = origins[entity].removeValue(forKey: property) { return origin }
    entities[entity].sources.append(property)
    let place = PlanPicture.Place(
      entity: entity, property: entities[entity].sources.count - 1)
    return .init(places: [place], change: .renamed)
  }

  private mutating func place(of name: String, isNew: Bool = false) -> Int {
    if let place = placeByName[name] { return place }
    placeByName[name] = entities.count
    entities.append(.init(before: isNew ? nil : name, after: name))
    origins.append([:])
    return entities.count - 1
  }

  func finish() -> [PlanPicture.Entity] {
    zip(entities, origins).map { entity, origins in
      var entity = entity
      entity.targets = origins.map { PlanPicture.Target(name: $0.key, origin: $0.value) }
        .sorted { $0.rank < $1.rank }
      return entity
    }
  }
}

extension PlanPicture.Target {
  /// What comes from the first sources stands first, what comes from nowhere last.
  fileprivate var rank: (Int, Int, String) {
    (origin.places.first?.property ?? .max, origin.change.rawValue, name)
  }
}

extension PlannedStep {
  fileprivate var addsEntity: Bool { verb == "add" && !object.contains(".") }
}

extension String {
  /// `A.x, B.y` as the names of entities and properties.
  fileprivate var separated: [(entity: String, property: String?)] {
    split(separator: ", ").map { path in
      let parts = path.split(separator: ".", maxSplits: 1)
      return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }
  }
}
