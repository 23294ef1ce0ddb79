/// The words in the names of attributes and keys whose values are secrets.
///
/// They match within longer names too (`authToken`, `refresh_token`, `passwordHash`): hiding a
/// count of tokens does less harm than showing a token.
package enum SecretNames {
  private static let words = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
    "privatekey", "credential", "authorization", "cookie", "pwd", "jwt", "bearer",
  ].map { Array($0.utf8) }

  /// The second letters of words by their first letter, as a bit for each letter of the alphabet.
  ///
  /// Two letters rule out nearly all other names.
  private static let secondLetters: InlineArray<26, UInt32> = {
    var seconds = InlineArray<26, UInt32>(repeating: 0)
    for word in words { if let first = word[0].letter { seconds[first] |= word[1].letterBit } }
    return seconds
  }()

  /// The number of bytes in the shortest word.
  private static let shortest = words.map(\.count).min() ?? 1

  /// Returns whether one of the words occurs in a text, ignoring case.
  ///
  /// Hyphens and underscores within the word are ignored.
  package static func occur(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return occur(in: bytes.span)
  }

  /// Returns whether one of the words occurs in the bytes of a text.
  ///
  /// It allocates nothing, because it runs for each key of each payload.
  package static func occur(in text: Span<UInt8>) -> Bool {
    guard text.count >= shortest else { return false }
    let seconds = secondLetters
    for start in 0...text.count - shortest {
      guard let first = text[start].letter, seconds[first] != 0,
        secondByte(of: text, from: start).letterBit & seconds[first] != 0
      else { continue }
      for word in words where begins(text, with: word, at: start) { return true }
    }
    return false
  }

  /// Returns the next byte that isn't a hyphen or underscore; 0 at the end of the text.
  private static func secondByte(of text: Span<UInt8>, from start: Int) -> UInt8 {
    var place = start + 1
    while place < text.count, text[place].isDash { place += 1 }
    return place < text.count ? text[place] : 0
  }

  private static func begins(_ text: Span<UInt8>, with word: [UInt8], at start: Int) -> Bool {
    var (place, matched) = (start, 0)
    while matched < word.count {
      guard place < text.count else { return false }
      let byte = text[place]
      place += 1
      if byte.isDash { continue }
      guard byte.asciiLowercased == word[matched] else { return false }
      matched += 1
    }
    return true
  }
}

extension UInt8 {
  /// The position of a letter in the alphabet, ignoring case; `nil` for other bytes.
  fileprivate var letter: Int? {
    let place = (self | 0x20) &- UInt8(ascii: "a")
    return place < 26 ? Int(place) : nil
  }

  /// The bit at a letter's position in the alphabet; 0 for other bytes.
  fileprivate var letterBit: UInt32 { letter.map { 1 &<< UInt32($0) } ?? 0 }

  fileprivate var isDash: Bool { self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }

  fileprivate var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
