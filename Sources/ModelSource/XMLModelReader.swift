import XMLText
import StoreModel

/// Reads the XML of an `.xcdatamodel`, which Xcode writes.
///
/// The names are Xcode's; no specification is public (`ModelsFromSource.md`).
struct XMLModelReader {
  /// The path of the file, for messages.
  let file: String

  /// The elements and attributes that were ignored although they may matter.
  private(set) var notes: [String] = []

  /// The composites that the model declares, by name.
  var composites: [String: XMLElement] = [:]

  /// The number of attributes that may still be read, so that composites in composites stay small.
  var attributesLeft = 100_000

  /// The maximum number of entities; the largest known model has 33.
  private static let mostEntities = 2_000

  /// The maximum length of a name in bytes; the longest known one has 60.
  private static let longestName = 1_000

  init(file: String) { self.file = file }

  /// Reads a model.
  ///
  /// - Parameter bytes: The document in UTF-8.
  /// - Returns: The model.
  /// - Throws: A ``ModelSourceError`` with the position of the first error.
  mutating func model(_ bytes: [UInt8]) throws(ModelSourceError) -> Model {
    let root: XMLElement
    do throws(XMLError) {
      root = try XMLElement(parsing: bytes)
    } catch {
      throw .malformed(SourcePlace(file, error.position), reason: error.reason)
    }
    guard root.name == "model" else {
      throw self.error(root, "expected the element 'model', not '\(root.name)'")
    }
    noteUnknown(root, XMLNames.model)
    composites = try named(root.children.filter { XMLNames.composites.contains($0.name) })
    var elements: [String: XMLElement] = [:]
    var entities: [Entity] = []
    var configurations: [String: [String]] = [:]
    for child in root.children {
      switch child.name {
      case "entity":
        let entity = try entity(child)
        guard elements.updateValue(child, forKey: entity.name) == nil else {
          throw self.error(child, "duplicate entity '\(entity.name)'; remove one")
        }
        entities.append(entity)
        guard entities.count <= Self.mostEntities else {
          throw self.error(child, "the model has more than \(Self.mostEntities) entities")
        }
      case "configuration":
        try configuration(child, &configurations)
      default: break
      }
    }
    let model = Model(
      entities: entities,
      versionIdentifiers: [root["userDefinedModelVersionIdentifier"] ?? ""],
      configurations: configurations, dialect: .coreData)
    try check(model, elements)
    notes += DroppedPart.sentences(root).map { "\(file): \($0)" }
    return model
  }

  /// Adds the entities of a configuration, whose name must differ from those before.
  private mutating func configuration(
    _ element: XMLElement, _ configurations: inout [String: [String]]
  ) throws(ModelSourceError) {
    let name = try name(element)
    guard configurations[name] == nil else {
      throw error(element, "duplicate configuration '\(name)'; remove one")
    }
    noteUnknown(element, XMLNames.configuration)
    configurations[name] = try element.children.filter { $0.name == "memberEntity" }
      .map { member throws(ModelSourceError) in try self.name(member) }
  }

  /// Returns elements by their names, which must differ.
  private mutating func named(_ elements: [XMLElement]) throws(ModelSourceError) -> [String:
    XMLElement]
  {
    var named: [String: XMLElement] = [:]
    for element in elements where named.updateValue(element, forKey: try name(element)) != nil {
      throw error(element, "duplicate composite '\(element["name"] ?? "")'; remove one")
    }
    for part in elements.flatMap(\.children) where part.name != "attribute" {
      note(part, "the element '\(part.name)' in a composite is ignored")
    }
    return named
  }
}

// MARK: - Values

extension XMLModelReader {
  /// Returns the error of an element.
  func error(_ element: XMLElement, _ reason: String) -> ModelSourceError {
    .malformed(SourcePlace(file, element.position), reason: reason)
  }

  /// Returns the name of an element, which must be fit for a schema file.
  func name(_ element: XMLElement) throws(ModelSourceError) -> String {
    guard let name = element["name"], !name.isEmpty else {
      throw error(element, "'\(element.name)' has no name")
    }
    guard name.utf8.count <= Self.longestName else {
      throw error(element, "a name has more than \(Self.longestName) bytes")
    }
    let isPlain = name.unicodeScalars.allSatisfy {
      $0 != "/" && $0.properties.generalCategory != .control
    }
    guard isPlain, name != ".", name != ".." else {
      throw error(element, "invalid name; it must not contain slashes or control characters")
    }
    return name
  }

  /// Returns an attribute that is YES or NO; `false` if it is missing.
  func isTrue(_ element: XMLElement, _ name: String) throws(ModelSourceError) -> Bool {
    switch element[name]?.uppercased() {
    case nil, "NO": return false
    case "YES": return true
    case _?:
      throw error(element, "'\(name)' is '\(element[name] ?? "")'; expected YES or NO")
    }
  }

  /// Returns an attribute that is an integer; `nil` if it is missing.
  func integer(_ element: XMLElement, _ name: String) throws(ModelSourceError) -> Int? {
    guard let text = element[name] else { return nil }
    // Core Data hashes 32 bits.
    guard let number = Int32(text) else {
      throw error(element, "'\(name)' is '\(text)'; expected an integer")
    }
    return Int(number)
  }

  /// Returns the developer's annotations of an element.
  mutating func userInfo(of element: XMLElement) -> [String: ModelValue] {
    let entries = element.children.filter { $0.name == "userInfo" }.flatMap(\.children)
    var values: [String: ModelValue] = [:]
    for entry in entries {
      guard let key = entry["key"] else { continue }
      if values[key] == nil {
        values[key] = .string(entry["value"] ?? "")
      } else {
        note(entry, "a second value of '\(key)' in 'userInfo' is ignored")
      }
    }
    return values
  }

  /// Notes the attributes and the elements in an element that the reader doesn't know.
  mutating func noteUnknown(_ element: XMLElement, _ known: XMLNames) {
    for attribute in element.attributes where !known.attributes.contains(attribute.name) {
      note(element, "the attribute '\(attribute.name)' of '\(element.name)' is ignored")
    }
    for child in element.children where !known.children.contains(child.name) {
      note(child, "the element '\(child.name)' in '\(element.name)' is ignored")
    }
    if element.hasText { note(element, "the text in '\(element.name)' is ignored") }
  }

  /// Notes something that the model can't represent.
  mutating func note(_ element: XMLElement, _ sentence: String) {
    notes.append("\(SourcePlace(file, element.position)): \(sentence)")
  }
}
