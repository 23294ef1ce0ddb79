import StoreFormat
import StoreModel

/// A migration inferred from two models, as Core Data infers lightweight migrations.
///
/// Equal names are kept, renaming identifiers are followed, and new attributes get their defaults.
/// What the models don't determine becomes an open question; nothing is guessed.
package struct InferredMigration: Hashable, Sendable {
  /// The migration, without the open questions.
  package let migration: Migration

  /// The decisions that remain.
  package let openQuestions: [OpenQuestion]

  /// The decisions about properties that become unique, which only equal rows need.
  package let uniquenessQuestions: [OpenQuestion]

  /// The pairs of a dropped and an added property that may be one property.
  package let possibleRenames: [PossibleRename]

  /// The entities and properties that the migration drops, in the names of the source.
  package var drops: [Drop] {
    var origins: [String: String] = [:]
    return migration.steps.compactMap { step in
      switch step {
      case .renameEntity(let old, let new):
        origins[new] = old
        return nil
      case .dropEntity(let name): return .entity(name)
      case .drop(let path):
        return .property(
          PropertyPath(entity: origins[path.entity] ?? path.entity, property: path.property))
      default: return nil
      }
    }
  }

  /// What a migration drops.
  package enum Drop: Hashable, Sendable {
    case entity(String)
    case property(PropertyPath)

    /// The entity or property, as plans name it.
    package var object: String {
      switch self {
      case .entity(let name): name
      case .property(let path): path.description
      }
    }
  }

  /// Infers the migration from one version to another.
  package init(from source: ModelVersion, to target: ModelVersion) {
    var inference = Inference(source: source.model, target: target.model)
    inference.compareEntities()
    migration = Migration(
      app: target.app, from: source.name, to: target.name,
      note: "inferred from the two models", steps: inference.steps)
    openQuestions = inference.questions
    uniquenessQuestions = inference.uniquenessQuestions
    possibleRenames = inference.possibleRenames
  }

  /// Infers the migration from one version to another, if this tool can make it.
  ///
  /// - Parameters:
  ///   - source: The store's version.
  ///   - target: The new version.
  /// - Returns: The migration, which may leave questions open.
  /// - Throws: ``VersionError/onlyApp(from:to:_:)``.
  /// - Complexity: O(*n*²) in the number of entities.
  package static func possible(
    from source: ModelVersion, to target: ModelVersion
  ) throws(VersionError) -> InferredMigration {
    let changes = UnsupportedChange.all(from: source.model, to: target.model)
    guard changes.isEmpty else {
      throw .onlyApp(from: source.name, to: target.name, changes)
    }
    return InferredMigration(from: source, to: target)
  }
}

/// Collects steps and questions, entity by entity.
private struct Inference {
  let source: Model
  let target: Model
  var steps: [Step] = []
  var questions: [OpenQuestion] = []
  var uniquenessQuestions: [OpenQuestion] = []
  var possibleRenames: [PossibleRename] = []

  /// Attributes that moved in their hierarchy, under both paths.
  private var moved: Set<PropertyPath> = []

  init(source: Model, target: Model) {
    self.source = source
    self.target = target
  }

  mutating func compareEntities() {
    let origins = target.origins(in: source)
    let carried = Set(origins.values)
    let moves = MovedAttributes(from: source, to: target, origins: origins)
    moved = moves.paths
    steps += moves.stepsBeforeDrops
    for entity in source.entities where !carried.contains(entity.name) {
      steps.append(.dropEntity(entity.name))
    }
    for entity in target.entities {
      guard let origin = origins[entity.name] else {
        steps.append(.addEntity(entity.name))
        continue
      }
      if origin != entity.name { steps.append(.renameEntity(origin, to: entity.name)) }
    }
    steps += moves.steps
    for entity in target.entities {
      guard let origin = origins[entity.name].flatMap({ source[$0] }) else { continue }
      compareProperties(of: origin, with: entity)
    }
  }

  private mutating func compareProperties(of old: Entity, with new: Entity) {
    let origins = new.origins(in: old)
    // Former names, by the new ones, of what didn't move.
    var carried: [String: String] = [:]
    var added: [Property] = []
    let former = Dictionary(old.properties.map { ($0.name, $0) }) { first, _ in first }
    for property in new.properties where property.isStored {
      let path = PropertyPath(entity: new.name, property: property.name)
      guard !moved.contains(path) else { continue }
      guard let name = origins[property.name], let before = former[name],
        !moved.contains(PropertyPath(entity: new.name, property: name))
      else {
        add(property, at: path, inRowsOf: old.name)
        added.append(property)
        continue
      }
      carried[property.name] = name
      if name != property.name {
        steps.append(
          .rename(PropertyPath(entity: new.name, property: name), to: property.name))
      }
      compare(before, of: old.name, with: property, at: path)
    }
    askAboutUniqueness(of: new, carrying: carried, of: old)
    var dropped: [Property] = []
    let kept = Set(carried.values)
    for property in old.properties where property.isStored && !kept.contains(property.name) {
      let path = PropertyPath(entity: new.name, property: property.name)
      guard !moved.contains(path) else { continue }
      steps.append(.drop(path))
      dropped.append(property)
    }
    possibleRenames += PossibleRename.pairs(dropped: dropped, of: old, added: added, to: new)
  }

  private mutating func add(
    _ property: Property, at path: PropertyPath, inRowsOf entity: String
  ) {
    switch property {
    case .attribute(let attribute):
      let isFilled = attribute.leaves.allSatisfy {
        attribute.isOptional || attribute.canStart(with: $0.attribute)
      }
      if isFilled {
        steps.append(.add(path, value: nil))
      } else {
        let isUUID = attribute.type == .uuid
        let form = attribute.type.valueForm
        ask(
          path, "it is a new mandatory \(attribute.type.name) without a default", .all(of: entity),
          isUUID ? Step.newUUID(path).text : #"{ "add": "\#(path)", "default": \#(form) }"#,
          hint: isUUID ? "'new-uuid' makes a UUID for each row" : nil)
      }
    case .relationship: steps.append(.add(path, value: nil))
    case .fetched: break
    }
  }

  private mutating func compare(
    _ old: Property, of entity: String, with new: Property, at path: PropertyPath
  ) {
    let source = PropertyPath(entity: entity, property: old.name)
    switch (old, new) {
    case (.attribute(let before), .attribute(let after)):
      if let leaves = before.leafChanges(to: after) {
        addLeaves(leaves.added, of: after, at: path, inRowsOf: entity)
        for leaf in leaves.dropped {
          steps.append(
            .drop(PropertyPath(entity: path.entity, property: leaf.cellName(under: path.property))))
        }
      } else if !before.isCarried(to: after) {
        let change = AttributeChange(source: source, path: path, old: before, new: after)
        let reason =
          before.type == after.type
          ? "the parts of its value change"
          : "it changes from \(before.type.name) to \(after.type.name)"
        ask(path, reason, .having(source), change.example, change: change)
      } else if before.isOptional && !after.isOptional && after.type != .composite {
        makeMandatory(after, at: path, from: source)
      }
    case (.relationship(let before), .relationship(let after)):
      relink(before, to: after, at: path, of: entity)
    default:
      ask(
        path, "it changes from \(old.kind) to \(new.kind)", .having(source),
        Self.replacement(of: path))
    }
  }

  private mutating func addLeaves(
    _ leaves: [AttributeLeaf], of attribute: Attribute, at path: PropertyPath,
    inRowsOf entity: String
  ) {
    for leaf in leaves {
      let leafPath = PropertyPath(
        entity: path.entity, property: leaf.cellName(under: path.property))
      if attribute.canStart(with: leaf.attribute) {
        steps.append(.add(leafPath, value: nil))
      } else {
        let form = leaf.attribute.type.valueForm
        ask(
          leafPath, "it is a new mandatory \(leaf.attribute.type.name) without a default",
          .all(of: entity), #"{ "add": "\#(leafPath)", "default": \#(form) }"#)
      }
    }
  }

  /// Keeps the links if they are stored in another way; which of several stays is a question.
  private mutating func relink(
    _ old: Relationship, to new: Relationship, at path: PropertyPath, of entity: String
  ) {
    if old.isToMany && !new.isToMany {
      ask(
        path, "it changes from to-many to to-one", .all(of: entity),
        Step.relink(path, keep: .first).text, hint: "'relink' keeps one link of each row")
    } else if new.storesLinksElsewhere(than: old) {
      steps.append(.relink(path, keep: nil))
    }
  }

  private mutating func makeMandatory(
    _ attribute: Attribute, at path: PropertyPath, from source: PropertyPath
  ) {
    if let value = attribute.defaultValue {
      steps.append(.backfill(path, from: .value(value), where: .null))
    } else {
      let form = attribute.type.valueForm
      ask(
        path, "it becomes a mandatory \(attribute.type.name) without a default", .lacking(source),
        #"{ "backfill": "\#(path)", "where": "null", "value": \#(form) }"#)
    }
  }

  /// Asks about each new constraint over properties whose values stay as they are.
  private mutating func askAboutUniqueness(
    of new: Entity, carrying names: [String: String], of old: Entity
  ) {
    for constraint in new.uniquenessConstraints {
      let sources = constraint.compactMap { name in
        names[name].flatMap { old[$0] }.flatMap { $0.isCarried(to: new[name]) ? $0.name : nil }
      }
      guard sources.count == constraint.count, !sources.isEmpty,
        !old.uniquenessConstraints.contains(where: { Set($0) == Set(sources) })
      else { continue }
      let union = RowUnion(
        entity: new.name,
        by: constraint.map { Formula(naming: $0, isLink: new[$0]?.isLink == true) },
        keep: .first, links: .merge, comparison: .exact)
      uniquenessQuestions.append(
        OpenQuestion(
          object: new.name,
          reason: "it becomes unique by \(constraint.joined(separator: ", "))",
          rows: .repeating(
            sources.map { PropertyPath(entity: old.name, property: $0) }, of: old.name),
          example: Step.unite(union).text,
          hint: "'unite' removes the rows that equal another"))
    }
  }

  private mutating func ask(
    _ path: PropertyPath, _ reason: String, _ rows: OpenQuestion.Rows, _ example: String,
    hint: String? = nil, change: AttributeChange? = nil
  ) {
    questions.append(
      OpenQuestion(
        object: path.description, reason: reason, rows: rows, example: example, hint: hint,
        change: change))
  }

  /// The steps that begin a property without the values of the old one.
  private static func replacement(of path: PropertyPath) -> String {
    #"{ "drop": "\#(path)" }, { "add": "\#(path)" }"#
  }
}
