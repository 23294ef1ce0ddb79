import Platform

extension Connection {
  /// Defines `new_uuid(seed)` and `new_uuid_text(seed)`: a UUID made from a text.
  ///
  /// It has the first 128 bits of the text's SHA-256, but for those of version 8 and the variant
  /// (RFC 9562, §5.8). Its text has upper-case digits, as Apple's systems write them.
  func defineNewUUIDs() throws(SQLiteError) {
    try define("new_uuid") { call in
      call.answer(blob: call.withBytes { newUUID($0) })
    }
    try define("new_uuid_text") { call in
      var text: [UInt8] = []
      for (place, byte) in Hexadecimal.encode(call.withBytes { newUUID($0) }).uppercased().utf8
        .enumerated()
      {
        if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
        text.append(byte)
      }
      call.answer(text: text.span)
    }
  }
}

private func newUUID(_ seed: Span<UInt8>) -> [UInt8] {
  var hash = SHA256()
  hash.update(seed)
  var bytes = Array(hash.finalize().prefix(16))
  bytes[6] = bytes[6] & 0x0F | 0x80
  bytes[8] = bytes[8] & 0x3F | 0x80
  return bytes
}
