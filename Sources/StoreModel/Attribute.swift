/// An attribute of an entity, or a leaf of a composite attribute.
package struct Attribute: Hashable, Sendable {
  /// The name.
  package let name: String

  /// The type of the attribute's values.
  package let type: AttributeType

  /// Whether the value may be `nil`.
  package var isOptional: Bool

  /// Whether the attribute isn't stored.
  package var isTransient: Bool

  /// Whether the attribute is read-only.
  package var isReadOnly: Bool

  /// Whether the attribute is part of an index.
  package var isIndexed: Bool

  /// Whether triggers in the store compute the value.
  package var isDerived: Bool

  /// The default value, which Core Data gives to existing rows when the attribute is added.
  package var defaultValue: ModelValue?

  /// The class of the values, such as `NSString` or `Array<String>`.
  package var valueClassName: String?

  /// The name of a transformable attribute's value transformer.
  package var valueTransformerName: String?

  /// Whether large values may be stored in files next to the store.
  package var allowsExternalStorage: Bool

  /// Whether persistent history keeps the values of deleted rows.
  package var isPreservedAfterDeletion: Bool

  /// Bits of `NSFlagsKey` without a property here, kept unchanged.
  package var otherFlags: Int

  /// The elements of a composite attribute, in order of declaration.
  package var elements: [Attribute]

  /// The attribute's name in an earlier version; `nil` if the model doesn't declare another.
  package var renamingIdentifier: String?

  /// A text that changes only the attribute's version hash.
  package var versionHashModifier: String?

  /// The developer's annotations.
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
    self.renamingIdentifier = renamingIdentifier == name ? nil : renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }
}

/// The type of an attribute; raw values are those of `NSAttributeType`.
package enum AttributeType: UInt32, CaseIterable, Hashable, Sendable {
  /// No type, only for attributes that aren't stored.
  case undefined = 0

  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  /// A decimal number, stored as the nearest double.
  case decimal = 400

  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  /// A date, stored as seconds since 2001-01-01 UTC.
  case date = 900

  /// Bytes, stored in the row or, with external storage, in a file next to the store.
  case binary = 1000

  /// A UUID, stored as 16 bytes.
  case uuid = 1100

  /// A URL, stored as text.
  case uri = 1200

  /// An object that a value transformer converts to bytes.
  case transformable = 1800

  /// A reference to any row; not stored.
  case objectID = 2000

  /// A group of attributes; each leaf has its own column.
  case composite = 2100

  /// A value that SwiftData encodes; its format in the store is unknown (StoreFormat.md §5.2).
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

  /// Creates a type from its name in schema files, or returns `nil` for other names.
  package init?(name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The default class of the type's values, or `nil` if the type has none.
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

extension AttributeType {
  /// The values of an integer type; `nil` for other types, Boolean included.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    case .undefined, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite, .codable:
      nil
    }
  }
}

/// A value in a model: a default value, or part of a `userInfo`.
package indirect enum ModelValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data([UInt8])

  /// A date in seconds since 2001-01-01 UTC.
  case date(Double)

  /// A UUID: 16 bytes in network byte order (RFC 4122).
  case uuid([UInt8])
  case url(String)

  /// A decimal number as text.
  case decimal(String)
  case array([ModelValue])
  case dictionary([String: ModelValue])
}
