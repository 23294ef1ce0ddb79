import Platform

/// A text that is a date as ISO 8601 writes it: `2024-05-01`, or with a time.
///
/// The fields and the fraction are replaced. The separators and the offset stay, so a text with an
/// offset that no place on Earth has isn't a date.
struct DateText {
  /// The seconds since 2001-01-01, without fraction and offset.
  let seconds: Double

  /// The digits after the dot; empty if there are none.
  let fraction: [UInt8]

  private let text: [UInt8]

  init?(_ text: [UInt8]) {
    guard text.count >= 10, text.count <= 40 else { return nil }
    var fields = Array("0000-00-00T00:00:00Z".utf8)
    let length = text.count == 10 ? 10 : 19
    guard text.count >= length else { return nil }
    for place in 0..<length {
      let (byte, model) = (text[place], fields[place])
      if model == 0x30 {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        fields[place] = byte
      } else if place == 10 {
        guard byte == 0x54 || byte == 0x20 else { return nil }
      } else {
        guard byte == model else { return nil }
      }
    }
    guard Self.isEnd(text.dropFirst(length)),
      let moment = Timestamp(text: String(decoding: fields, as: UTF8.self))
    else { return nil }
    seconds = Double(moment.seconds - Timestamp.referenceDate)
    let rest = text.dropFirst(length)
    fraction = rest.first == 0x2E ? Array(rest.dropFirst().prefix(while: \.isDigit)) : []
    self.text = text
  }

  /// Whether the rest of a text is a fraction and an offset, or nothing.
  private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
    var rest = rest
    if rest.first == 0x2E {
      rest = rest.dropFirst().drop { $0 >= 0x30 && $0 <= 0x39 }
    }
    guard let first = rest.first else { return true }
    if first == 0x5A { return rest.count == 1 }
    guard first == 0x2B || first == 0x2D else { return false }
    return isOffset(rest.dropFirst())
  }

  /// Whether a text is `HH`, `HHMM` or `HH:MM`, of up to 14 hours and whole quarters.
  private static func isOffset(_ text: ArraySlice<UInt8>) -> Bool {
    var digits = Array(text)
    if digits.count == 5, digits[2] == 0x3A { digits.remove(at: 2) }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isDigit) else { return false }
    let fields = digits.map { Int($0) - 0x30 } + [0, 0]
    let (hours, minutes) = (fields[0] * 10 + fields[1], fields[2] * 10 + fields[3])
    return hours * 60 + minutes <= 14 * 60 && minutes % 15 == 0 && minutes < 60
  }

  /// Returns the text of another date in the same form; `nil` for a year without four digits.
  func replaced(by seconds: Double, fraction: [UInt8]) -> [UInt8]? {
    guard abs(seconds) < 1e11 else { return nil }
    let moment = Timestamp(seconds: Int64(seconds.rounded(.down)) + Timestamp.referenceDate)
    guard (1...9999).contains(moment.calendar.year) else { return nil }
    let fields = Array(moment.text.utf8)
    var result = text
    for place in 0..<min(19, text.count) where text[place] >= 0x30 && text[place] <= 0x39 {
      guard place < fields.count else { return nil }
      result[place] = fields[place]
    }
    for (place, digit) in fraction.enumerated() { result[20 + place] = digit }
    return result
  }
}
