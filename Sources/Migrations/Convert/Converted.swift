package import JSONText
package import SQLite

/// What a conversion made of the values of one row.
package struct Converted {
  /// The values made, in the converter's order.
  package let values: [Value]

  /// The class by which plans count it.
  package let kind: String
}

/// A value that a converter can't read.
package struct ConversionError: Error {
  /// Which of the converter's inputs it is.
  package let input: Int

  /// What is wrong with it, for people, without the value.
  package let reason: String
}

extension Converter {
  /// Converts the values of one row.
  ///
  /// - Parameters:
  ///   - inputs: As many values as ``inputCount`` says.
  ///   - payloads: The scanner of JSON texts, with a buffer that is kept from row to row.
  /// - Returns: As many values as ``outputCount`` says.
  /// - Throws: A ``ConversionError`` for a value of another kind than the converter reads.
  package func convert(
    _ inputs: [Value], using payloads: inout PayloadConverter
  ) throws(ConversionError) -> Converted {
    switch self {
    case .jsonText: try Self.jsonText(inputs[0], &payloads)
    case .jsonBytes: try Self.jsonBytes(inputs[0], &payloads)
    case .rawValue: try Self.rawValue(inputs[0])
    case .real: try Self.real(inputs[0])
    case .integer: try Self.integer(inputs[0])
    case .quantity: try Self.quantity(inputs[0], notes: inputs[1])
    case .quantityText: try Self.quantityText(inputs[0], unit: inputs[1], notes: inputs[2])
    case .moodValue: try Self.moodValue(inputs[0])
    case .moodValence: try Self.moodValence(inputs[0])
    }
  }
}

extension Converted {
  package init(_ value: Value, _ kind: String) {
    self.init(values: [value], kind: kind)
  }
}

extension Value {
  /// The number, whole or real.
  ///
  /// - Parameter input: The place of the value among the converter's inputs.
  /// - Returns: The number; none for NULL.
  /// - Throws: A ``ConversionError`` for a text or bytes.
  package func number(input: Int = 0) throws(ConversionError) -> Double? {
    switch self {
    case .null: return nil
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case .text:
      throw ConversionError(input: input, reason: "holds a text where a number is expected")
    case .blob:
      throw ConversionError(input: input, reason: "holds bytes where a number is expected")
    }
  }

  /// The text.
  ///
  /// - Parameter input: The place of the value among the converter's inputs.
  /// - Returns: The text; none for NULL.
  /// - Throws: A ``ConversionError`` for a number, bytes, or a text that isn't UTF-8.
  package func text(input: Int = 0) throws(ConversionError) -> String? {
    switch self {
    case .null: return nil
    case .text(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw ConversionError(input: input, reason: "holds a text that isn't UTF-8")
      }
      return text
    case .blob: throw ConversionError(input: input, reason: "holds bytes where a text is expected")
    case .integer, .real:
      throw ConversionError(input: input, reason: "holds a number where a text is expected")
    }
  }
}
