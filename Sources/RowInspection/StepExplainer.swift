import JSONText
import SQLite
import Migrations
import StoreModel

/// What a step does to the row.
struct StepEffect {
  var rule: String

  /// The properties that it reads, in the names before the migration.
  var read: [String] = []

  /// The properties that it sets, in the names after the migration.
  var made: [String] = []

  /// The properties that it removes, in the names before the step.
  var gone: [String] = []

  /// The properties that it reads, in the names before the step.
  var followed: [String] = []

  /// The properties that it sets, in the names after the step.
  var results: [String] = []

  /// A Boolean value indicating whether a backfill keeps the value that is there.
  var isKept = false
}

extension StepEffect {
  fileprivate init(_ split: EntitySplit) {
    let names = split.attributes.map(\.name)
    self.init(rule: "", gone: names, followed: names, results: [split.link])
  }

  fileprivate init(_ inline: EntityInline) {
    let name = inline.path.property
    self.init(
      rule: "", gone: [name], followed: [name], results: inline.attributes.map(\.newName))
  }
}

/// Applies the steps of one migration to one row.
///
/// Between two steps of a migration there is no version, so a step is explained by the contents
/// before and after the whole migration.
struct StepExplainer {
  let steps: [Step]
  let before: RowStage
  let after: RowStage
  let lostSteps: Set<String>
  let migration: Migration

  /// For each dropped property, which values of its leaves are insignificant.
  let insignificantValues: [PropertyPath: [InsignificantValues]]

  /// Where the owner of rows comes from, in words.
  let owner: String

  /// What steps that remove rows do to this one, by the index of the step.
  let removalRules: [Int: String]

  /// The names before the migration, by name after the steps so far.
  ///
  /// Properties that the migration created are missing.
  private var oldNames: [String: String]

  init(
    steps: [Step], before: RowStage, after: RowStage, lostSteps: Set<String>,
    migration: Migration, insignificantValues: [PropertyPath: [InsignificantValues]], owner: String,
    removalRules: [Int: String]
  ) {
    self.steps = steps
    self.before = before
    self.after = after
    self.lostSteps = lostSteps
    self.migration = migration
    self.insignificantValues = insignificantValues
    self.owner = owner
    self.removalRules = removalRules
    oldNames = Dictionary(
      before.properties.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Applies the next step to the row.
  mutating func effect(ofStep place: Int) -> StepEffect {
    var effect = bare(steps[place])
    if case .split = steps[place] {
      // The row's entity may be none of those that get the value.
      effect.results.removeAll { name in
        finalName(of: name, after: place).map { !after.properties.contains($0) } ?? true
      }
    }
    effect.read = effect.followed.compactMap(oldName)
    if case .backfill(let path, _, _) = steps[place], let old = oldNames[path.property],
      !effect.read.contains(old)
    {
      effect.read.insert(old, at: 0)
    }
    effect.made = effect.results.compactMap { finalName(of: $0, after: place) }
    complete(&effect, steps[place])
    effect.rule = removalRules[place] ?? effect.rule
    let old = effect.gone.map { oldNames.removeValue(forKey: $0) }
    if case .rename = steps[place], let name = effect.results.first {
      oldNames[name] = old.first ?? nil
    }
    return effect
  }

  /// Returns the name before the migration; of a leaf, with that of its composite.
  private func oldName(of name: String) -> String? {
    let (whole, leaf) = (name.prefix { $0 != "." }, name.drop { $0 != "." })
    return oldNames[name] ?? (leaf.isEmpty ? nil : oldNames[String(whole)].map { $0 + leaf })
  }

  /// Returns the names before and after a step, without its rule.
  private func bare(_ step: Step) -> StepEffect {
    switch step {
    case .addEntity, .dropEntity, .renameEntity: return StepEffect(rule: "")
    case .add(let path, _): return StepEffect(rule: "", results: [path.property])
    case .drop(let path):
      return StepEffect(rule: "", gone: [path.property], followed: [path.property])
    case .rename(let path, let name):
      return StepEffect(rule: "", gone: [path.property], followed: [path.property], results: [name])
    case .convert(let conversion):
      return StepEffect(
        rule: "", gone: conversion.inputs, followed: conversion.inputs, results: conversion.outputs)
    case .merge(let paths, let path):
      let names = paths.map(\.property)
      return StepEffect(rule: "", gone: names, followed: names, results: [path.property])
    case .split(let path, let paths):
      return StepEffect(
        rule: "", gone: [path.property], followed: [path.property],
        results: paths.map(\.property).unique)
    case .backfill(let path, let source, _):
      let sources: [String] =
        switch source {
        case .attribute(let name, _), .matching(_, let name): [name]
        case .option, .value: []
        }
      return StepEffect(rule: "", followed: sources, results: [path.property])
    case .compute(let path, let formula, _):
      return StepEffect(rule: "", followed: names(in: formula), results: [path.property])
    case .newUUID(let path), .sequence(let path, _):
      return StepEffect(rule: "", results: [path.property])
    case .map(let path, _), .retype(let path, _), .relink(let path, _):
      return StepEffect(rule: "", followed: [path.property], results: [path.property])
    case .splitEntity(let split): return StepEffect(split)
    case .inline(let inline): return StepEffect(inline)
    case .require, .deleteRows, .unite: return StepEffect(rule: "")
    }
  }

  /// Returns the properties that a formula reads, in the names before the step.
  private func names(in formula: Formula) -> [String] {
    var links: [String: [String]] = [:]
    for case (let name, .link(let entity, _)) in before.contents {
      links[name] = before.version.model.attributeNames(of: entity)
    }
    let names = Set(oldNames.keys).union(after.properties).subtracting(links.keys)
    return formula.names(
      among: names.union(migration.constants.keys).sorted(), linkedTo: links)
  }

  /// Returns a property's name after the migration, by its name after a step.
  ///
  /// - Returns: The name; `nil` if a later step removes the property.
  private func finalName(of property: String, after place: Int) -> String? {
    var name = property
    for step in steps[(place + 1)...] {
      switch step {
      case .rename(let path, let newName)
      where name == path.property || name.hasPrefix(path.property + "."):
        name = newName + name.dropFirst(path.property.count)
      case .drop(let path) where path.property == name: return nil
      case .convert(let conversion) where conversion.inputs.contains(name):
        guard conversion.outputs.contains(name) else { return nil }
      default: continue
      }
    }
    return name
  }
}

// MARK: - Rules

extension StepExplainer {
  private func complete(_ effect: inout StepEffect, _ step: Step) {
    switch step {
    case .addEntity, .renameEntity, .rename, .merge, .newUUID, .require, .deleteRows, .unite,
      .sequence, .relink, .splitEntity, .inline:
      effect.rule = step.rule
    case .compute(let path, _, _), .map(let path, _), .retype(let path, _):
      effect.rule = rule(ofReplacing: path, by: step, effect)
    case .dropEntity: effect.rule = "the row has no place in \(migration.to)"
    case .add:
      effect.rule =
        isNothing(effect.made, in: after)
        ? "new, without a value" : "new, with the same value in every row"
    case .drop(let path): effect.rule = rule(ofDropping: path)
    case .split(let path, _):
      effect.rule = effect.results.isEmpty ? rule(ofDropping: path) : step.rule
    case .convert(let conversion):
      effect.rule = ([conversion.converter.name] + [kind(of: conversion)].compactMap(\.self))
        .joined(separator: ": ")
    case .backfill(let path, let source, let condition):
      effect.isKept = condition != nil && isKept(path.property, effect)
      effect.rule = effect.isKept ? "kept: it has a value" : rule(ofFillingFrom: source, condition)
    }
  }

  private func rule(
    ofReplacing path: PropertyPath, by step: Step, _ effect: StepEffect
  ) -> String {
    var rule = step.rule
    if case .retype = step, !isNothing(effect.read, in: before), isNothing(effect.made, in: after) {
      rule = "can't be " + rule
    }
    return isLost(path) ? rule + "; the old value can't be restored" : rule
  }

  private func isNothing(_ names: [String], in stage: RowStage) -> Bool {
    names.flatMap { stage.leaves(of: $0) }.allSatisfy { stage.contents[$0]?.isNothing ?? true }
  }

  /// Whether the row loses its value of a property by a step.
  private func isLost(_ path: PropertyPath) -> Bool {
    lostSteps.contains("\(migration.name):\(path)")
  }

  private func rule(ofDropping path: PropertyPath) -> String {
    if isLost(path) {
      return "lost: it has no place in \(migration.to)"
    }
    let leaves = oldName(of: path.property).map { before.leaves(of: $0) } ?? []
    if leaves.allSatisfy({ before.contents[$0]?.isNothing ?? true }) {
      return "no value to lose"
    }
    let insignificant = insignificantValues[path] ?? []
    let isInsignificant =
      insignificant.count == leaves.count
      && zip(leaves, insignificant).allSatisfy { leaf, insignificant in
        guard case .value(let value, _) = before.contents[leaf] else { return false }
        return insignificant.covers(value)
      }
    return isInsignificant
      ? "nothing is lost: the value is insignificant"
      : "not lost: the target has the value elsewhere"
  }

  private func rule(
    ofFillingFrom source: BackfillSource, _ condition: BackfillCondition?
  ) -> String {
    let filled =
      switch source {
      case .attribute(let name, nil): "from '\(name)'"
      case .attribute(let name, let converter?): "from '\(name)' by \(converter.name)"
      case .matching(let attribute, let name):
        "the row whose '\(attribute)' is '\(name)', if there is one"
      case .option: owner
      case .value: "the value that the migration gives"
      }
    return condition.map { "filled, because it is \($0.rawValue): \(filled)" } ?? filled
  }

  private func isKept(_ property: String, _ effect: StepEffect) -> Bool {
    guard let old = oldNames[property], let new = effect.made.first,
      let content = before.contents[old], !content.isNothing
    else { return false }
    return content.holdsSame(as: after.contents[new])
  }

  /// The class of a conversion's result for the row.
  ///
  /// `nil` if an input isn't a value from before the migration, or if the conversion fails.
  private func kind(of conversion: Conversion) -> String? {
    var values: [Value] = []
    for input in conversion.inputs {
      guard let leaf = oldNames[input].map({ before.leaves(of: $0) })?.first,
        case .value(let value, _) = before.contents[leaf]
      else { return nil }
      values.append(value)
    }
    var payloads = PayloadConverter()
    return try? conversion.converter.convert(values, using: &payloads).kind
  }
}

extension Model {
  /// The names of an entity's attributes and their leaves, as formulas have them.
  fileprivate func attributeNames(of entity: String) -> [String] {
    properties(of: entity).flatMap { property -> [String] in
      guard case .attribute(let attribute) = property else { return [] }
      return attribute.leaves.map(\.cellName)
    }
  }
}
