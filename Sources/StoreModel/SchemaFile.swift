package import JSONText
import Platform

/// A model with the names it goes by: what a schema file holds.
///
/// `MigrationFiles.md` is the specification of the format.
package struct SchemaFile: Hashable, Sendable {
  /// The version of the format that this library reads and writes.
  package static let formatVersion: Int64 = 1

  /// The app, as people write it; compared without case.
  package let app: String

  /// The version's name; an edition's has the form `VERSION@EDITION`.
  package let version: String

  /// What is special about it, for people.
  package let note: String?

  /// The model.
  package let model: Model

  /// What was found in the store that the schema was captured from.
  package let capture: SchemaCapture?

  package init(
    app: String, version: String, note: String? = nil, model: Model, capture: SchemaCapture? = nil
  ) {
    self.app = app
    self.version = version
    self.note = note
    self.model = model
    self.capture = capture
  }
}

/// What a store held of the model that was captured from it, to be written again as it was.
package struct SchemaCapture: Hashable, Sendable {
  /// The bytes of `Z_MODELCACHE`.
  package let modelCache: [UInt8]

  package init(modelCache: [UInt8]) {
    self.modelCache = modelCache
  }
}

extension SchemaFile {
  /// Reads a schema file.
  ///
  /// - Throws: A `JSONError` with the place of the first thing that isn't as the specification
  ///   says.
  package init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let root = try JSONNode(parsing: bytes, file: file)
    let object = try root.object(allowing: [
      "format_version", "app", "version", "note", "identifiers", "dialect", "configurations",
      "entities", "hashes", "model_cache",
    ])
    try object.checkFormatVersion(Self.formatVersion)
    app = try object.required("app").schemaName
    version = try object.required("version").schemaName
    note = try object.optional("note")?.string
    let dialect = try object.optional("dialect")?.name(as: ModelDialect.self) ?? .swiftData
    var entities: [Entity] = []
    var names: Set<String> = []
    for node in try object.required("entities").array {
      let entity = try Entity(schema: node)
      guard names.insert(entity.name).inserted else {
        throw node.error("entity '\(entity.name)' stands here a second time; remove one")
      }
      entities.append(entity)
    }
    let all = entities.map(\.name)
    let model = Model(
      entities: entities, versionIdentifiers: try object.required("identifiers").strings,
      configurations: try object.optional("configurations").map(Self.configurations)
        ?? (dialect == .coreData ? [:] : ["default": all]),
      dialect: dialect)
    try Self.checkNames(of: model, node: root)
    if let node = object.optional("hashes") { try Self.checkHashes(of: model, node: node) }
    self.model = model
    capture = try object.optional("model_cache").map { node throws(JSONError) in
      guard let bytes = base64Decoded(try node.string) else {
        throw node.error("the model cache isn't base64; capture the schema again")
      }
      return SchemaCapture(modelCache: bytes)
    }
  }

  private static func configurations(_ node: JSONNode) throws(JSONError) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for member in try node.object.members { configurations[member.key] = try member.node.strings }
    return configurations
  }

  /// Hashes that stand in a file must be those of the entities beside them.
  private static func checkHashes(of model: Model, node: JSONNode) throws(JSONError) {
    let hashes = VersionHashes(model)
    for member in try node.object.members {
      guard let hash = hashes.entities[member.key] else {
        throw member.node.error("there is no entity '\(member.key)'; remove its hash")
      }
      guard try member.node.string == Hexadecimal.encode(hash) else {
        throw member.node.error(
          "the hash isn't that of '\(member.key)' as it stands here; capture the schema again")
      }
    }
  }

  private static func checkNames(of model: Model, node: JSONNode) throws(JSONError) {
    let names = model.entities.map(\.name)
    for entity in model.entities {
      let mentioned =
        entity.relationships.map(\.destinationName) + [entity.superentityName].compactMap(\.self)
      for name in mentioned where model[name] == nil {
        let nearest = nearestName(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
        throw node.error(
          "'\(entity.name)' refers to an entity '\(name)' that isn't there\(nearest)")
      }
      // A chain that doesn't end at a root within as many steps as there are entities is a circle.
      let top = model.chain(from: entity.name).last.flatMap { model[$0] }
      guard top?.superentityName == nil else {
        throw node.error("'\(entity.name)' inherits from itself; end its parents at a root")
      }
    }
    // Two names that differ in case only would share a table.
    let folded = Dictionary(grouping: names) { $0.lowercased() }
    if let clash = folded.values.first(where: { $0.count > 1 }) {
      throw node.error("'\(clash[0])' and '\(clash[1])' differ in case only; rename one")
    }
  }
}

extension JSONNode {
  /// A name that can stand in a path and on a line: not empty, without slashes and control characters.
  var schemaName: String {
    get throws(JSONError) {
      let name = try string
      let isPlain = name.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          ? scalar != "/" && scalar >= " " && scalar != "\u{7F}"
          : scalar.properties.generalCategory != .control
      }
      guard isPlain, !name.isEmpty, name != ".", name != ".." else {
        throw error("a name isn't empty and has no slashes or control characters; give another")
      }
      return name
    }
  }
}
