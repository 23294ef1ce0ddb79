import StoreModel

extension SourceLint {
  /// Mistakes in the migration plans.
  var planFindings: [SourceFinding] {
    source.plans.flatMap { missingVersions(in: $0) + missingStages(in: $0) + refusals(in: $0) }
  }

  /// Versions that have classes in common with a plan's versions, and aren't in the plan.
  private func missingVersions(in plan: SourcePlan) -> [SourceFinding] {
    let family = source.families.first { $0.contains { plan.versions.contains($0.name) } } ?? []
    let elsewhere = Set(source.plans.flatMap(\.versions))
    var findings = family.filter { !elsewhere.contains($0.name) }.map {
      SourceFinding(
        .error, .versionNotInPlan, at: $0.place, $0.name,
        "'\($0.name)' isn't in the 'schemas' of '\(plan.name)': the app can't open its stores")
    }
    let known = Dictionary(
      source.versions.map { ($0.name, $0.numbers) }, uniquingKeysWith: { first, _ in first })
    for (one, next) in zip(plan.versions, plan.versions.dropFirst()) {
      guard let from = known[one], let to = known[next], to.lexicographicallyPrecedes(from) else {
        continue
      }
      findings.append(
        SourceFinding(
          .error, .planOrder, at: plan.place, plan.name,
          "'\(one)' is before '\(next)' in '\(plan.name)', and has the newer 'versionIdentifier'"))
    }
    return findings
  }

  /// Consecutive versions without a stage between them, and stages between others.
  private func missingStages(in plan: SourcePlan) -> [SourceFinding] {
    let pairs = zip(plan.versions, plan.versions.dropFirst()).map { [$0, $1] }
    let missing = pairs.filter { pair in !plan.stages.contains { [$0.from, $0.to] == pair } }.map {
      SourceFinding(
        .error, .missingStage, at: plan.place, plan.name,
        "'\(plan.name)' has no stage from '\($0[0])' to '\($0[1])'")
    }
    let extra = plan.stages.filter { !pairs.contains([$0.from, $0.to]) }.map {
      SourceFinding(
        .error, .strayStage, at: $0.place, plan.name,
        "the stage from '\($0.from)' to '\($0.to)' isn't between consecutive versions of "
          + "'\(plan.name)'")
    }
    return missing + extra
  }

  /// What Core Data would refuse in the stages of a plan.
  private func refusals(in plan: SourcePlan) -> [SourceFinding] {
    plan.stages.flatMap { stage -> [SourceFinding] in
      guard let from = versions.first(where: { $0.version.name == stage.from })?.model,
        let to = versions.first(where: { $0.version.name == stage.to })?.model,
        from.isKnown, to.isKnown
      else { return [] }
      let origins = to.model.origins(in: from.model)
      return to.model.entities.flatMap { entity -> [SourceFinding] in
        guard let former = origins[entity.name].flatMap({ from.model[$0] }) else { return [] }
        let names = entity.origins(in: former)
        return entity.properties.filter(\.isStored).flatMap { property in
          let old = names[property.name].flatMap { former[$0] }
          return refusals(of: property, in: entity, formerly: old, stage, to)
        }
      }
    }
  }

  private func refusals(
    of property: Property, in entity: Entity, formerly old: Property?,
    _ stage: SourcePlan.Stage, _ model: SourceModel
  ) -> [SourceFinding] {
    let object = "\(entity.name).\(property.name)"
    let hasDefault = model.computedDefaults.contains(object)
    guard let (rule, change) = Self.refusal(old, property, object, hasDefault),
      // A custom stage may give values before Core Data asks for them.
      rule != .mandatoryWithoutDefault || !stage.isCustom
    else { return [] }
    return [
      SourceFinding(
        .error, rule, at: model.places[object] ?? stage.place, object,
        "the stage from '\(stage.from)' to '\(stage.to)' at \(stage.place) \(change): Core Data "
          + "refuses it" + (rule == .mandatoryWithoutDefault ? " if there are rows" : ""))
    ]
  }

  /// Returns what Core Data refuses in the change of a property, or `nil`.
  private static func refusal(
    _ old: Property?, _ new: Property, _ object: String, _ hasDefault: Bool
  ) -> (rule: SourceRule, change: String)? {
    switch (old, new) {
    case (nil, .attribute(let new)):
      return new.needsValue && !hasDefault
        ? (.mandatoryWithoutDefault, "adds the mandatory '\(object)' without a default value")
        : nil
    case (nil, .relationship(let new)):
      return new.isOptional || new.isToMany
        ? nil : (.mandatoryWithoutDefault, "adds the mandatory relationship '\(object)'")
    case (.attribute(let old)?, .attribute(let new)):
      if old.storedTypes != new.storedTypes {
        return (
          .typeChanged,
          "changes the type of '\(object)' from \(old.type.name) to \(new.type.name)"
        )
      }
      return old.isOptional && new.needsValue && !hasDefault
        ? (.mandatoryWithoutDefault, "makes '\(object)' mandatory without a default value") : nil
    case (.relationship(let old)?, .relationship(let new)):
      return old.isToMany && !new.isToMany
        ? (.manyToOne, "makes the to-many relationship '\(object)' to-one") : nil
    case (.attribute?, .relationship): return (.typeChanged, "makes '\(object)' a relationship")
    case (.relationship?, .attribute): return (.typeChanged, "makes '\(object)' an attribute")
    case (.fetched?, _), (_, .fetched): return nil
    }
  }
}

extension Attribute {
  /// Whether a row must have a value that the model doesn't give.
  fileprivate var needsValue: Bool { !isOptional && !isTransient && defaultValue == nil }

  /// The types of the columns, by their names in a composite attribute.
  fileprivate var storedTypes: [[String]: AttributeType] {
    guard type == .composite else { return [[]: type] }
    // The only leaf of an enum has the name of the property, which may have been renamed.
    if elements.count == 1, elements[0].name == name { return [["rawValue"]: elements[0].type] }
    return Dictionary(
      leaves.map { (Array($0.path.dropFirst()), $0.attribute.type) },
      uniquingKeysWith: { first, _ in first })
  }
}
