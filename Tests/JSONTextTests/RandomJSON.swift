import TestSupport

/// Creates random JSON text, and damages it.
struct RandomJSON {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Returns an object or array, with or without insignificant whitespace.
  mutating func document() -> [UInt8] {
    let spaces = Bool.random(using: &generator)
    return Array((gap(spaces) + list(depth: 4, spaces) + gap(spaces)).utf8)
  }

  /// Returns a text with a few bytes replaced, removed or inserted.
  mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !text.isEmpty {
      let index = text.indices.randomElement(using: &generator) ?? 0
      let byte =
        Bool.random(using: &generator)
        ? UInt8.random(in: 0...255, using: &generator)
        : Array("{}[],:\"\\ \n0-.eEtu".utf8).randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: text[index] = byte
      case 1: text.remove(at: index)
      case 2: text.insert(byte, at: index)
      default: text.removeSubrange(index...)
      }
    }
    return text
  }

  mutating func bytes() -> [UInt8] {
    let count = Int.random(in: 0..<200, using: &generator)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private mutating func list(depth: Int, _ spaces: Bool) -> String {
    let isObject = Bool.random(using: &generator)
    let items = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
      let key = isObject ? string() + gap(spaces) + ":" + gap(spaces) : ""
      return gap(spaces) + key + value(depth: depth - 1, spaces) + gap(spaces)
    }
    let body = items.isEmpty ? gap(spaces) : items.joined(separator: ",")
    return isObject ? "{\(body)}" : "[\(body)]"
  }

  private mutating func value(depth: Int, _ spaces: Bool) -> String {
    switch Int.random(in: depth > 0 ? 0..<8 : 4..<8, using: &generator) {
    case 0..<4: list(depth: depth, spaces)
    case 4: pick(["true", "false", "null"])
    case 5: pick(["0", "-0", "1.0", "1e400", "12345678901234567890", "-12.5E-3", "0.00", "7e+1"])
    default: string()
    }
  }

  private mutating func string() -> String {
    let pieces = [
      "a", "key", "plain text of some length", " ", "  ", "\u{7F}", "é", "日本", "🙂", "\u{10FFFF}",
      "\\n", "\\\"", "\\\\", "\\/", "\\u0000", "\\ud800", "\\uD83D\\uDE42", "{", "]", ",", ":",
    ]
    let count = Int.random(in: 0..<6, using: &generator)
    return "\"" + (0..<count).map { _ in pick(pieces) }.joined() + "\""
  }

  private mutating func gap(_ spaces: Bool) -> String {
    spaces ? pick(["", "", "", " ", "\n", "\r\n  ", "\t", "          "]) : ""
  }

  private mutating func pick(_ choices: [String]) -> String {
    choices.randomElement(using: &generator) ?? ""
  }
}
