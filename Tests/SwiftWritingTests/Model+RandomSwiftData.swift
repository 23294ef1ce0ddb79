import StoreModel
import TestSupport

/// Makes models that SwiftData can declare, with names that Swift or its libraries use otherwise.
struct RandomSwiftDataModel {
  var generator: SeededGenerator

  /// Whether to leave out what `schema capture` doesn't read.
  ///
  /// It reads no collections but arrays, and takes `?` and `[]` for the classes of these names.
  var isReadable = false

  private static let entityNames = [
    "Array", "Attribute", "Codable", "Color", "Data", "Date", "Foo_1", "Größe", "Hashable", "Index",
    "Int", "Item", "MigrationStage", "Model", "Optional", "PersistentModel", "Person",
    "Relationship", "Schema", "String", "UUID", "Unique", "VersionedSchema",
  ]
  private static let propertyNames = [
    "Type", "any", "class", "count", "data", "default", "description_", "id", "import", "in",
    "init",
    "item", "name", "set", "some", "string", "throws", "true", "type", "uuid", "where", "zäh",
    "Date",
    "Self", "Int", "URL", "index", "model", "unique", "willSet", "self_",
  ]

  mutating func model() -> Model {
    let allowed = Self.entityNames.filter { !isReadable || !["Array", "Optional"].contains($0) }
    let names = Array(allowed.shuffled(using: &generator).prefix(number(1...6)))
    var entities: [Entity] = []
    for (index, name) in names.enumerated() {
      let parent = index > 0 && chance(4) ? names[number(0...index - 1)] : nil
      let chain = Model(entities: entities).properties(of: parent ?? "").map(\.name)
      // The macro stores a property under its name with an underscore.
      let free = Self.propertyNames.filter { !chain.contains($0) && !names.contains($0) }
      let chosen = free.shuffled(using: &generator).prefix(number(0...6))
      let attributes = chosen.map { Property.attribute(attribute($0)) }
      var entity = Entity(name: name, superentityName: parent, properties: attributes)
      let plain = entity.attributes.filter { $0.type != .composite && !$0.isTransient }.map(\.name)
      if !plain.isEmpty && chance(2) {
        entity.uniquenessConstraints = chance(2) ? [plain] : [[plain[0]]]
      }
      if !plain.isEmpty && chance(3) {
        entity.indexes = [
          FetchIndex(name: "byAll", elements: plain.map { .init(propertyName: $0) })
        ]
      }
      entities.append(entity)
    }
    return linked(entities)
  }

  /// Adds pairs of relationships, and relationships without inverse.
  private mutating func linked(_ entities: [Entity]) -> Model {
    var relationships: [String: [Relationship]] = [:]
    for place in 0..<number(0...5) {
      let from = entities[number(0...entities.count - 1)].name
      let to = entities[number(0...entities.count - 1)].name
      let (name, back) = ("link\(place)", chance(3) ? nil : "back\(place)")
      relationships[from, default: []].append(relationship(name, to: to, inverse: back))
      if let back {
        relationships[to, default: []].append(relationship(back, to: from, inverse: name))
      }
    }
    return Model(
      entities: entities.map { entity in
        Entity(
          name: entity.name, superentityName: entity.superentityName,
          properties: entity.properties
            + (relationships[entity.name] ?? []).map { .relationship($0) },
          uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.indexes)
      }, versionIdentifiers: chance(2) ? ["1.2.3"] : ["beta"])
  }

  private mutating func relationship(
    _ name: String, to destination: String, inverse: String?
  ) -> Relationship {
    let isToMany = chance(2)
    return Relationship(
      name: name, destinationName: destination, inverseName: inverse,
      maxCount: isToMany ? (chance(3) ? 4 : 0) : 1, minCount: chance(4) ? 1 : 0,
      deleteRule: Relationship.DeleteRule.allCases[number(0...3)], isOptional: chance(2),
      renamingIdentifier: chance(4) ? "former \(name)" : nil,
      versionHashModifier: chance(4) ? "a \"modifier\"" : nil)
  }

  private mutating func attribute(_ name: String) -> Attribute {
    let type = simpleTypes[number(0...simpleTypes.count - 1)]
    switch number(0...9) {
    case 0: return composite(name)
    case 1:
      let types = ["Array<String>", "Array<Int>", "Dictionary<String, Array<Date>>", "Set<UUID>"]
      return Attribute(
        name: name, type: .transformable, isOptional: chance(2),
        defaultValue: chance(2) ? .array([]) : nil,
        valueClassName: types[number(0...(isReadable ? 1 : 3))],
        valueTransformerName: "NSSecureUnarchiveFromData")
    case 2 where !isReadable:
      return Attribute(
        name: name, type: .transformable, isOptional: chance(2), valueClassName: "UIColor",
        valueTransformerName: "Colours\"")
    default:
      return Attribute(
        name: name, type: type, isOptional: chance(2), isTransient: chance(8),
        isIndexed: chance(8), defaultValue: chance(2) ? value(of: type) : nil,
        allowsExternalStorage: type == .binary && chance(2), isPreservedAfterDeletion: chance(6),
        renamingIdentifier: chance(5) ? "former_\(name)" : nil,
        versionHashModifier: chance(5) ? "m" : nil)
    }
  }

  private mutating func composite(_ name: String) -> Attribute {
    var attribute = Attribute(name: name, type: .composite, isOptional: chance(2))
    switch number(0...3) {
    case 0:
      attribute.userInfo = ["EnumType": .boolean(true)]
      let type: AttributeType = chance(2) ? .string : .integer64
      attribute.elements = [Attribute(name: name, type: type, isOptional: true)]
      if chance(2) { attribute.defaultValue = .dictionary([name: value(of: type)]) }
    case 1:
      let cases = ["some", "default", "none_", "init_", "a"]
      attribute.userInfo = [
        "EnumType": .boolean(true), "enum": .array(cases.map { .string($0) }),
      ]
      attribute.elements = cases.map {
        Attribute(name: $0, type: chance(2) ? .string : .date, isOptional: true)
      }
    case 2:
      attribute.elements = ["linearRed", "linearGreen", "linearBlue", "opacity"].map {
        Attribute(name: $0, type: .float)
      }
    default:
      attribute.elements = ["in", "data", "URL"].map {
        Attribute(name: $0, type: simpleTypes[number(0...simpleTypes.count - 1)], isOptional: true)
      }
      if chance(2) { attribute.defaultValue = .dictionary([:]) }
    }
    return attribute
  }

  private let simpleTypes: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binary, .uuid, .uri,
  ]

  private mutating func value(of type: AttributeType) -> ModelValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(number(-40_000...70_000)))
    case .double, .float: .real(Double(number(-9...9)) / 7)
    case .decimal: .decimal("12.50")
    case .string: .string("a \"b\"\\\n\u{202E}\\(x)")
    case .boolean: .boolean(chance(2))
    case .date: .date(chance(2) ? 0 : 0.25)
    case .binary: .data(chance(2) ? [] : [1, 2, 255])
    case .uuid: .uuid([UInt8](repeating: 7, count: 16))
    default: .url("https://example.org/ a?b=\"c\"")
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func chance(_ count: Int) -> Bool { number(1...count) == 1 }

  init(_ generator: SeededGenerator) { self.generator = generator }
}
