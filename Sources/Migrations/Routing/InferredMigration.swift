import StoreFormat
package import StoreModel

/// A migration inferred from two models, as Core Data infers lightweight migrations.
///
/// Equal names are kept, renaming identifiers are followed, and new attributes get their defaults.
/// What the models don't determine becomes an open question; nothing is guessed.
package struct InferredMigration: Hashable, Sendable {
  /// The migration, without the open questions.
  package let migration: Migration

  /// The decisions that remain.
  package let openQuestions: [OpenQuestion]

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
    possibleRenames = inference.possibleRenames
  }
}

/// Collects steps and questions, entity by entity.
private struct Inference {
  let source: Model
  let target: Model
  var steps: [Step] = []
  var questions: [OpenQuestion] = []
  var possibleRenames: [PossibleRename] = []

  /// Attributes that moved from sub-entities to a super-entity, under both paths.
  private var merged: Set<PropertyPath> = []

  init(source: Model, target: Model) {
    self.source = source
    self.target = target
  }

  mutating func compareEntities() {
    let origins = target.origins(in: source)
    let carried = Set(origins.values)
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
    for entity in target.entities { findMerges(into: entity, origins) }
    for entity in target.entities {
      guard let origin = origins[entity.name].flatMap({ source[$0] }) else { continue }
      compareProperties(of: origin, with: entity)
    }
  }

  /// Adds a merge for each attribute that moved from sub-entities to an entity.
  private mutating func findMerges(into entity: Entity, _ origins: [String: String]) {
    guard let origin = origins[entity.name].flatMap({ source[$0] }) else { return }
    for attribute in entity.attributes where origin[attribute.name] == nil {
      let sources = target.entities.filter {
        $0.name != entity.name && target.inherits($0.name, from: entity.name)
      }
      .filter { sub in
        guard let old = origins[sub.name].flatMap({ source[$0] }),
          case .attribute(let before) = old[attribute.name], sub[attribute.name] == nil
        else { return false }
        return before.type == attribute.type
      }
      .map { PropertyPath(entity: $0.name, property: attribute.name) }
      guard !sources.isEmpty, attribute.type != .composite else { continue }
      merged.formUnion(sources)
      merged.insert(PropertyPath(entity: entity.name, property: attribute.name))
      steps.append(
        .merge(sources, to: PropertyPath(entity: entity.name, property: attribute.name)))
    }
  }

  private mutating func compareProperties(of old: Entity, with new: Entity) {
    var carried: Set<String> = []
    var added: [Property] = []
    for property in new.properties where !property.isTransient {
      let path = PropertyPath(entity: new.name, property: property.name)
      guard !merged.contains(path) else { continue }
      if let before = old[property.name], !before.isTransient {
        carried.insert(property.name)
        compare(before, of: old.name, with: property, at: path)
      } else if let name = property.renamingIdentifier, let before = old[name], new[name] == nil {
        carried.insert(name)
        steps.append(
          .rename(PropertyPath(entity: new.name, property: name), to: property.name))
        compare(before, of: old.name, with: property, at: path)
      } else {
        add(property, at: path, inRowsOf: old.name)
        added.append(property)
      }
    }
    var dropped: [Property] = []
    for property in old.properties where !property.isTransient && !carried.contains(property.name) {
      let path = PropertyPath(entity: new.name, property: property.name)
      if case .fetched = property { continue }
      guard !merged.contains(path) else { continue }
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
        attribute.isOptional || $0.attribute.isOptional
          || attribute.storedDefault(of: $0.attribute) != nil
      }
      if isFilled {
        steps.append(.add(path, value: nil))
      } else {
        ask(
          path, "it is new and mandatory without a default", .all(of: entity),
          #"{ "add": "\#(path)", "default": VALUE }"#)
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
      if !before.isCarried(to: after) {
        ask(
          path, "it changes from \(before.type.name) to \(after.type.name)", .having(source),
          #"{ "convert": "\#(path)", "with": CONVERTER }"#)
      } else if before.isOptional && !after.isOptional && after.type != .composite {
        makeMandatory(after, at: path, from: source)
      }
    case (.relationship(let before), .relationship(let after)):
      if before.isToMany != after.isToMany {
        ask(
          path, "it changes from \(old.kind) to \(new.kind)", .all(of: entity),
          Self.replacement(of: path))
      }
    case (.fetched, .fetched): break
    default:
      ask(
        path, "it changes from \(old.kind) to \(new.kind)", .having(source),
        Self.replacement(of: path))
    }
  }

  private mutating func makeMandatory(
    _ attribute: Attribute, at path: PropertyPath, from source: PropertyPath
  ) {
    if let value = attribute.defaultValue {
      steps.append(.backfill(path, from: .value(value), where: .null))
    } else {
      ask(
        path, "it becomes mandatory without a default", .lacking(source),
        #"{ "backfill": "\#(path)", "where": "null", "value": VALUE }"#)
    }
  }

  private mutating func ask(
    _ path: PropertyPath, _ reason: String, _ rows: OpenQuestion.Rows, _ example: String
  ) {
    questions.append(
      OpenQuestion(object: path.description, reason: reason, rows: rows, example: example))
  }

  /// The steps that begin a property without the values of the old one.
  private static func replacement(of path: PropertyPath) -> String {
    #"{ "drop": "\#(path)" }, { "add": "\#(path)" }"#
  }
}

extension Model {
  /// Returns, for each entity of this model, the one of an older model that Core Data maps to it.
  ///
  /// It has the same name, or else the name that the renaming identifier states.
  package func origins(in source: Model) -> [String: String] {
    var origins: [String: String] = [:]
    for entity in entities {
      if source[entity.name] != nil {
        origins[entity.name] = entity.name
      } else if let old = entity.renamingIdentifier, source[old] != nil, self[old] == nil {
        origins[entity.name] = old
      }
    }
    return origins
  }
}

extension Property {
  package var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetched: false
    }
  }

  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetched: nil
    }
  }
}

extension Attribute {
  /// Returns whether every value of this attribute is valid, and stored in the same form, in
  /// another.
  package func isCarried(to other: Attribute) -> Bool {
    if type == .composite && other.type == .composite {
      return elements.map(\.name) == other.elements.map(\.name)
        && zip(elements, other.elements).allSatisfy { $0.isCarried(to: $1) }
    }
    let widths: Set<AttributeType> = [.integer16, .integer32, .integer64]
    return allowsExternalStorage == other.allowsExternalStorage
      && (type == other.type
        || (widths.contains(type) && widths.contains(other.type)
          && type.rawValue <= other.type.rawValue)
        || (type == .float && other.type == .double))
  }
}
