package import Migrations
import Platform
import SQLite
import StoreModel

/// SQL functions that make a UUID from a text.
///
/// The UUID has the first 128 bits of the text's SHA-256, but for those of version 8 and the variant
/// (RFC 9562, §5.8).
package enum NewUUIDFunction {
  /// Returns the SQL of the UUID that a row gets for an attribute.
  ///
  /// It is made from the store's UUID, the attribute and the key, so it is the same in every run, and
  /// no two rows have one.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - isText: Whether the result is a text, not 16 bytes.
  ///   - storeUUID: The store's UUID, as its metadata has it.
  ///   - key: The SQL of the row's key.
  /// - Returns: SQL that calls one of the functions.
  package static func sql(
    _ path: PropertyPath, isText: Bool, storeUUID: String?, key: String
  ) -> String {
    let seed = Value.text("\(storeUUID ?? "")/\(path)/").literal
    return "\(name(isText: isText))(\(seed) || \(key))"
  }

  /// The name of the function for 16 bytes, and of that for their text.
  static func name(isText: Bool) -> String { isText ? "new_uuid_text" : "new_uuid" }

  static let both = [
    ScalarFunction(name(isText: false)) { .blob(bytes(of: $0[0].bytes ?? [])) },
    ScalarFunction(name(isText: true)) { .text(uuidTextBytes(bytes(of: $0[0].bytes ?? []))) },
  ]

  private static func bytes(of seed: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(seed.span)
    var bytes = Array(hash.finalize().prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}
