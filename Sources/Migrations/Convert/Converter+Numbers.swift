import JSONText
package import SQLite

extension Converter {
  /// Returns the text unchanged: a column holds the raw value of an enumeration as text.
  package static func rawValue(_ value: Value) throws(ConversionError) -> Converted {
    guard try value.text() != nil else { return Converted(.null, "missing") }
    return Converted(value, "identical")
  }

  /// Converts a number; its class says how well the inverse converter restores it.
  func convertNumber(_ value: Value) throws(ConversionError) -> Converted {
    let made = try number(from: value)
    if value.isNull { return Converted(.null, "missing") }
    var payloads = PayloadConverter()
    return switch restoration(of: 0, [value], from: [made], using: &payloads) {
    case .exact: Converted(made, "exact")
    case .rounded, .computed: Converted(made, "rounded")
    case .clamped: Converted(made, "clamped")
    }
  }

  /// Returns the number that a number becomes; NULL stays NULL.
  ///
  /// - `integer` rounds half away from zero; a number outside the range of `Int64` becomes the
  ///   nearest limit.
  /// - `mood-value` is FitIQ's formula: `round((valence + 1) · 4.5 + 1)`, half away from zero,
  ///   within 1…10. `mood-valence` is its inverse, for a value within 1…10.
  ///
  /// - Throws: A ``ConversionError`` for text or bytes.
  func number(from value: Value) throws(ConversionError) -> Value {
    guard let number = try value.number() else { return .null }
    switch self {
    case .integer:
      if case .integer = value { return value }
      let rounded = number.rounded(.toNearestOrAwayFromZero)
      return .integer(Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max))
    case .moodValue:
      let exact = ((number + 1) * 4.5 + 1).rounded(.toNearestOrAwayFromZero)
      return .integer(Int64(min(max(exact, 1), 10)))
    case .moodValence: return .real((min(max(number, 1), 10) - 1) / 4.5 - 1)
    case .real, .jsonText, .jsonBytes, .rawValue, .quantity, .quantityText: return .real(number)
    }
  }
}
