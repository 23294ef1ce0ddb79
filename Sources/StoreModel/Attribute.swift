/// One attribute of an entity, or one leaf of a composite attribute.
package struct Attribute: Hashable, Sendable {
  /// The attribute's name, in the model's spelling.
  package let name: String

  /// The kind of value it holds.
  package let type: AttributeType

  /// A Boolean value indicating whether the attribute may have no value.
  package var isOptional: Bool

  /// A Boolean value indicating whether the attribute isn't stored.
  package var isTransient: Bool

  /// A Boolean value indicating whether the attribute is read-only.
  package var isReadOnly: Bool

  /// A Boolean value indicating whether the attribute is part of an index.
  package var isIndexed: Bool

  /// A Boolean value indicating whether the value is computed by triggers in the store.
  package var isDerived: Bool

  /// The value that rows get which were made before the attribute was.
  package var defaultValue: ModelValue?

  /// The name of the class of its values, such as `NSString` or `Array<String>`.
  package var valueClassName: String?

  /// The name of the transformer of a transformable attribute.
  package var valueTransformerName: String?

  /// A Boolean value indicating whether large values lie in files beside the store.
  package var allowsExternalStorage: Bool

  /// A Boolean value indicating whether history keeps the value of a deleted row.
  package var isPreservedAfterDeletion: Bool

  /// Bits of `NSFlagsKey` that have no name here, kept as they are.
  package var otherFlags: Int

  /// The leaves of a composite attribute, in the order of their declaration.
  package var elements: [Attribute]

  /// The name this attribute had in an earlier version, where the model declares one.
  package var renamingIdentifier: String?

  /// A text that changes the attribute's hash without changing anything else.
  package var versionHashModifier: String?

  /// What the developer noted beside the attribute.
  package var userInfo: [String: ModelValue]

  package init(
    name: String,
    type: AttributeType,
    isOptional: Bool = false,
    isTransient: Bool = false,
    isReadOnly: Bool = false,
    isIndexed: Bool = false,
    isDerived: Bool = false,
    defaultValue: ModelValue? = nil,
    valueClassName: String? = nil,
    valueTransformerName: String? = nil,
    allowsExternalStorage: Bool = false,
    isPreservedAfterDeletion: Bool = false,
    otherFlags: Int = 0,
    elements: [Attribute] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: ModelValue] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isReadOnly = isReadOnly
    self.isIndexed = isIndexed
    self.isDerived = isDerived
    self.defaultValue = defaultValue
    self.valueClassName = valueClassName ?? type.valueClassName
    self.valueTransformerName = valueTransformerName
    self.allowsExternalStorage = allowsExternalStorage
    self.isPreservedAfterDeletion = isPreservedAfterDeletion
    self.otherFlags = otherFlags
    self.elements = elements
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }
}

/// The kind of value an attribute holds, with Core Data's number for it.
package enum AttributeType: UInt32, CaseIterable, Hashable, Sendable {
  /// No type, which only what isn't stored may have.
  case undefined = 0

  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  /// A decimal number, stored as the number nearest to it.
  case decimal = 400

  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  /// Seconds since 2001-01-01 UTC, as a double.
  case date = 900

  /// Bytes, in the row or, where that is allowed, in a file beside the store.
  case binary = 1000

  /// A UUID, stored as 16 bytes.
  case uuid = 1100

  /// A URL, stored as text.
  case uri = 1200

  /// An object that a transformer turns into bytes.
  case transformable = 1800

  /// A reference to any row, which isn't stored.
  case objectID = 2000

  /// Attributes under one name, each leaf with a column of its own.
  case composite = 2100

  /// A value that SwiftData encodes; the form of its columns isn't known.
  case codable = 2200

  /// The type's name in schema files.
  package var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    case .codable: "Codable"
    }
  }

  /// The type with a name as schema files spell it.
  package init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The class of the type's values where the model names no other.
  package var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .composite: "NSDictionary"
    case .undefined, .transformable, .objectID, .codable: nil
    }
  }
}

/// A value inside a model: a default, or a part of a `userInfo`.
package indirect enum ModelValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data([UInt8])

  /// Seconds since 2001-01-01 UTC.
  case date(Double)

  /// 16 bytes, in RFC 4122 order.
  case uuid([UInt8])
  case url(String)

  /// A decimal number in its usual spelling.
  case decimal(String)
  case array([ModelValue])
  case dictionary([String: ModelValue])
}
