/// The words by which an attribute or a key says that its value is a secret.
///
/// They are found within longer names too (`authToken`, `refresh_token`, `passwordHash`): to hide a
/// count of tokens does less harm than to show a token.
enum SecretNames {
  private static let words = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
    "privatekey", "credential", "authorization", "cookie", "pwd", "jwt", "bearer",
  ].map { Array($0.utf8) }

  /// The first letters of the words, a bit for each place in the alphabet.
  private static let firstLetters = words.reduce(0 as UInt32) { $0 | $1[0].letterBit }

  /// How many bytes the shortest word has.
  private static let shortest = words.map(\.count).min() ?? 1

  /// Returns whether one of the words occurs in a text, in any case.
  ///
  /// Dashes may stand between its parts.
  static func occur(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return occur(in: bytes.span)
  }

  /// Returns whether one of the words occurs in the bytes of a text.
  ///
  /// Nothing is allocated: each key of each payload is asked about.
  static func occur(in text: Span<UInt8>) -> Bool {
    guard text.count >= shortest else { return false }
    let letters = firstLetters
    for start in 0...text.count - shortest {
      let first = text[start].asciiLowercased
      guard first.letterBit & letters != 0 else { continue }
      for word in words where word[0] == first && begins(text, with: word, at: start) {
        return true
      }
    }
    return false
  }

  private static func begins(_ text: Span<UInt8>, with word: [UInt8], at start: Int) -> Bool {
    var (place, matched) = (start, 0)
    while matched < word.count {
      guard place < text.count else { return false }
      let byte = text[place]
      place += 1
      if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { continue }
      guard byte.asciiLowercased == word[matched] else { return false }
      matched += 1
    }
    return true
  }
}

extension UInt8 {
  /// One bit for a lowercase letter, at its place in the alphabet; none for anything else.
  fileprivate var letterBit: UInt32 {
    let place = self &- UInt8(ascii: "a")
    return place < 26 ? 1 &<< UInt32(place) : 0
  }

  fileprivate var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
