import StoreMigration
import OutboxConversion
import StoreProof

/// The entities that a plan changes, before and after, with the origin of each property.
///
/// It needs only the steps, so that it works for a saved plan too.
struct PlanPicture: Hashable, Sendable {
  /// One entity.
  struct Entity: Hashable, Sendable {
    /// The name in the source; `nil` for a new entity.
    var before: String?

    /// The name in the target; `nil` for a dropped entity.
    var after: String?

    /// The number of rows that steps change.
    var rows: Int64 = 0

    /// The properties of the source that steps change, in the order of the steps.
    var sources: [String] = []

    /// The properties of the target that steps create, ordered so that few lines cross.
    var targets: [Target] = []
  }

  /// A property of the target, with its origin.
  struct Target: Hashable, Sendable {
    let name: String
    let origin: Origin
  }

  /// The position of a property of the source.
  struct PropertyIndex: Hashable, Sendable {
    /// The entity's index in ``PlanPicture/entities``.
    let entity: Int

    /// The property's index in the entity's sources.
    let property: Int
  }

  /// The origin of a property.
  struct Origin: Hashable, Sendable {
    /// The kind of change, in increasing distance from the original value.
    enum Change: Int, Hashable, Sendable {
      case renamed, moved, converted, filled, added
    }

    var sources: [PropertyIndex]
    var change: Change
  }

  /// The entities, in the order in which steps change them.
  private(set) var entities: [Entity] = []

  init(_ steps: [PlannedStep]) {
    var tracer = Tracer()
    for step in steps { tracer.follow(step) }
    entities = tracer.finish()
  }

  /// The properties of the source that no property of the target comes from.
  var lost: Set<PropertyIndex> {
    let all = entities.enumerated().flatMap { entity, value in
      value.sources.indices.map { PropertyIndex(entity: entity, property: $0) }
    }
    return Set(all).subtracting(entities.flatMap { $0.targets.flatMap(\.origin.sources) })
  }
}

/// Follows names through the steps of a plan.
private struct Tracer {
  private var entities: [PlanPicture.Entity] = []

  /// The indices of entities, by their current names.
  private var indexByName: [String: Int] = [:]

  /// The origins of each entity's current properties; empty for a dropped entity.
  private var origins: [[String: PlanPicture.Origin]] = []

  mutating func follow(_ step: PlannedStep) {
    let names = step.object.separated
    let entity = index(of: names.first?.entity ?? step.object, isNew: step.addsEntity)
    let counted =
      step.verb == "merge" ? index(of: step.newName?.separated.first?.entity ?? "") : entity
    entities[counted].rows = max(entities[counted].rows, step.rows)
    guard let property = names.first?.property else {
      follow(step, ofEntity: entity)
      return
    }
    // Properties of new entities have no line.
    if entities[entity].before == nil { return }
    switch step.verb {
    case "add", "backfill", "compute", "new-uuid":
      origins[entity][property] = .init(
        sources: [], change: step.verb == "add" ? .added : .filled)
    case "drop": _ = take(property, from: entity)
    case "rename": move(names, to: step.newName ?? property, as: .renamed, in: entity)
    case "convert", "map", "retype":
      move(names, to: step.newName ?? property, as: .converted, in: entity)
    default: move(names, to: step.newName ?? property, as: .moved, in: entity)
    }
  }

  private mutating func follow(_ step: PlannedStep, ofEntity entity: Int) {
    let name = step.object
    switch step.verb {
    case "drop":
      entities[entity].after = nil
      indexByName[name] = nil
      origins[entity] = [:]
    case "rename":
      entities[entity].after = step.newName
      indexByName[name] = nil
      if let newName = step.newName { indexByName[newName] = entity }
    default: break
    }
  }

  /// Moves properties; a name without an entity belongs to the same entity.
  private mutating func move(
    _ names: [(entity: String, property: String?)], to newNames: String,
    as change: PlanPicture.Origin.Change, in entity: Int
  ) {
    var sources: [PlanPicture.PropertyIndex] = []
    var farthest = change
    for name in names {
      guard let property = name.property else { continue }
      let origin = take(property, from: index(of: name.entity))
      sources += origin.sources.filter { !sources.contains($0) }
      if origin.change.rawValue > farthest.rawValue { farthest = origin.change }
    }
    for name in newNames.split(separator: ", ").map(String.init) {
      let parts = name.separated.first
      let owner = parts?.property == nil ? entity : index(of: parts?.entity ?? name)
      origins[owner][parts?.property ?? name] = .init(sources: sources, change: farthest)
    }
  }

  /// Removes a current property and returns its origin.
  private mutating func take(_ property: String, from entity: Int) -> PlanPicture.Origin {
    if let origin = origins[entity].removeValue(forKey: property) { return origin }
    entities[entity].sources.append(property)
    let source = PlanPicture.PropertyIndex(
      entity: entity, property: entities[entity].sources.count - 1)
    return .init(sources: [source], change: .renamed)
  }

  private mutating func index(of name: String, isNew: Bool = false) -> Int {
    if let index = indexByName[name] { return index }
    indexByName[name] = entities.count
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
  /// The sort key: by the first source; properties without a source come last.
  fileprivate var rank: (Int, Int, String) {
    (origin.sources.first?.property ?? .max, origin.change.rawValue, name)
  }
}

extension PlannedStep {
  fileprivate var addsEntity: Bool { verb == "add" && !object.contains(".") }
}

extension String {
  /// The entities and properties in a list such as `A.x, B.y`.
  fileprivate var separated: [(entity: String, property: String?)] {
    split(separator: ", ").map { path in
      let parts = path.split(separator: ".", maxSplits: 1)
      return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }
  }
}
