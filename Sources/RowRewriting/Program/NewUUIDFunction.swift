import Platform
import SQLite
import StoreModel

/// SQL functions that make a UUID from a text.
///
/// The UUID has the first 128 bits of the text's SHA-256, but for those of version 8 and the variant
/// (RFC 9562, §5.8).
enum NewUUIDFunction {
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
