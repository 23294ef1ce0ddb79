import JSONText
package import SQLite
package import Migrations
import StoreModel

extension Converter {
  /// Returns whether a value could be an output of the converter for the given inputs.
  ///
  /// The rules are written independently of the code that converts, so that a mistake there isn't
  /// repeated here.
  package func could(make value: Value, output: Int, of inputs: [Value]) -> Bool {
    switch self {
    case .jsonText, .jsonBytes: isSameJSON(value, inputs[0])
    case .rawValue: value == inputs[0]
    case .real, .integer: isSameNumber(value, inputs[0])
    case .quantity: Self.isQuantity(value, output: output, of: inputs)
    case .quantityText: Self.isQuantityText(value, output: output, of: inputs)
    case .formula(let converter): Self.isResult(value, of: converter.forward, for: inputs[0])
    }
  }

  /// Returns whether two numbers differ by no more than rounding.
  private func isSameNumber(_ left: Value, _ right: Value) -> Bool {
    guard let left = left.anyNumber, let right = right.anyNumber else {
      return left.isNull && right.isNull
    }
    guard case .integer(let type) = self else { return abs(left - right) <= abs(right) * 0x1p-52 }
    // A number outside the range of the type becomes the nearest limit.
    let limit = type == .integer16 ? 0x1p15 : type == .integer32 ? 0x1p31 : 0x1p63
    if right >= limit - 1 { return left == limit - 1 }
    if right <= -limit { return left == -limit }
    return abs(left - right) <= 0.5
  }

  private func isSameJSON(_ value: Value, _ input: Value) -> Bool {
    var converter = PayloadConverter()
    let (made, source) = self == .jsonText ? (value, input) : (input, value)
    guard let bytes = made.bytes else { return source.bytes?.isEmpty ?? source.isNull }
    switch converter.revert(bytes.span) {
    case .base64: return converter.withOutput { Array(copying: $0) } == source.bytes
    case .json, .other: return bytes == source.bytes
    }
  }

  /// Returns whether a formula gives the value, evaluated again by another statement.
  private static func isResult(
    _ value: Value, of formula: NumberFormula, for input: Value
  ) -> Bool {
    if input.isNull || value.isNull { return input.isNull && value.isNull }
    return (try? formula.result(for: input, isProof: true)) == value
  }
}

extension Value {
  /// The value of an integer or a real number, else `nil`.
  var anyNumber: Double? { double ?? int64.map(Double.init) }
}
