package import JSONText
package import SQLite

extension Converter {
  package static func jsonText(
    _ value: Value, _ payloads: inout PayloadConverter
  ) throws(ConversionError) -> Converted {
    switch value {
    case .null: return Converted(.null, PayloadClass.empty.rawValue)
    case .text(let bytes), .blob(let bytes):
      let kind = payloads.convert(bytes.span)
      switch kind {
      case .empty: return Converted(.null, kind.rawValue)
      case .identical: return Converted(.text(bytes), kind.rawValue)
      case .normalised, .base64:
        return Converted(.text(payloads.withOutput { Array(copying: $0) }), kind.rawValue)
      }
    case .integer, .real:
      throw ConversionError(input: 0, reason: "holds a number where bytes are expected")
    }
  }

  package static func jsonBytes(
    _ value: Value, _ payloads: inout PayloadConverter
  ) throws(ConversionError) -> Converted {
    switch value {
    case .null: return Converted(.blob([]), "empty")
    case .text(let bytes), .blob(let bytes):
      switch payloads.revert(bytes.span) {
      case .json: return Converted(.blob(bytes), "json")
      case .base64: return Converted(.blob(payloads.withOutput { Array(copying: $0) }), "base64")
      case .other: return Converted(.blob(bytes), "other")
      }
    case .integer, .real:
      throw ConversionError(input: 0, reason: "holds a number where a text is expected")
    }
  }
}
