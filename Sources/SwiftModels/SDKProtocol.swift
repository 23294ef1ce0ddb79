/// The protocols of Swift's library and Apple's SDKs that apps' types conform to.
enum SDKProtocol {
  private static let names: Set<String> = [
    "Actor", "AdditiveArithmetic", "AnyActor", "AnyObject", "AppEntity", "AppEnum", "AppIntent",
    "BidirectionalCollection", "BitwiseCopyable", "CaseIterable", "Codable", "CodingKey",
    "CodingKeyRepresentable", "Collection", "Comparable", "Copyable",
    "CustomDebugStringConvertible",
    "CustomLocalizedStringResourceConvertible", "CustomNSError", "CustomReflectable",
    "CustomStringConvertible", "CVarArg", "Decodable", "DynamicProperty", "Encodable",
    "EntityIdentifierConvertible", "EnvironmentKey", "Equatable", "Error", "Escapable",
    "ExpressibleByArrayLiteral", "ExpressibleByBooleanLiteral", "ExpressibleByDictionaryLiteral",
    "ExpressibleByFloatLiteral", "ExpressibleByIntegerLiteral", "ExpressibleByNilLiteral",
    "ExpressibleByStringInterpolation", "ExpressibleByStringLiteral",
    "ExpressibleByUnicodeScalarLiteral",
    "Hashable", "Identifiable", "IndexedEntity", "InstanceDisplayRepresentable", "IteratorProtocol",
    "LocalizedError", "LosslessStringConvertible", "MKAnnotation", "MutableCollection",
    "NSCoding", "NSCopying", "NSItemProviderReading", "NSItemProviderWriting", "NSObjectProtocol",
    "NSSecureCoding", "Observable", "ObservableObject", "OptionSet", "PersistentModel", "Plottable",
    "PredicateExpression", "RandomAccessCollection", "RawRepresentable", "RecoverableError",
    "ReferenceConvertible", "Sendable", "SendableMetatype", "Sequence", "SetAlgebra", "ShapeStyle",
    "Strideable", "TextOutputStreamable", "Transferable", "URLRepresentableEntity",
    "URLRepresentableEnum", "VectorArithmetic", "View",
  ]

  /// Returns whether a name, with or without its module, is one of the protocols.
  static func isNamed(_ name: String) -> Bool {
    names.contains(name.split(separator: ".").last.map(String.init) ?? name)
  }
}
