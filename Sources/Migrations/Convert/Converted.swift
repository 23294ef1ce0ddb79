package import JSONText
package import SQLite

/// The result of converting the values of one row.
package struct Converted {
  /// The converted values, in the order of the converter's outputs.
  package let values: [Value]

  /// The class under which plans count the result.
  package let kind: String
}

/// A value that a converter can't read.
package struct ConversionError: Error {
  /// The index of the value among the converter's inputs.
  package let input: Int

  /// What is wrong with the value, for people; the value isn't part of the text.
  package let reason: String
}

extension Converter {
  /// Converts the values of one row.
  ///
  /// - Parameters:
  ///   - inputs: The values; their number is ``inputCount``.
  ///   - payloads: The converter of payloads, whose buffer is reused from row to row.
  /// - Returns: The converted values; their number is ``outputCount``.
  /// - Throws: A ``ConversionError`` if a value has a type that the converter doesn't read.
  package func convert(
    _ inputs: [Value], using payloads: inout PayloadConverter
  ) throws(ConversionError) -> Converted {
    switch self {
    case .jsonText: try Self.jsonText(inputs[0], &payloads)
    case .jsonBytes: try Self.jsonBytes(inputs[0], &payloads)
    case .rawValue: try Self.rawValue(inputs[0])
    case .real, .integer, .formula: try convertNumber(inputs[0])
    case .quantity: try Self.quantity(inputs[0], notes: inputs[1])
    case .quantityText: try Self.quantityText(inputs[0], unit: inputs[1], notes: inputs[2])
    }
  }
}

extension Converted {
  package init(_ value: Value, _ kind: String) {
    self.init(values: [value], kind: kind)
  }
}

extension Value {
  /// Returns the value of an integer or a real number.
  ///
  /// - Parameter input: The index of the value among the converter's inputs.
  /// - Returns: The number, or `nil` for NULL.
  /// - Throws: A ``ConversionError`` for text or bytes.
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

  /// Returns the value of a text.
  ///
  /// - Parameter input: The index of the value among the converter's inputs.
  /// - Returns: The text, or `nil` for NULL.
  /// - Throws: A ``ConversionError`` for a number, bytes, or text that isn't UTF-8.
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
