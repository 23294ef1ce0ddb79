import SQLite
import Migrations

extension Converter {
  static func isQuantity(_ value: Value, output: Int, of inputs: [Value]) -> Bool {
    let text = String(decoding: inputs[0].bytes ?? [], as: UTF8.self)
    guard let (number, unit) = readSlowly(text) else {
      let notes = [inputs[1].bytes ?? [], inputs[0].bytes ?? []].filter { !$0.isEmpty }
      let kept = Array(notes.joined(separator: [0x0A]))
      let isUntouched = text.trimmed.isEmpty
      return switch output {
      case 0: value == .real(0)
      case 1: value == .text([])
      default: isUntouched ? value == inputs[1] : value == .text(kept)
      }
    }
    return switch output {
    case 0: value.double.map { abs($0 - number) <= abs(number) * 0x1p-50 } ?? false
    case 1: value.string == unit
    default: value == inputs[1]
    }
  }

  static func isQuantityText(_ value: Value, output: Int, of inputs: [Value]) -> Bool {
    guard output == 0 else { return value == inputs[2] }
    guard let text = value.string else { return false }
    let number = inputs[0].anyNumber ?? 0
    let unit = inputs[1].string ?? ""
    return text.hasSuffix(unit) && (Double(text.prefix { $0 != " " }) ?? .nan) == number
  }

  /// Parses a quantity by trying every split into number and unit, the longest number first.
  private static func readSlowly(_ text: String) -> (number: Double, unit: String)? {
    let characters = Array(text.trimmed)
    // A text of more than 64 characters isn't a number.
    for cut in stride(from: min(characters.count, 64), to: 0, by: -1) {
      let rest = String(characters[cut...]).trimmed
      guard let number = number(String(characters[..<cut]).trimmed) else { continue }
      return isUnit(rest) ? (number, rest) : nil
    }
    return nil
  }

  private static func number(_ text: String) -> Double? {
    var text = text
    var sign = 1.0
    if let first = text.first, "+-\u{2212}".contains(first) {
      sign = first == "+" ? 1 : -1
      text.removeFirst()
    }
    if text.first?.isWhitespace != false { return nil }
    let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
    if parts.count == 2, isWhole(parts[0]), let whole = Double(parts[0]),
      let fraction = fraction(parts[1])
    {
      return sign * (whole + fraction)
    }
    guard parts.count == 1 else { return nil }
    if let fraction = fraction(text) { return sign * fraction }
    if let last = text.last, let fraction = fraction(String(last)),
      isWhole(String(text.dropLast())),
      let whole = Double(text.dropLast())
    {
      return sign * (whole + fraction)
    }
    return decimal(text).map { sign * $0 }
  }

  private static func decimal(_ text: String) -> Double? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    if parts.count == 1 { return isWhole(text) ? Double(text).flatMap(\.finite) : nil }
    guard parts.count == 2, isWhole(String(parts[1])),
      parts[0].isEmpty || isWhole(String(parts[0]))
    else { return nil }
    if text.contains(","), parts[1].count == 3, (1...3).contains(parts[0].count),
      !parts[0].hasPrefix("0")
    {
      return nil
    }
    return Double("0\(parts[0]).\(parts[1])").flatMap(\.finite)
  }

  private static func fraction(_ text: String) -> Double? {
    if let value = vulgarFractions[text] { return value }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\u{2044}" }
    guard parts.count == 2, isWhole(String(parts[0])), isWhole(String(parts[1])),
      let above = Double(parts[0]), let below = Double(parts[1]), below != 0
    else { return nil }
    return above / below
  }

  private static let vulgarFractions: [String: Double] = [
    "½": 0.5, "¼": 0.25, "¾": 0.75, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875, "⅕": 0.2,
    "⅖": 0.4, "⅗": 0.6, "⅘": 0.8, "⅒": 0.1, "⅓": 1 / 3, "⅔": 2 / 3, "⅙": 1 / 6, "⅚": 5 / 6,
    "⅐": 1 / 7, "⅑": 1 / 9,
  ]

  private static func isWhole(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
  }

  /// Returns whether a text can be a unit: it begins like one, and doesn't join two numbers.
  private static func isUnit(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return true }
    guard first.properties.isAlphabetic || "%\u{B0}(".unicodeScalars.contains(first) else {
      return false
    }
    let letters = text.prefix { $0.unicodeScalars.allSatisfy(\.properties.isAlphabetic) }
    let next = String(text.dropFirst(letters.count)).trimmed.first.map(String.init) ?? ""
    let joins = [
      "to", "or", "and", "x", "by", "through", "bis", "oder", "und", "a", "e", "o", "y", "ou", "et",
    ]
    return
      !(joins.contains(letters.lowercased()) && (isWhole(next) || vulgarFractions[next] != nil))
  }
}

extension String {
  fileprivate var trimmed: String {
    let scalars = Array(unicodeScalars)
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[start...end]))
  }
}

extension Double {
  fileprivate var finite: Double? { isFinite ? self : nil }
}
