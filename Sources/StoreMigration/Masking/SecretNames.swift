/// The words by which an attribute or a key says that its value is a secret.
///
/// They are found within longer names too (`authToken`, `refresh_token`, `passwordHash`): to hide a
/// count of tokens does less harm than to show a token.
enum SecretNames {
  private static let words = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
    "privatekey", "credential", "authorization", "cookie",
  ].map { Array($0.utf8) }

  /// Returns whether one of the words occurs in a text, in any case, with dashes between its parts
  /// or without.
  static func occur(in text: String) -> Bool {
    let letters = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "-"): nil
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: byte
      }
    }
    return words.contains { letters.contains($0) }
  }
}
