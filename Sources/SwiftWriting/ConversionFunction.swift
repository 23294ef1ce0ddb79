import Migrations
import StoreModel

/// A function in a migration plan that converts a value as `apply` does.
enum ConversionFunction: Hashable {
  case jsonText, real, integer
  case formula(NumberFormula)

  /// The function of a converter; `nil` if no function converts values of the type.
  init?(_ converter: Converter, from input: AttributeType) {
    let isInteger = [.integer16, .integer32, .integer64].contains(input)
    let isReal = [.double, .float].contains(input)
    switch converter {
    case .jsonText where input == .binary: self = .jsonText
    case .real where isInteger: self = .real
    case .integer where isReal: self = .integer
    case .formula(let converter) where !converter.forward.swift.isEmpty:
      guard converter.forward.input.integerRange != nil ? isInteger : isReal else { return nil }
      self = .formula(converter.forward)
    default: return nil
    }
  }

  /// The functions that are part of the tool, in the order of plans.
  private static let general: [ConversionFunction] = [.jsonText, .real, .integer]

  /// Returns functions in the order of plans, without duplicates.
  static func ordered(_ functions: Set<ConversionFunction>) -> [ConversionFunction] {
    general.filter(functions.contains)
      + functions.subtracting(general).sorted { $0.name < $1.name }
  }

  /// The function's name.
  var name: String {
    switch self {
    case .jsonText: "jsonText"
    case .real: "real"
    case .integer: "integer"
    case .formula(let formula): formula.swiftName
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
    case .formula(let formula): formula.swift
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
