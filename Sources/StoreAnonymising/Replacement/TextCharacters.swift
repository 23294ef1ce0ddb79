/// The characters of a text that are replaced, each by one of its class and length in UTF-8.
struct TextCharacters {
  /// A character: its bytes, and whether it is replaced.
  struct Character: Hashable {
    var bytes: [UInt8]
    let original: [UInt8]
    let isReplaced: Bool
  }

  private(set) var characters: [Character]

  /// The number of characters that are replaced.
  var count: Int { characters.count { $0.isReplaced } }

  var bytes: [UInt8] { characters.flatMap(\.bytes) }

  /// Divides a text into characters.
  ///
  /// Letters, digits and what isn't ASCII are replaced, but not what joins characters or changes the
  /// one before. Punctuation is if three characters of it
  /// stand together, or if the text has nothing else. White space and control characters stay.
  init(_ text: [UInt8]) {
    let pieces = Self.pieces(of: text)
    let hasWords = pieces.contains { $0[0].isOfWord }
    characters = pieces.indices.map { place in
      let piece = pieces[place]
      let isPunctuation = piece[0].isPunctuation
      var neighbours = 0
      if isPunctuation && hasWords {
        neighbours += pieces[..<place].suffix(2).reversed().prefix { $0[0].isPunctuation }.count
        neighbours += pieces[(place + 1)...].prefix(2).prefix { $0[0].isPunctuation }.count
      }
      return Character(
        bytes: piece, original: piece,
        isReplaced: (piece[0].isOfWord && !piece.isJoining)
          || (isPunctuation && (!hasWords || neighbours >= 2)))
    }
  }

  /// The scalars of a text; a byte that isn't UTF-8 stands alone.
  private static func pieces(of text: [UInt8]) -> [[UInt8]] {
    guard String(validating: text, as: UTF8.self) != nil else { return text.map { [$0] } }
    return String(decoding: text, as: UTF8.self).unicodeScalars.map { Array(String($0).utf8) }
  }

  /// Replaces all characters; widely, a letter may stand in for any of them.
  mutating func fill(widely: Bool, _ random: inout RandomBytes) {
    for place in characters.indices { replace(place, widely: widely, &random) }
  }

  /// Replaces, for each of some bytes, a character within the run of eight that ends there.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  mutating func replace(before bytes: [Int], widely: Bool, _ random: inout RandomBytes) {
    var owners: [Int] = []
    for (index, character) in characters.enumerated() {
      owners += repeatElement(index, count: character.bytes.count)
    }
    for byte in bytes where byte < owners.count {
      let first = owners[max(0, byte - 7)]
      var candidates = (first...owners[byte]).filter { characters[$0].isReplaced }
      // Nothing but signs and accents: an accent has to change.
      if candidates.isEmpty {
        candidates = (first...owners[byte]).filter { characters[$0].original[0].isOfWord }
      }
      guard !candidates.isEmpty else { continue }
      change(candidates[Int(random.below(UInt64(candidates.count)))], widely: widely, &random)
    }
  }

  private mutating func replace(_ place: Int, widely: Bool, _ random: inout RandomBytes) {
    if characters[place].isReplaced { change(place, widely: widely, &random) }
  }

  private mutating func change(_ place: Int, widely: Bool, _ random: inout RandomBytes) {
    characters[place].bytes = Self.other(
      for: characters[place].original, widely: widely, &random)
  }

  private static func other(
    for original: [UInt8], widely: Bool, _ random: inout RandomBytes
  ) -> [UInt8] {
    func letter(_ first: UInt32, _ count: UInt64) -> [UInt8] {
      let scalar = Unicode.Scalar(first + UInt32(random.below(count))) ?? "x"
      return Array(String(scalar).utf8)
    }
    switch original[0] {
    case 0x30...0x39: return widely ? letter(0x61, 26) : letter(0x30, 10)
    case 0x41...0x5A: return widely ? letter(0x100, 0x7F) : letter(0x41, 26)
    case 0x61...0x7A: return widely ? letter(0x100, 0x7F) : letter(0x61, 26)
    case 0x80...0xFF where original.count == 1: return [UInt8(0x80 + random.below(0x40))]
    case 0x80...0xDF: return letter(0x00E0, 0x60)
    case 0xE0...0xEF: return letter(0x4E00, 0x5000)
    case 0xF0...0xFF: return letter(0x1F300, 0x200)
    default:
      if widely { return letter(0x61, 26) }
      let signs = Array("!#$%&*+-.:;<=>?@^_~|".utf8)
      return [signs[Int(random.below(UInt64(signs.count)))]]
    }
  }
}

extension [UInt8] {
  /// Whether a scalar joins its neighbours or changes the one before: accents, joiners, variants.
  fileprivate var isJoining: Bool {
    guard count == 2 || count == 3,
      let scalar = String(decoding: self, as: UTF8.self).unicodeScalars.first
    else { return false }
    return [0x0300...0x036F, 0x200B...0x200F, 0xFE00...0xFE0F].contains {
      $0.contains(scalar.value)
    }
  }
}

extension UInt8 {
  fileprivate var isPunctuation: Bool { self > 0x20 && self < 0x7F && !isOfWord }
}
