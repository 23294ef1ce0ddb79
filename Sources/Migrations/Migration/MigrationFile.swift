import StoreModel
package import JSONText
import Platform

extension Migration {
  /// The version of the migration file format that this library reads.
  package static let formatVersion: Int64 = 1

  /// Reads a migration file.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - file: The file's path, for errors.
  ///   - names: The converters that steps may name, beside the general ones.
  /// - Throws: A `JSONError` with the position of the first violation of `MigrationFiles.md`.
  package init(
    parsing bytes: [UInt8], file: String?, converters names: ConverterNames = .bundled
  ) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file).document(Self.format)
    let context = MigrationFileContext(
      app: (try? object.optional("app")?.string) ?? "", names: names)
    var steps: [Step] = []
    var undecided: [JSONNode] = []
    for node in try object.required("steps").array {
      if let object = try node.undecided {
        undecided.append(object)
      } else {
        steps.append(try Step(parsing: node, context))
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
      _ = try object(Verb.decide.form)
      return first.node
    }
  }
}

extension Step {
  package init(parsing node: JSONNode, _ context: MigrationFileContext) throws(JSONError) {
    guard let first = try node.object.members.first else {
      let verbs = Verb.decided.map(\.rawValue)
      throw node.error("a step has a verb; give one of \(verbs.joined(separator: ", "))")
    }
    guard let verb = Verb(rawValue: first.key) else {
      throw JSONError(
        file: node.file, position: first.position, reason: .rejected(Verb.refusal(of: first.key)))
    }
    let object = try node.object(verb.form)
    // The value of these two verbs may be an array; that of the others is one object.
    switch verb {
    case .merge:
      self = .merge(try first.node.paths, to: try StepObject(object.required("to")).attribute)
      return
    case .convert:
      self = .convert(try Conversion(first.node, object, context))
      return
    default: break
    }
    let target = try StepObject(first.node, takingLeaf: verb == .add || verb == .drop)
    self =
      switch verb {
      case .add: try Self.add(target, object)
      case .drop: target.path.map { .drop($0) } ?? .dropEntity(target.entity)
      case .rename: try Self.rename(target, object)
      case .split: try Self.split(target, object)
      case .inline: .inline(try EntityInline(target, object))
      case .backfill: try Self.backfill(target, object, context)
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

  /// Reads a step that splits an attribute, or an entity.
  private static func split(_ target: StepObject, _ object: JSONObject) throws(JSONError) -> Step {
    guard let path = target.path else {
      if let to = object.optional("to") {
        throw to.error("an entity is split by 'into'; see 'Splitting an entity'")
      }
      return .splitEntity(try EntitySplit(target, object))
    }
    for key in ["into", "attributes", "link", "per"] {
      if let other = object.optional(key) {
        throw other.error("'\(key)' is about an entity, and '\(path)' is an attribute; remove it")
      }
    }
    return .split(path, to: try object.required("to").paths)
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
    _ target: StepObject, _ object: JSONObject, _ context: MigrationFileContext
  ) throws(JSONError) -> Step {
    let condition = try object.optional("where")?.name(as: BackfillCondition.self)
    return .backfill(
      try target.attribute, from: try BackfillSource(parsing: object, context), where: condition)
  }
}
