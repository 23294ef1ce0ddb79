import StoreModel

extension Lineage {
  /// A step that changes how many rows a relationship leads to.
  package struct Relink: Hashable, Sendable {
    /// The migration.
    package let migration: String

    /// The relationship, by its names before the step.
    package let path: PropertyPath

    /// The relationship of the source that has the links.
    package let source: PropertyPath

    /// Whether the step is about the inverse of that relationship.
    package let isInverse: Bool

    /// Which linked row stays linked; `nil` if all do.
    package let keep: RowUnion.Keep?

    /// The value by which it is chosen; `nil` if the key counts.
    package let order: Computation?

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(path)" }
  }

  /// What a migration does to the number of a relationship's links.
  enum Relinking: Hashable, Sendable {
    case keepsAll
    case keepsOne
  }

  /// Notes the names that relationships have before a migration.
  mutating func beginRelinking() {
    for (name, entity) in entities {
      for relationship in entity.relationships.keys {
        entities[name]?.relationships[relationship]?.before = relationship
        entities[name]?.relationships[relationship]?.relinking = nil
      }
    }
  }

  /// Notes a step that relinks; the models say what it changes.
  mutating func relink(
    _ path: PropertyPath, keep: RowUnion.Keep?, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let entity = try entity(path.entity, in: context)
    guard let lineage = entity.relationships[path.property] else {
      throw .unknownProperty(path, in: context.migration, known: entity.relationships.keys.sorted())
    }
    guard let before = context.relationship(lineage, of: names.source(path.entity)) else {
      throw .notRelinkable(path, reason: "it is new; remove the step", in: context.migration)
    }
    guard lineage.made == nil else {
      throw .notRelinkable(
        path, reason: "its links are made by 'split' in the same run; migrate in two runs",
        in: context.migration)
    }
    guard lineage.relinking == nil else {
      throw .notRelinkable(
        path, reason: "another step does already; remove one", in: context.migration)
    }
    let destination = presentName(of: before.destinationName, names)
    let order = try keep?.formula.map { (formula) throws(LineageError) in
      try value(of: formula, destination, in: context, names: names)
    }
    entities[path.entity]?.relationships[path.property]?.relinking =
      keep == nil ? .keepsAll : .keepsOne
    entities[path.entity]?.relationships[path.property]?.isRelinked = true
    let inverse = inverse(of: before, in: context, names: names)
    // A link that the step leaves out is gone from both sides.
    if let inverse { entities[inverse.entity]?.relationships[inverse.property]?.isRelinked = true }
    let own = sourcePath(of: path)
    guard let source = own ?? inverse.flatMap(sourcePath) else { return }
    relinks.append(
      Relink(
        migration: context.migration, path: path, source: source, isInverse: own == nil,
        keep: keep, order: order))
  }

  /// Returns the present name of an entity of the migration's source.
  func presentName(of source: String, _ names: TargetNames) -> String {
    // A new entity may have the old name of one that was renamed.
    entities.keys.first { $0 != source && names.source($0) == source } ?? source
  }

  /// Returns the present path of a relationship's inverse; `nil` if it has none.
  private func inverse(
    of before: Relationship, in context: StepContext, names: TargetNames
  ) -> PropertyPath? {
    guard let name = before.inverseName,
      let inverse = context.source.relationship(named: name, of: before.destinationName)
    else { return nil }
    for (present, entity) in entities where names.source(present) == inverse.entity {
      for (relationship, lineage) in entity.relationships where lineage.before == name {
        return PropertyPath(entity: present, property: relationship)
      }
    }
    return nil
  }

  /// Returns the source's relationship for a present one; `nil` if it is new.
  private func sourcePath(of path: PropertyPath) -> PropertyPath? {
    guard let entity = entities[path.entity], let source = entity.source,
      let old = entity.relationships[path.property]?.source
    else { return nil }
    return PropertyPath(entity: source, property: old.name)
  }
}

// MARK: - Checking

extension Lineage {
  /// Checks that each relationship whose links are stored in another way has a step, and no other.
  func checkLinks(
    of lineage: EntityLineage, _ entity: Entity, _ context: StepContext, _ names: TargetNames
  ) throws(LineageError) {
    for after in entity.relationships where !after.isTransient {
      guard let link = lineage.relationships[after.name],
        let before = context.relationship(link, of: names.source(entity.name))
      else { continue }
      let path = PropertyPath(entity: entity.name, property: after.name)
      guard let relinking = link.relinking else {
        if after.storesLinksElsewhere(than: before) {
          let isToMany = before.isToMany == after.isToMany ? nil : after.isToMany
          throw .cardinality(path, isToMany: isToMany, in: context.migration)
        }
        continue
      }
      if let reason = refusal(of: relinking, before, after, in: context) {
        throw .notRelinkable(path, reason: reason, in: context.migration)
      }
    }
  }

  /// Returns why a step can't relink a relationship; `nil` if it can.
  private func refusal(
    of relinking: Relinking, _ before: Relationship, _ after: Relationship,
    in context: StepContext
  ) -> String? {
    guard after.storesLinksElsewhere(than: before) else {
      return "it is \(after.isToMany ? "to-many" : "to-one") in both versions; remove the step"
    }
    if before.isOwnInverse(in: context.source) || after.isOwnInverse(in: context.target) {
      return "it is its own inverse; drop it, and add it again"
    }
    switch (relinking, after.isToMany) {
    case (.keepsAll, false):
      return "it becomes to-one; say by 'keep' which of the linked rows stays linked"
    case (.keepsOne, true): return "it becomes to-many, so every link stays; remove 'keep'"
    default: return nil
    }
  }
}

extension StepContext {
  /// Returns a relationship as it is before the migration; `nil` if it is new.
  func relationship(
    _ lineage: Lineage.RelationshipLineage, of entity: String
  ) -> Relationship? {
    guard let name = lineage.before, case .relationship(let found) = source[entity]?[name] else {
      return nil
    }
    return found
  }
}

extension Relationship {
  /// Returns whether the file has the links in another place than those of an earlier version.
  func storesLinksElsewhere(than before: Relationship) -> Bool {
    // Without an inverse, the links of a to-many relationship are in a column of their own.
    isToMany != before.isToMany || isToMany && (inverseName == nil) != (before.inverseName == nil)
  }

  /// Returns whether the relationship leads to rows that lead back by the relationship itself.
  fileprivate func isOwnInverse(in model: Model) -> Bool {
    inverseName == name
      && model.relationship(named: name, of: destinationName)?.relationship == self
  }
}
