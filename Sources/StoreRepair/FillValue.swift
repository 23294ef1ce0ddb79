import Platform
import SQLite
import StoreFormat
import StoreModel

/// Reads a value that the user typed, as a type of attribute.
enum FillValue {
  /// Returns the value as it is stored.
  ///
  /// - Throws: ``RepairError/badValue(attribute:expected:)``; the value isn't repeated.
  static func stored(
    _ fill: RepairOptions.Fill, as attribute: Attribute
  ) throws(RepairError) -> Value {
    guard let value = value(fill.text, as: attribute.type), value.fits(attribute.type),
      let stored = value.stored(as: attribute)
    else {
      throw .badValue(attribute: fill.attribute, expected: expected(attribute.type))
    }
    return stored
  }

  private static func value(_ text: String, as type: AttributeType) -> ModelValue? {
    switch type {
    case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
    case .boolean: ["true": true, "false": false, "1": true, "0": false][text].map { .boolean($0) }
    case .double, .float, .decimal:
      Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    case .date: Timestamp(text: text).map { .date($0.secondsSince2001) }
    case .string: .string(text)
    case .uri: .url(text)
    case .uuid: uuidBytes(text).map { .uuid($0) }
    case .binary, .transformable:
      text.isEmpty ? .data([]) : Hexadecimal.decode(text).map { .data($0) }
    case .undefined, .objectID, .composite, .codable: nil
    }
  }

  private static func expected(_ type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64: "a whole number in the attribute's range"
    case .boolean: "'true' or 'false'"
    case .double, .float, .decimal: "a number"
    case .date: "a date in ISO 8601, such as '2025-01-31T08:00:00Z'"
    case .string: "a text"
    case .uri: "a URL"
    case .uuid: "a UUID"
    case .binary, .transformable: "bytes in hexadecimal digits"
    case .undefined, .objectID, .composite, .codable: "of a type that the tool can write"
    }
  }
}
