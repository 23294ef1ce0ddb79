import SQLite
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Tells a row's way through the steps of a plan.
///
/// What the row is at each version was computed by the code that apply runs; here only the steps
/// between are put to it, and the names are followed.
struct RowStory {
  let rows: RowStages
  let stages: [RowStage]

  /// The steps by which the row loses a value.
  let lostSteps: Set<String>

  /// A Boolean value indicating whether it is known who rows belong to.
  let hasOwner: Bool
  let mask: ValueMask

  /// For each property, under its present name.
  ///
  /// The source's properties that it is made of, and the rules that made it so.
  private var properties: [String: Trail] = [:]

  private var events: [Explanation.Event] = []
  private var dropped: [Explanation.Fate] = []

  struct Trail {
    var origins: [String]
    var rules: [String] = []
  }

  init(
    rows: RowStages, stages: [RowStage], lostSteps: Set<String>, hasOwner: Bool, mask: ValueMask
  ) {
    self.rows = rows
    self.stages = stages
    self.lostSteps = lostSteps
    self.hasOwner = hasOwner
    self.mask = mask
    for name in stages[0].properties { properties[name] = Trail(origins: [name]) }
  }

  private var route: Route { rows.planner.route }

  mutating func told(path: String) -> Explanation {
    for (place, migration) in route.migrations.enumerated() where stages[place].entity != nil {
      let steps = route.lineage.steps.filter { traced in
        traced.migration == migration.name
          && traced.source.map { route.source.model.inherits(rows.row.entity, from: $0) } == true
      }
      tell(steps.map(\.step), in: migration, from: stages[place], to: stages[place + 1])
    }
    let last = stages[stages.count - 1]
    return Explanation(
      path: path, app: route.source.app, from: route.source.name, to: route.target.name,
      entity: rows.row.entity, key: rows.row.key, newEntity: last.entity, events: events,
      fates: fates(in: last), outcome: nil)
  }

  private mutating func tell(
    _ steps: [Step], in migration: Migration, from before: RowStage, to after: RowStage
  ) {
    var scene = RowScene(
      steps: steps, before: before, after: after, lostSteps: lostSteps,
      migration: migration, silences: silences(in: migration), owner: ownerRule)
    for (place, step) in steps.enumerated() {
      let turn = scene.turn(place)
      events.append(
        Explanation.Event(
          migration: migration.name, verb: step.verb, object: step.object, newName: step.newName,
          rule: turn.rule, before: turn.read.flatMap { parts(of: $0, in: before) },
          after: turn.made.flatMap { parts(of: $0, in: after) }))
      follow(step, turn)
    }
  }

  private func silences(in migration: Migration) -> [PropertyPath: [Silence]] {
    let dropped = route.lineage.droppedProperties.filter { $0.migration == migration.name }
    return Dictionary(
      dropped.map { ($0.path, $0.leaves.map(\.silence)) }, uniquingKeysWith: { first, _ in first })
  }

  private var ownerRule: String {
    if rows.planner.request.userID != nil { return "the value of '--user-id'" }
    return hasOwner ? "the owner of the store's one profile" : "no value: give '--user-id'"
  }

  /// Carries origins and rules on to the names that hold after a step.
  private mutating func follow(_ step: Step, _ turn: RowScene.Turn) {
    let trails = turn.followed.map { properties[$0] ?? Trail(origins: []) }
    for name in turn.gone { properties[name] = nil }
    for name in turn.results where !turn.isKept {
      properties[name] = Trail(
        origins: trails.flatMap(\.origins).unique,
        rules: trails.flatMap(\.rules).unique + [turn.rule])
    }
    if case .drop = step, let trail = trails.first {
      dropped.append(
        Explanation.Fate(
          sources: trail.origins.flatMap { parts(of: $0, in: stages[0]) }, target: nil,
          rules: trail.rules + [turn.rule]))
    }
  }

  private func fates(in last: RowStage) -> [Explanation.Fate] {
    let made = last.properties.flatMap { name -> [Explanation.Fate] in
      let trail = properties[name] ?? Trail(origins: [])
      let sources = trail.origins.flatMap { parts(of: $0, in: stages[0]) }
      return parts(of: name, in: last).map {
        Explanation.Fate(sources: sources, target: $0, rules: trail.rules)
      }
    }
    return made + dropped
  }

  /// What a property holds at a version, leaf by leaf.
  private func parts(of property: String, in stage: RowStage) -> [Explanation.Part] {
    stage.leaves(of: property).compactMap { leaf in
      guard let content = stage.contents[leaf] else { return nil }
      return Explanation.Part(
        property: leaf.withoutRepetition, content: marked(content, of: leaf, in: stage))
    }
  }

  private func marked(
    _ content: RowStage.Content, of leaf: String, in stage: RowStage
  ) -> CellDifference.Content {
    switch content {
    case .value(let value, let type):
      .value(mask.mark(of: value, named: "\(stage.entity ?? "").\(leaf)", type: type))
    case .link(_, nil): .value(.null)
    case .link(let entity, let key?): .link(entity: entity, key: key)
    }
  }
}

extension RowStage {
  /// The names of the properties, in order.
  var properties: [String] {
    contents.keys.map { name in
      name.split(separator: ".").first.map(String.init) ?? name
    }.sorted().unique
  }

  /// The leaves of a property, in order.
  func leaves(of property: String) -> [String] {
    contents.keys.filter { $0 == property || $0.hasPrefix(property + ".") }.sorted()
  }
}

extension [String] {
  /// The texts, each where it first occurs.
  var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
