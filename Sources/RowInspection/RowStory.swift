import StoreMigration
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Explains what the steps of a plan do to a row.
///
/// ``RowStages`` computes the row at each version with the code that `apply` runs. This type adds
/// the steps in between, and follows the names of properties.
struct RowStory {
  let rows: RowStages
  let stages: [RowStage]

  /// The names of the steps by which the row loses a value.
  let lostSteps: Set<String>

  /// Whether the owner of rows is known.
  let hasOwner: Bool
  let mask: ValueMask

  /// What becomes of the row by steps that remove rows; `nil` if there is no such step.
  let removal: RowRemovalStory?

  /// Where each property comes from, by its name after the steps so far.
  private var properties: [String: Origins] = [:]

  private var events: [Explanation.Event] = []
  private var dropped: [Explanation.Fate] = []

  /// The source's properties that a property is made of, and the rules that were applied.
  struct Origins {
    var names: [String]
    var rules: [String] = []
  }

  init(
    rows: RowStages, stages: [RowStage], lostSteps: Set<String>, hasOwner: Bool, mask: ValueMask,
    removal: RowRemovalStory?
  ) {
    self.rows = rows
    self.stages = stages
    self.lostSteps = lostSteps
    self.hasOwner = hasOwner
    self.mask = mask
    self.removal = removal
    for name in stages[0].properties { properties[name] = Origins(names: [name]) }
  }

  private var route: Route { rows.planner.route }

  mutating func explain(_ row: ShownRow, path: String) -> Explanation {
    for (place, migration) in route.migrations.enumerated() where stages[place].entity != nil {
      let steps = route.lineage.steps.enumerated().filter { place, traced in
        traced.migration == migration.name
          && (traced.source.map { route.source.model.inherits(rows.row.entity, from: $0) } == true
            || isInlined(by: traced))
          // Nothing happens to a row after it is removed.
          && removal?.place.map { place <= $0 } ?? true
      }
      let rules = steps.enumerated().compactMap { index, step in
        isInlined(by: step.element)
          ? (index, "copied to each row that links to it, and removed")
          : removal?.rules[step.offset].map { (index, $0) }
      }
      explain(
        steps.map(\.element.step), rules: Dictionary(uniqueKeysWithValues: rules), in: migration,
        from: stages[place], to: stages[place + 1])
    }
    let last = stages[stages.count - 1]
    return Explanation(
      path: path, app: route.source.app, from: route.source.name, to: route.target.name,
      entity: rows.row.entity, key: rows.row.key, newEntity: last.entity, row: row, events: events,
      fates: fates(in: last), outcome: nil, fate: removal?.fate)
  }

  /// Returns whether a step copies the row's values to other rows.
  private func isInlined(by traced: Lineage.TracedStep) -> Bool {
    route.lineage.inlines.contains {
      $0.migration == traced.migration && $0.part == rows.row.entity
        && traced.step.verb == "inline" && traced.step.object == $0.path.description
    }
  }

  private mutating func explain(
    _ steps: [Step], rules: [Int: String], in migration: Migration, from before: RowStage,
    to after: RowStage
  ) {
    var explainer = StepExplainer(
      steps: steps, before: before, after: after, lostSteps: lostSteps,
      migration: migration, insignificantValues: insignificantValues(in: migration),
      owner: ownerRule, removalRules: rules)
    for (place, step) in steps.enumerated() {
      let effect = explainer.effect(ofStep: place)
      events.append(
        Explanation.Event(
          migration: migration.name, verb: step.verb, object: step.object, newName: step.newName,
          rule: effect.rule, before: effect.read.flatMap { parts(of: $0, in: before) },
          after: effect.made.flatMap { parts(of: $0, in: after) }))
      follow(step, effect)
    }
  }

  private func insignificantValues(
    in migration: Migration
  ) -> [PropertyPath: [InsignificantValues]] {
    let dropped = route.lineage.droppedProperties.filter { $0.migration == migration.name }
    return Dictionary(
      dropped.map { ($0.path, $0.leaves.map(\.insignificantValues)) },
      uniquingKeysWith: { first, _ in first })
  }

  private var ownerRule: String {
    if rows.planner.request.userID != nil { return "the value of '--user-id'" }
    return hasOwner ? "the owner of the store's one profile" : "no value: give '--user-id'"
  }

  /// Passes origins and rules on to the names after a step.
  private mutating func follow(_ step: Step, _ effect: StepEffect) {
    let origins = effect.followed.map {
      properties[$0] ?? Origins(names: $0.contains(".") ? effect.read : [])
    }
    for name in effect.gone { properties[name] = nil }
    for name in effect.results where !effect.isKept {
      properties[name] = Origins(
        names: origins.flatMap(\.names).unique,
        rules: origins.flatMap(\.rules).unique + [effect.rule])
    }
    switch step {
    case .drop,
      .split where effect.results.isEmpty:
      guard let origins = origins.first else { return }
      dropped.append(
        Explanation.Fate(
          sources: origins.names.flatMap { parts(of: $0, in: stages[0]) }, target: nil,
          rules: origins.rules + [effect.rule]))
    default: return
    }
  }

  private func fates(in last: RowStage) -> [Explanation.Fate] {
    let made = last.properties.flatMap { name -> [Explanation.Fate] in
      let origins = properties[name] ?? Origins(names: [])
      let sources = origins.names.flatMap { parts(of: $0, in: stages[0]) }
      return parts(of: name, in: last).map {
        Explanation.Fate(sources: sources, target: $0, rules: origins.rules)
      }
    }
    return made + dropped
  }

  /// Returns the content of a property at a version, leaf by leaf.
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
      .value(mask.fingerprint(of: value, named: "\(stage.entity ?? "").\(leaf)", type: type))
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
  /// The strings without repetitions, in the order of their first occurrence.
  var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
