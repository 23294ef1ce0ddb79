import JSONText
package import SQLite
import StoreModel

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
  /// `integer` rounds half away from zero; a number outside the range of its type becomes the
  /// nearest limit.
  ///
  /// - Throws: A ``ConversionError`` for text or bytes, and if a formula gives no number of its type.
  func number(from value: Value) throws(ConversionError) -> Value {
    guard let number = try value.number() else { return .null }
    switch self {
    case .integer(let type):
      let rounded = number.rounded(.toNearestOrAwayFromZero)
      let whole = value.int64 ?? Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max)
      guard let range = type.integerRange else { return .integer(whole) }
      return .integer(min(max(whole, range.lowerBound), range.upperBound))
    case .formula(let converter): return try converter.forward.number(from: value)
    case .real, .jsonText, .jsonBytes, .rawValue, .quantity, .quantityText: return .real(number)
    }
  }
}

extension NumberFormula {
  fileprivate func number(from value: Value) throws(ConversionError) -> Value {
    let result: Value
    do throws(SQLiteError) {
      result = try self.result(for: value)
    } catch {
      throw ConversionError(input: 0, reason: "can't be converted by '\(name)': its formula fails")
    }
    guard isResult(result) else {
      throw ConversionError(
        input: 0, reason: "can't be converted by '\(name)': its formula gives no \(output.name)")
    }
    return result
  }
}
