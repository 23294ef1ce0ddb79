import Migrations
import StoreModel

/// A stage between two versions, as far as SwiftData can carry out a migration's steps.
///
/// A closure sees either the old or the new classes, never both. A value that is converted lives in
/// a version between the two, which has the old and the new property: the bridge.
struct StageDraft {
  let source: Model
  let target: Model

  /// Whether the two models leave something open.
  let hasQuestions: Bool

  /// The target with former names and defaults, for rows to get from the source to it.
  var annotated: Model

  /// Properties of the source that conversions read, as the bridge has them, by entity and name.
  var kept: [String: [String: Attribute]] = [:]

  /// The names in the bridge of properties whose own names the source uses otherwise.
  var temporaryNames: [PropertyPath: String] = [:]

  /// New properties that rows get a value for, by entity.
  var filled: [String: Set<String>] = [:]

  /// The statements for each row, by entity.
  var statements: [String: [String]] = [:]

  /// What the stage doesn't do, as sentences.
  var sentences: [String] = []

  /// The functions that statements call.
  var functions: Set<ConversionFunction> = []

  /// How statements spell types; no class of a version hides them there.
  let names = TypeNames(Model(entities: []), versions: [])

  init(from source: Model, to target: Model, steps: [Step], questions: [OpenQuestion]) {
    self.source = source
    self.target = target
    hasQuestions = !questions.isEmpty
    annotated = target
    for step in steps { add(step) }
    for question in questions {
      sentences.append("Decide about \(question.object): \(question.reason).")
    }
    noteRefusals()
  }

  /// The version between the two; `nil` if none is needed.
  var bridge: Model? {
    guard needsBridge else { return nil }
    var bridge = annotated
    for entity in target.entities {
      let filled = filled[entity.name] ?? []
      bridge = bridge.editing(entity.name) { properties, constraints in
        constraints.removeAll { !filled.isDisjoint(with: $0) }
        properties = properties.map { property in
          let path = PropertyPath(entity: entity.name, property: property.name)
          guard case .attribute(let attribute) = property, let name = temporaryNames[path] else {
            return property
          }
          return .attribute(attribute.named(name))
        }
        properties += (kept[entity.name] ?? [:]).values.map { .attribute($0) }
      }
    }
    return bridge
  }

  /// The newer version, which takes up the names of the version before it.
  var finalTarget: Model {
    guard needsBridge else { return annotated }
    return temporaryNames.reduce(target) { model, renamed in
      model.editing(renamed.key.entity, renamed.key.property) {
        $0.renamingIdentifier = renamed.value
      }
    }
  }

  private var needsBridge: Bool {
    let isUnique = target.entities.contains { entity in
      entity.uniquenessConstraints.contains { !(filled[entity.name] ?? []).isDisjoint(with: $0) }
    }
    return !kept.isEmpty || isUnique
  }

  /// Notes what Core Data would refuse in the stage nevertheless.
  private mutating func noteRefusals() {
    for effect in AppMigration(from: source, to: bridge ?? annotated).effects {
      switch effect {
      case .newMandatory(let entity, let attributes):
        for name in attributes {
          sentences.append(
            "Core Data refuses the stage if \(entity) has rows: \(name) is new and mandatory without "
              + "a default.")
        }
      case .nowMandatory(let path):
        sentences.append(
          "Core Data refuses the stage if a row has no \(path): it becomes mandatory without a default."
        )
      case .typeChanged(let path, let from, let to):
        sentences.append("Core Data refuses the stage: \(path) changes from \(from) to \(to).")
      case .manyToOne(let path):
        sentences.append("Core Data refuses the stage: \(path) changes from to-many to to-one.")
      case .entityDropped, .valuesDropped: break
      }
    }
  }
}

// MARK: - Steps

extension StageDraft {
  private mutating func add(_ step: Step) {
    switch step {
    case .addEntity, .dropEntity, .drop: break
    case .renameEntity(let name, let newName):
      sentences.append(
        "SwiftData can't rename \(name) to \(newName): the stage drops its rows and the links to them."
      )
    case .add(let path, let value): add(path, value)
    case .rename(let path, let newName): rename(path, to: newName)
    case .convert(let conversion): convert(conversion)
    case .merge(let paths, let path):
      sentences.append(
        "Values of \(paths.map(\.description).joined(separator: ", ")) don't get into \(path).")
    case .split(let path, let paths):
      sentences.append(
        "Values of \(path) don't get into \(paths.map(\.description).joined(separator: ", ")).")
    case .backfill(let path, let source, let condition): backfill(path, source, condition)
    case .compute(let path, let formula, _):
      sentences.append("\(path) doesn't get its values: in SQL, \(formula.text).")
    case .map(let path, _):
      sentences.append("\(path) doesn't get the values of its table.")
    case .retype(let path, _):
      sentences.append("\(path) doesn't get its values in the new type.")
    case .deleteRows(let deletion):
      sentences.append("Rows of \(deletion.entity) stay: \(deletion.condition.text).")
    case .unite(let union):
      sentences.append("Equal rows of \(union.entity) stay apart.")
    case .sequence(let path, _): sentences.append("Rows get no number in \(path).")
    case .splitEntity(let split):
      sentences.append("Rows of \(split.entity) get no row of \(split.part): its values are lost.")
    case .inline(let inline):
      sentences.append("Values of the rows that \(inline.path) leads to aren't copied.")
    case .relink(let path, _): sentences.append("Links of \(path) aren't carried.")
    case .newUUID(let path): sentences.append("Rows get no \(path) of their own.")
    case .require(let entity, _, let reason):
      sentences.append("Nothing checks what is required of \(entity): \(reason).")
    }
  }

  /// Returns whether an entity has rows that get from the source to the target.
  func carries(_ entity: String) -> Bool {
    source[entity] != nil && target[entity] != nil
  }

  private mutating func add(_ path: PropertyPath, _ value: ModelValue?) {
    guard carries(path.entity), let value,
      let attribute = target.attribute(path.property, of: path.entity),
      value != attribute.defaultValue
    else { return }
    guard let literal = DefaultLiteral(names: names).expression(value, of: attribute.type) else {
      return sentences.append("New rows of \(path.entity) get no \(path.property).")
    }
    if attribute.defaultValue == nil, value != .null {
      annotated = annotated.editing(path.entity, path.property) { $0.defaultValue = value }
    } else {
      statements[path.entity, default: []].append(
        "row.\(SwiftIdentifier.spelled(path.property)) = \(literal)")
    }
    filled[path.entity, default: []].insert(path.property)
  }

  private mutating func rename(_ path: PropertyPath, to newName: String) {
    guard carries(path.entity) else { return }
    guard target[path.entity]?[path.property] == nil else {
      return sentences.append(
        "SwiftData can't rename \(path) to \(newName): another property has the former name.")
    }
    annotated = annotated.editing(path.entity) { properties, _ in
      properties = properties.map { property in
        switch property {
        case .attribute(var attribute) where attribute.name == newName:
          attribute.renamingIdentifier = path.property
          return .attribute(attribute)
        case .relationship(var relationship) where relationship.name == newName:
          relationship.renamingIdentifier = path.property
          return .relationship(relationship)
        case .attribute, .relationship, .fetched: return property
        }
      }
    }
  }
}
