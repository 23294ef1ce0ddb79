import StoreModel
import TestSupport

extension Model {
  /// Returns a consistent model with most features that models can have.
  static func random(using generator: inout SeededGenerator) -> Model {
    let names = (0..<Int.random(in: 1...6, using: &generator)).map { "Entity\($0)" }
    let dialect = ModelDialect.allCases[Int.random(in: 0...2, using: &generator)]
    var entities: [Entity] = []
    for (index, name) in names.enumerated() {
      var entity = Entity(
        name: name, isAbstract: generator.flip(),
        properties: (0..<Int.random(in: 0...6, using: &generator)).map {
          .random(name: "p\(index)_\($0)", entities: names, using: &generator)
        })
      // Entities inherit only from earlier ones, so there is no cycle.
      if index > 0 && generator.flip() {
        entity.superentityName = names[Int.random(in: 0..<index, using: &generator)]
      }
      if dialect == .swiftData17 { entity.className = name }
      if dialect == .coreData && generator.flip() { entity.className = "NS\(name)" }
      let attributes = entity.attributes.map(\.name)
      if !attributes.isEmpty && generator.flip() { entity.uniquenessConstraints = [attributes] }
      // A Core Data model needs an entity without constraints, by which the decoder recognizes it.
      if dialect == .coreData {
        entity.uniquenessConstraints = index == 0 ? [] : entity.uniquenessConstraints
      }
      if !attributes.isEmpty && generator.flip() {
        entity.indexes = [
          FetchIndex(
            name: "by\(name)",
            elements: attributes.map { .init(propertyName: $0, isAscending: generator.flip()) })
        ]
      }
      if generator.flip() { entity.compoundIndexes = [attributes] }
      if generator.flip() { entity.renamingIdentifier = "Old\(name)" }
      if generator.flip() { entity.versionHashModifier = "m" }
      if generator.flip() { entity.userInfo = ["k": .random(depth: 3, using: &generator)] }
      entities.append(entity)
    }
    return Model(
      entities: entities, versionIdentifiers: generator.flip() ? ["1.0.0"] : ["", "beta"],
      configurations: generator.flip() ? ["default": names] : [:], dialect: dialect)
  }
}

extension Property {
  fileprivate static func random(
    name: String, entities: [String], using generator: inout SeededGenerator
  ) -> Property {
    switch Int.random(in: 0...9, using: &generator) {
    case 0...5: return .attribute(.random(name: name, depth: 3, using: &generator))
    case 6: return .fetched(name: name)
    default:
      let destination = entities[Int.random(in: 0..<entities.count, using: &generator)]
      return .relationship(
        Relationship(
          name: name, destinationName: destination, inverseName: generator.flip() ? "back" : nil,
          maxCount: Int.random(in: 0...3, using: &generator),
          minCount: Int.random(in: 0...3, using: &generator),
          deleteRule: Relationship.DeleteRule.allCases[Int.random(in: 0...3, using: &generator)],
          isOrdered: generator.flip(), isOptional: generator.flip(),
          isTransient: generator.flip(), renamingIdentifier: generator.flip() ? "was" : nil,
          versionHashModifier: generator.flip() ? "a modifier" : nil,
          userInfo: generator.flip() ? ["key": .random(depth: 2, using: &generator)] : [:]))
    }
  }
}

extension Attribute {
  fileprivate static func random(
    name: String, depth: Int, using generator: inout SeededGenerator
  ) -> Attribute {
    let types = AttributeType.allCases.filter {
      $0 != .codable && (depth > 0 || $0 != .composite)
    }
    let type = types[Int.random(in: 0..<types.count, using: &generator)]
    var attribute = Attribute(
      name: name, type: type, isOptional: generator.flip(), isTransient: generator.flip(),
      isReadOnly: generator.flip(), isIndexed: generator.flip(),
      allowsExternalStorage: generator.flip(), isPreservedAfterDeletion: generator.flip(),
      otherFlags: generator.flip() ? 0 : 64)
    if generator.flip() { attribute.defaultValue = .random(depth: 2, using: &generator) }
    if type == .transformable { attribute.valueTransformerName = "NSSecureUnarchiveFromData" }
    if type == .composite {
      attribute.elements = (0..<Int.random(in: 0...3, using: &generator)).map {
        .random(name: "leaf\($0)", depth: depth - 1, using: &generator)
      }
    }
    if generator.flip() { attribute.valueClassName = nil }
    if generator.flip() { attribute.renamingIdentifier = "former\(name)" }
    if generator.flip() { attribute.versionHashModifier = "v" }
    if generator.flip() { attribute.userInfo = ["EnumType": .boolean(true)] }
    return attribute
  }
}

extension ModelValue {
  fileprivate static func random(
    depth: Int, using generator: inout SeededGenerator
  ) -> ModelValue {
    let number = Int64.random(in: -1000...1000, using: &generator)
    switch Int.random(in: 0...(depth > 0 ? 11 : 9), using: &generator) {
    case 0: return .null
    case 1: return .boolean(generator.flip())
    case 2: return .integer(number)
    case 3: return .real(Double(number) / 7)
    case 4: return .string("text \(number)")
    case 5: return .data([UInt8(truncatingIfNeeded: number)])
    case 6: return .date(Double(number))
    case 7: return .uuid(Array(repeating: UInt8(truncatingIfNeeded: number), count: 16))
    case 8: return .url("https://example.org/\(number)")
    case 9: return .decimal("\(number)")
    case 10:
      return .array((0..<3).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      return .dictionary(["a": random(depth: depth - 1, using: &generator), "b": .null])
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func flip() -> Bool { Bool.random(using: &self) }
}
