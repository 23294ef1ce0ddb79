import StoreModel

/// How a text spells the names of Apple's types, which names of the model could hide.
struct TypeNames: Sendable {
  /// The names that the model and the text declare.
  let declared: Set<String>

  init(_ model: Model, versions: [String]) {
    var names = Set(versions)
    for entity in model.entities {
      names.insert(entity.name)
      names.formUnion(entity.properties.map(\.name))
      for attribute in entity.attributes {
        names.formUnion(attribute.leaves.map(\.attribute.name))
      }
    }
    declared = names
  }

  /// The name of a type or attached macro, with its module if a declared name hides it.
  subscript(name: String) -> String {
    guard declared.contains(name), let module = Self.modules[name] else { return name }
    return "\(module).\(name)"
  }

  /// Returns whether a name means something else already.
  func isUsed(_ name: String) -> Bool { declared.contains(name) || Self.modules[name] != nil }

  /// The names of the modules themselves, which nothing may hide.
  static let moduleNames: Set<String> = ["Foundation", "Swift", "SwiftData", "SwiftUI"]

  /// The module of each name that texts use.
  private static let modules: [String: String] = {
    let names = [
      "Foundation": ["Data", "Date", "Decimal", "JSONSerialization", "NSObject", "URL", "UUID"],
      "Swift": [
        "Any", "Array", "Bool", "Character", "Codable", "Dictionary", "Double", "Float", "Hashable",
        "Int", "Int16", "Int32", "Int8", "Optional", "Protocol", "Self", "Set", "String", "Type",
        "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "Int64",
      ],
      "SwiftData": [
        "Attribute", "FetchDescriptor", "MigrationStage", "Model", "ModelContext",
        "PersistentModel", "Relationship", "Schema", "SchemaMigrationPlan", "VersionedSchema",
      ],
      "SwiftUI": ["Color"],
    ]
    let pairs = names.flatMap { module, names in names.map { ($0, module) } }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }()
}
