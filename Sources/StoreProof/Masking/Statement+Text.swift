import JSONText
import Platform
package import SQLite
package import StoreModel

extension Statement {
  /// The size in bytes of the longest blob that is written in full.
  private static var blobLimit: Int { 256 }

  /// Returns a value as text; two values have the same text only if SQLite would store the same.
  ///
  /// Text is quoted as in JSON; UUIDs and numbers are unquoted. A blob is in hexadecimal digits, a
  /// long blob is given by its size and SHA-256.
  package func text(at column: Int, as attribute: AttributeType) -> String {
    switch type(at: column) {
    case .null: "null"
    case .integer: text(of: int64(at: column), as: attribute)
    case .real: "\(double(at: column))"
    case .text: text(ofUTF8: bytes(at: column))
    case .blob: text(ofBlob: bytes(at: column), as: attribute)
    }
  }

  private func text(of number: Int64, as attribute: AttributeType) -> String {
    guard attribute == .boolean, number == 0 || number == 1 else { return "\(number)" }
    return number == 1 ? "true" : "false"
  }

  private func text(ofUTF8 bytes: [UInt8]) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return "text x'\(Hexadecimal.encode(bytes))'"
    }
    return JSONValue.string(text).text()
  }

  private func text(ofBlob bytes: [UInt8], as attribute: AttributeType) -> String {
    if attribute == .uuid && bytes.count == 16 { return uuidText(bytes) }
    if bytes.count <= Self.blobLimit { return "x'\(Hexadecimal.encode(bytes))'" }
    return "\(bytes.count) bytes, SHA-256 \(Hexadecimal.encode(sha256(bytes)))"
  }
}
