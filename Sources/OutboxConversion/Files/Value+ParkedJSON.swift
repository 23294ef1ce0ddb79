package import JSONText
package import SQLite

extension Value {
  /// The value with its storage class, so that every bit can be restored.
  package var parkedJSON: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): ["integer": .int(number)]
    // Writes the bits: a decimal number might be read back as another value.
    case .real(let number): ["real": .string(String(number.bitPattern, radix: 16))]
    case .text(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        ["text": .string(text)]
      } else {
        ["text_base64": .string(base64Encoded(bytes))]
      }
    case .blob(let bytes): ["blob_base64": .string(base64Encoded(bytes))]
    }
  }

  package init(parked node: JSONNode) throws(JSONError) {
    if node.isNull {
      self = .null
      return
    }
    let object = try node.object(
      allowing: ["integer", "real", "text", "text_base64", "blob_base64"])
    guard let member = object.members.first, object.members.count == 1 else {
      throw node.error("a value has exactly one key, its kind")
    }
    switch member.key {
    case "integer": self = .integer(try member.node.integer)
    case "text": self = .text(try member.node.string)
    case "real":
      guard let bits = UInt64(try member.node.string, radix: 16) else {
        throw member.node.error("a real number is written as its 64 bits in hexadecimal digits")
      }
      self = .real(Double(bitPattern: bits))
    default:
      guard let bytes = base64Decoded(try member.node.string) else {
        throw member.node.error("not valid Base64")
      }
      self = member.key == "blob_base64" ? .blob(bytes) : .text(bytes)
    }
  }
}
