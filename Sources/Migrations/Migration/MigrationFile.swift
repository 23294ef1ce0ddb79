import StoreModel
package import JSONText
import Platform

extension Migration {
  /// The version of the migration file format that this library reads.
  package static let formatVersion: Int64 = 1

  /// Reads a migration file.
  ///
  /// - Throws: A `JSONError` with the position of the first violation of `MigrationFiles.md`.
  package init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file)
      .object(allowing: ["format_version", "app", "from", "to", "note", "constants", "steps"])
    try object.checkFormatVersion(Self.formatVersion)
    var steps: [Step] = []
    var undecided: [JSONNode] = []
    for node in try object.required("steps").array {
      if let object = try node.undecided {
        undecided.append(object)
      } else {
        steps.append(try Step(parsing: node))
      }
    }
    try Self.check(undecided)
    let from = try object.required("from")
    self.init(
      app: try object.required("app").string, from: try from.string,
      to: try object.required("to").string, note: try object.optional("note")?.string,
      constants: try object.optional("constants")?.modelConstants ?? [:], steps: steps,
      checksum: Hexadecimal.encode(sha256(bytes)), fromNode: from)
  }

  /// Throws an error that names the objects of all undecided steps, at the position of the first.
  private static func check(_ undecided: [JSONNode]) throws(JSONError) {
    guard let first = undecided.first else { return }
    guard undecided.count > 1 else {
      throw first.error(
        "this step is undecided; write what happens to '\(try first.string)' instead")
    }
    var names: [String] = []
    for node in undecided { names.append("'\(try node.string)' (line \(node.position.line))") }
    throw first.error(
      "\(names.count) steps are undecided; write what happens instead to "
        + names.joined(separator: ", "))
  }
}

extension JSONNode {
  /// The object of a step whose verb is `decide`; `nil` for other steps.
  fileprivate var undecided: JSONNode? {
    get throws(JSONError) {
      guard let first = try object.members.first, first.key == Verb.decide.rawValue else {
        return nil
      }
      _ = try object(allowing: [first.key] + Verb.decide.keys)
      return first.node
    }
  }
}

/// The verbs of steps.
///
/// The verb is the first key of a step's object.
private enum Verb: String, CaseIterable {
  case add, drop, rename, convert, merge, split, backfill, compute, map, retype, require, decide,
    delete, unite, sequence, relink
  case newUUID = "new-uuid"

  /// Returns the sentence about a verb that doesn't exist.
  static func refusal(of text: String) -> String {
    let nearest = nearestName(to: text, among: allCases.map(\.rawValue))
    return
      "unknown verb '\(text)'; \(nearest.map { "did you mean '\($0)'?" } ?? "begin with a verb")"
  }

  /// The keys that are allowed beside the verb.
  var keys: [String] {
    switch self {
    case .add: ["default"]
    case .drop: []
    case .rename: ["to"]
    case .convert: ["to", "with"]
    case .merge, .split: ["to"]
    case .decide: ["because"]
    case .backfill: ["where", "from", "with", "matching", "option", "value"]
    case .compute: ["sql", "inverse"]
    case .map: ["values", "else"]
    case .retype: ["format", "else"]
    case .newUUID: []
    case .require: ["sql", "because"]
    case .delete: ["where", "because"]
    case .unite: ["by", "keep", "links", "compare"]
    case .sequence: ["by", "from", "within"]
    case .relink: ["keep"]
    }
  }
}

extension Step {
  package init(parsing node: JSONNode) throws(JSONError) {
    guard let first = try node.object.members.first else {
      let verbs = Verb.allCases.filter { $0 != .decide }.map(\.rawValue)
      throw node.error("a step has a verb; give one of \(verbs.joined(separator: ", "))")
    }
    guard let verb = Verb(rawValue: first.key) else {
      throw JSONError(
        file: node.file, position: first.position, reason: .rejected(Verb.refusal(of: first.key)))
    }
    let object = try node.object(allowing: [first.key] + verb.keys)
    // The value of these two verbs may be an array; that of the others is one object.
    switch verb {
    case .merge:
      self = .merge(try first.node.paths, to: try StepObject(object.required("to")).attribute)
      return
    case .convert:
      self = .convert(try Conversion(first.node, object))
      return
    default: break
    }
    let target = try StepObject(first.node)
    self =
      switch verb {
      case .add: try Self.add(target, object)
      case .drop: target.path.map { .drop($0) } ?? .dropEntity(target.entity)
      case .rename: try Self.rename(target, object)
      case .split: .split(try target.attribute, to: try object.required("to").paths)
      case .backfill: try Self.backfill(target, object)
      case .compute: try Self.compute(target, object)
      case .map: .map(try target.attribute, try ValueMap(object))
      case .retype: .retype(try target.attribute, try TypeChange(object))
      case .newUUID: .newUUID(try target.attribute)
      case .require: try Self.require(target, object)
      case .delete, .unite, .sequence, .relink: try Self.ofRows(verb, target, object)
      case .merge, .convert, .decide:
        throw first.node.error("this step is undecided")
      }
  }

  private static func ofRows(
    _ verb: Verb, _ target: StepObject, _ object: JSONObject
  ) throws(JSONError) -> Step {
    switch verb {
    case .delete: .deleteRows(try RowDeletion(target, object))
    case .unite: .unite(try RowUnion(target, object))
    case .relink:
      .relink(
        try target.attribute,
        keep: try object.optional("keep").map { (node) throws(JSONError) in
          try RowUnion.Keep(node)
        })
    default: .sequence(try target.attribute, try RowNumbering(object))
    }
  }

  private static func add(_ target: StepObject, _ object: JSONObject) throws(JSONError) -> Step {
    guard let path = target.path else {
      if let value = object.optional("default") {
        throw value.error("an entity has no default; remove the default")
      }
      return .addEntity(target.entity)
    }
    return .add(path, value: try object.optional("default")?.modelValue)
  }

  private static func rename(_ target: StepObject, _ object: JSONObject) throws(JSONError) -> Step {
    let name = try object.required("to").nameAlone
    return target.path.map { .rename($0, to: name) } ?? .renameEntity(target.entity, to: name)
  }

  private static func require(_ target: StepObject, _ object: JSONObject) throws(JSONError) -> Step
  {
    .require(
      try target.entityAlone, try Formula(object.required("sql")),
      because: try object.required("because").string)
  }

  private static func compute(_ target: StepObject, _ object: JSONObject) throws(JSONError) -> Step
  {
    var inverse: [String: Formula] = [:]
    for member in try object.optional("inverse")?.object.members ?? [] {
      inverse[member.key] = try Formula(member.node)
    }
    return .compute(
      try target.attribute, try Formula(object.required("sql")), inverse: inverse)
  }

  private static func backfill(
    _ target: StepObject, _ object: JSONObject
  ) throws(JSONError) -> Step {
    let condition = try object.optional("where")?.name(as: BackfillCondition.self)
    return .backfill(
      try target.attribute, from: try BackfillSource(parsing: object), where: condition)
  }
}
