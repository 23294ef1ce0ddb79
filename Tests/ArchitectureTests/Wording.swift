/// Phrases that the project doesn't use, found as whole words across lines and comment signs.
struct Wording {
  /// A phrase in a file.
  struct Finding: Equatable {
    let line: Int
    let phrase: String
  }

  /// Each phrase by its first two bytes.
  private var phrases: [UInt16: [[UInt8]]] = [:]

  init(_ phrases: [String]) {
    for phrase in phrases {
      let bytes = Array(phrase.utf8)
      self.phrases[Self.key(bytes[0], bytes[1]), default: []].append(bytes)
    }
  }

  private static func key(_ first: UInt8, _ second: UInt8) -> UInt16 {
    UInt16(first) << 8 | UInt16(second)
  }

  /// Finds the phrases in a text; a phrase that ends with a word's letter ends with the word.
  func findings(in bytes: [UInt8], fromLine first: Int = 1) -> [Finding] {
    let (text, lines) = Self.normalised(bytes, fromLine: first)
    var findings: [Finding] = []
    var end = 0
    for place in text.indices.dropLast() where place >= end {
      guard place == 0 || !text[place - 1].isLetter || !text[place].isLetter,
        let candidates = phrases[Self.key(text[place], text[place + 1])]
      else { continue }
      for phrase in candidates where Self.occurs(phrase, in: text, at: place) {
        end = place + phrase.count
        findings.append(
          Finding(line: lines[place], phrase: String(decoding: phrase, as: UTF8.self)))
      }
    }
    return findings
  }

  private static func occurs(_ phrase: [UInt8], in text: [UInt8], at place: Int) -> Bool {
    let end = place + phrase.count
    guard end <= text.count, (0..<phrase.count).allSatisfy({ text[place + $0] == phrase[$0] })
    else { return false }
    return end == text.count || !phrase[phrase.count - 1].isLetter || !text[end].isLetter
  }

  /// The text in small letters, with one space for spaces and signs of comments, and the line of each byte.
  private static func normalised(_ bytes: [UInt8], fromLine first: Int) -> ([UInt8], [Int]) {
    var text: [UInt8] = []
    var lines: [Int] = []
    text.reserveCapacity(bytes.count)
    lines.reserveCapacity(bytes.count)
    var line = first
    for byte in bytes {
      let isSpace: Bool
      switch byte {
      case 0x0A:
        line += 1
        isSpace = true
      case 0x20, 0x09, UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "*"), UInt8(ascii: "\\"):
        isSpace = true
      default: isSpace = false
      }
      if isSpace && text.last == 0x20 { continue }
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      text.append(isSpace ? 0x20 : isCapital ? byte | 0x20 : byte)
      lines.append(line)
    }
    return (text, lines)
  }
}
