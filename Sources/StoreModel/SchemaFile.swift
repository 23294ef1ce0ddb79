package import JSONText
import Platform

/// The contents of a schema file: a model, and the app and version that it belongs to.
///
/// `MigrationFiles.md` specifies the format.
package struct SchemaFile: Hashable, Sendable {
  /// The supported format version.
  package static let formatVersion: Int64 = 1

  /// The name of the app; compared ignoring case.
  package let app: String

  /// The version's name; an edition's name has the form `VERSION@EDITION`.
  package let version: String

  /// A remark for readers, or `nil`.
  package let note: String?

  /// The model.
  package let model: Model

  /// Data of the store that the schema was captured from, or `nil` if it wasn't captured.
  package let capture: SchemaCapture?

  /// The place that the model was read from; `nil` for one in a schema file.
  package var origin: ModelOrigin?

  package init(
    app: String, version: String, note: String? = nil, model: Model,
    capture: SchemaCapture? = nil, origin: ModelOrigin? = nil
  ) {
    self.app = app
    self.version = version
    self.note = note
    self.model = model
    self.capture = capture
    self.origin = origin
  }
}

/// Data of a store that its model doesn't determine, for writing it back unchanged.
package struct SchemaCapture: Hashable, Sendable {
  /// The contents of `Z_MODELCACHE`.
  package let modelCache: [UInt8]

  package init(modelCache: [UInt8]) {
    self.modelCache = modelCache
  }
}

extension SchemaFile {
  /// Parses a schema file.
  ///
  /// - Throws: A ``JSONError`` with the position of the first error.
  package init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let root = try JSONNode(parsing: bytes, file: file)
    let object = try root.document(Self.format)
    app = try object.required("app").schemaName
    version = try object.required("version").schemaName
    note = try object.optional("note")?.string
    let dialect = try object.optional("dialect")?.name(as: ModelDialect.self) ?? .swiftData
    var entities: [Entity] = []
    var names: Set<String> = []
    for node in try object.required("entities").array {
      let entity = try Entity(schema: node)
      guard names.insert(entity.name).inserted else {
        throw node.error("duplicate entity '\(entity.name)'; remove one")
      }
      entities.append(entity)
    }
    let all = entities.map(\.name)
    var model = Model(
      entities: entities, versionIdentifiers: try object.required("identifiers").strings,
      configurations: try object.optional("configurations").map(Self.configurations)
        ?? (dialect == .coreData ? [:] : ["default": all]),
      dialect: dialect)
    try Self.checkNames(of: model, node: root)
    if let node = object.optional("hashes") {
      let hashes = try Self.hashes(node)
      model.record(hashes)
      try Self.check(hashes, of: model, node: node)
    }
    self.model = model
    capture = try object.optional("model_cache").map { node throws(JSONError) in
      guard let bytes = base64Decoded(try node.string) else {
        throw node.error("the model cache isn't valid Base64; capture the schema again")
      }
      return SchemaCapture(modelCache: bytes)
    }
  }

  private static func configurations(_ node: JSONNode) throws(JSONError) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for member in try node.object.members { configurations[member.key] = try member.node.strings }
    return configurations
  }

  private static func hashes(_ node: JSONNode) throws(JSONError) -> VersionHashes {
    var hashes: [String: [UInt8]] = [:]
    for member in try node.object.members {
      hashes[member.key] = Hexadecimal.decode(try member.node.string) ?? []
    }
    return VersionHashes(entities: hashes)
  }

  /// Checks that the hashes in the file match the entities.
  private static func check(
    _ stored: VersionHashes, of model: Model, node: JSONNode
  ) throws(JSONError) {
    let hashes = VersionHashes(model)
    for member in try node.object.members {
      guard let hash = hashes.entities[member.key] else {
        throw member.node.error("unknown entity '\(member.key)'; remove its hash")
      }
      guard stored.entities[member.key] == hash else {
        throw member.node.error(
          "the hash of '\(member.key)' doesn't match its definition; capture the schema again")
      }
    }
  }

  private static func checkNames(of model: Model, node: JSONNode) throws(JSONError) {
    let names = model.entities.map(\.name)
    for entity in model.entities {
      let references =
        entity.relationships.map(\.destinationName) + [entity.superentityName].compactMap(\.self)
      for name in references where model[name] == nil {
        let nearest = nearestName(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
        throw node.error(
          "'\(entity.name)' refers to unknown entity '\(name)'\(nearest)")
      }
      // Without a cycle, the chain ends at a root entity.
      let top = model.chain(from: entity.name).last.flatMap { model[$0] }
      guard top?.superentityName == nil else {
        throw node.error("'\(entity.name)' inherits from itself; remove the cycle")
      }
    }
    // Names that differ only in case would share a table, because SQLite ignores case.
    let folded = Dictionary(grouping: names) { $0.lowercased() }
    if let clash = folded.values.first(where: { $0.count > 1 }) {
      throw node.error("'\(clash[0])' and '\(clash[1])' differ only in case; rename one")
    }
  }
}

extension JSONNode {
  /// A name for paths and single lines: not empty, without slashes and control characters.
  ///
  /// - Throws: A ``JSONError`` if the node isn't such a string.
  var schemaName: String {
    get throws(JSONError) {
      let name = try string
      let isPlain = name.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          ? scalar != "/" && scalar >= " " && scalar != "\u{7F}"
          : scalar.properties.generalCategory != .control
      }
      guard isPlain, !name.isEmpty, name != ".", name != ".." else {
        throw error("invalid name; it must not be empty or contain slashes or control characters")
      }
      return name
    }
  }
}
