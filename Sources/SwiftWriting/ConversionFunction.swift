import Migrations
import StoreModel

/// A function in a migration plan that converts a value as `apply` does.
enum ConversionFunction: String, CaseIterable, Hashable {
  case jsonText, real, integer, moodValue, moodValence

  /// The function of a converter; `nil` if no function converts values of the type.
  init?(_ converter: Converter, from input: AttributeType) {
    let isInteger = [.integer16, .integer32, .integer64].contains(input)
    let isReal = [.double, .float].contains(input)
    switch converter {
    case .jsonText where input == .binary: self = .jsonText
    case .real where isInteger: self = .real
    case .integer where isReal: self = .integer
    case .moodValue where isReal: self = .moodValue
    case .moodValence where isInteger: self = .moodValence
    default: return nil
    }
  }

  /// The lines of the function.
  var lines: [String] {
    switch self {
    case .jsonText: Self.jsonTextLines
    case .real:
      [
        "/// The number as a real one.",
        "static func real(_ number: (some BinaryInteger)?) -> Double? { number.map { Double($0) } }",
      ]
    case .integer:
      [
        "/// The nearest integer, away from zero if two are equally near.",
        "static func integer(_ number: (some BinaryFloatingPoint)?) -> Int? {",
        "  guard let number else { return nil }",
        "  let rounded = number.rounded(.toNearestOrAwayFromZero)",
        "  return Int(exactly: rounded) ?? (rounded < 0 ? .min : .max)", "}",
      ]
    case .moodValue:
      [
        "/// The value of a mood, 1 to 10, from its valence, -1 to 1.",
        "static func moodValue(_ valence: (some BinaryFloatingPoint)?) -> Int? {",
        "  valence.map {",
        "    let exact = ((Double($0) + 1) * 4.5 + 1).rounded(.toNearestOrAwayFromZero)",
        "    return Int(min(max(exact, 1), 10))", "  }", "}",
      ]
    case .moodValence:
      [
        "/// The valence of a mood, -1 to 1, from its value, 1 to 10.",
        "static func moodValence(_ value: (some BinaryInteger)?) -> Double? {",
        "  value.map { (Double(min(max($0, 1), 10)) - 1) / 4.5 - 1 }", "}",
      ]
    }
  }

  /// Foundation's parser takes the escape of a lone surrogate for an error, which `apply` doesn't.
  private static let jsonTextLines = [
    "/// JSON without insignificant whitespace, anything else in Base64, and nil if there are no bytes.",
    "static func jsonText(_ bytes: Data?) -> String? {",
    "  guard let bytes, !bytes.isEmpty else { return nil }",
    "  guard (try? JSONSerialization.jsonObject(with: bytes)) != nil,",
    "    !bytes.starts(with: [0xEF, 0xBB, 0xBF]), let text = String(data: bytes, encoding: .utf8)",
    "  else { return bytes.base64EncodedString() }",
    "  var result = String.UnicodeScalarView()",
    "  var isInString = false",
    "  var isEscaped = false",
    "  for scalar in text.unicodeScalars {",
    "    if !isInString {",
    "      if [\" \", \"\\t\", \"\\n\", \"\\r\"].contains(scalar) { continue }",
    "      // Foundation takes a comma before a bracket for JSON.",
    "      if [\"]\", \"}\"].contains(scalar), result.last == \",\" { return bytes.base64EncodedString() }",
    "    }",
    "    result.append(scalar)",
    "    if scalar == \"\\\"\" && !isEscaped { isInString.toggle() }",
    "    isEscaped = isInString && scalar == \"\\\\\" && !isEscaped",
    "  }",
    "  return String(result)",
    "}",
  ]
}
