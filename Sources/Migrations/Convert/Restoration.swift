package import JSONText
package import SQLite
import StoreModel

/// How well the inverse converter restores a value, from worst to best.
package enum Restoration: Hashable, Sendable {
  /// Other values are computed from it, and they don't restore it.
  case computed

  /// It is outside the converter's range, and became the range's nearest limit.
  case clamped

  /// It is a number that lost precision.
  case rounded

  /// It is unchanged, or the inverse converter gives it back byte for byte.
  case exact
}

extension Converter {
  /// Whether there are values that the inverse converter doesn't restore.
  ///
  /// White space between the tokens of JSON isn't part of a value.
  package var mayLose: Bool {
    switch self {
    case .jsonText, .rawValue: false
    case .jsonBytes, .real, .integer, .quantity, .quantityText, .formula: true
    }
  }

  /// Returns how well a value is restored.
  ///
  /// - Parameters:
  ///   - input: The index of the value among the converter's inputs.
  ///   - inputs: The values that were converted.
  ///   - outputs: The values that they became.
  ///   - payloads: The converter of payloads, whose buffer is reused from row to row.
  /// - Returns: The restoration; a number is the same value as an integer and as a real.
  package func restoration(
    of input: Int, _ inputs: [Value], from outputs: [Value],
    using payloads: inout PayloadConverter
  ) -> Restoration {
    let value = inputs[input]
    if !mayLose || outputs.contains(value) { return .exact }
    if self == .jsonBytes && value.bytes == outputs[0].bytes { return .exact }
    let range: ClosedRange<Double>
    switch self {
    case .jsonText, .rawValue, .jsonBytes, .quantity, .quantityText:
      let restored = try? inverse.convert(outputs, using: &payloads).values[input]
      return restored.map(value.isSame) == true ? .exact : .computed
    case .real: range = -.infinity ... .infinity
    case .integer(let type): range = type.limits
    case .formula(let converter): range = converter.forward.range
    }
    if let restored = try? inverse.number(from: outputs[0]), value.isSame(as: restored) {
      return .exact
    }
    return value.isNumber(in: range) ? .rounded : .clamped
  }
}

extension AttributeType {
  /// The numbers that round to one of the type.
  fileprivate var limits: ClosedRange<Double> {
    guard let range = integerRange, self != .integer64 else { return -0x1p63...0x1p63.nextDown }
    return (Double(range.lowerBound) - 0.5).nextUp...(Double(range.upperBound) + 0.5).nextDown
  }
}

extension Value {
  /// Returns whether the bytes are the same; an integer is the same as the real of its value.
  fileprivate func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
      Int64(exactly: real) == whole
    default: self == other
    }
  }

  fileprivate func isNumber(in range: ClosedRange<Double>) -> Bool {
    (try? number()).flatMap(\.self).map(range.contains) ?? false
  }
}
