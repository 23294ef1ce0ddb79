import JSONText
import StoreModel

/// Writes default values of a model as Swift expressions.
struct DefaultLiteral {
  let names: TypeNames

  /// Returns the expression of a value; `nil` if the value doesn't fit the type or has no literal.
  ///
  /// Composite and transformable attributes aren't covered.
  func expression(_ value: ModelValue, of type: AttributeType) -> String? {
    switch type {
    case .boolean: boolean(value)
    case .integer16: integer(value).flatMap { Int16(exactly: $0) }.map(String.init)
    case .integer32: integer(value).flatMap { Int32(exactly: $0) }.map(String.init)
    case .integer64: integer(value).map { String($0) }
    case .double: real(value).map { "\($0)" }
    case .float: real(value).map { Float($0) }.flatMap { $0.isFinite ? "\($0)" : nil }
    case .decimal: decimal(value)
    case .string: if case .string(let text) = value { text.swiftLiteral } else { nil }
    case .date: date(value)
    case .binary: bytes(value)
    case .uuid: if case .uuid = value { "\(names["UUID"])()" } else { nil }
    case .uri: url(value)
    case .undefined, .transformable, .objectID, .composite, .codable: nil
    }
  }

  private func boolean(_ value: ModelValue) -> String? {
    switch value {
    case .boolean(let flag): "\(flag)"
    case .integer(0), .integer(1): "\(value == .integer(1))"
    default: nil
    }
  }

  private func integer(_ value: ModelValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  private func real(_ value: ModelValue) -> Double? {
    switch value {
    case .real(let number): number.isFinite ? number : nil
    case .integer(let number): Double(number)
    default: nil
    }
  }

  private func decimal(_ value: ModelValue) -> String? {
    let text: String? =
      switch value {
      case .decimal(let text): text
      default: real(value).map { "\($0)" }
      }
    guard let text, Double(text)?.isFinite == true else { return nil }
    return "\(names["Decimal"])(string: \(text.swiftLiteral)) ?? 0"
  }

  /// A moment with a fraction of a second was taken when SwiftData built the schema.
  private func date(_ value: ModelValue) -> String? {
    guard case .date(let seconds) = value, seconds.isFinite else { return nil }
    return seconds == seconds.rounded()
      ? "\(names["Date"])(timeIntervalSinceReferenceDate: \(seconds))" : "\(names["Date"]).now"
  }

  private func bytes(_ value: ModelValue) -> String? {
    guard case .data(let bytes) = value else { return nil }
    let type = names["Data"]
    return bytes.isEmpty
      ? "\(type)()" : "\(type)(base64Encoded: \"\(base64Encoded(bytes))\") ?? \(type)()"
  }

  private func url(_ value: ModelValue) -> String? {
    let text: String
    switch value {
    case .url(let url): text = url
    case .string(let string): text = string
    default: return nil
    }
    return "\(names["URL"])(string: \(text.swiftLiteral)) ?? \(names["URL"])(filePath: \"/\")"
  }
}

extension ModelValue {
  /// Whether the expression of the value stands for another value each time a schema is built.
  var isFrozen: Bool {
    switch self {
    case .uuid: true
    case .date(let seconds): seconds.isFinite && seconds != seconds.rounded()
    default: false
    }
  }
}
