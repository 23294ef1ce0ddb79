import SourceDeclarations
import StoreModel

/// What SwiftData makes of a type of Apple's SDKs or Swift's library.
enum SDKType {
  /// A value in one column.
  case scalar(AttributeType)

  /// A value in several columns: the leaves of a composite attribute.
  case composite([Attribute])

  /// The types by name, with the names of their modules left out.
  private static let types: [String: SDKType] = [
    "String": .scalar(.string), "Bool": .scalar(.boolean), "Int": .scalar(.integer64),
    "Int64": .scalar(.integer64), "Int32": .scalar(.integer32), "Int16": .scalar(.integer16),
    "Double": .scalar(.double), "Float64": .scalar(.double), "TimeInterval": .scalar(.double),
    "Float": .scalar(.float), "Float32": .scalar(.float), "Date": .scalar(.date),
    "UUID": .scalar(.uuid), "Data": .scalar(.binary), "URL": .scalar(.uri),
    "Decimal": .scalar(.decimal),
    // Its leaves are mandatory, unlike those of an app's own structs.
    "Color.Resolved": .composite(
      ["linearRed", "linearGreen", "linearBlue", "opacity"].map {
        Attribute(name: $0, type: .float)
      }),
  ]

  /// The types whose attributes no real store has confirmed.
  private static let unconfirmed: Set<AttributeType> = [.integer16, .integer32, .uri, .decimal]

  private static let modules: Set<String> = ["Swift", "Foundation", "SwiftUI", "CoreFoundation"]

  /// Returns the type with a name, or `nil` if it isn't known.
  static func named(_ name: String) -> SDKType? { types[withoutModule(name)] }

  /// Removes the name of a module of Apple's from the beginning of a name.
  static func withoutModule(_ name: String) -> String {
    let parts = name.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, modules.contains(String(parts[0])) else { return name }
    return String(parts[1])
  }

  /// Returns whether real stores have confirmed what an attribute's type is.
  static func isConfirmed(_ type: AttributeType) -> Bool { !unconfirmed.contains(type) }
}
