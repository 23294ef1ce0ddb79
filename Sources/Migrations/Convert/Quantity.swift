/// An amount in free text, parsed: `1 1/2 cup` is 1.5 and `cup`.
package struct Quantity: Hashable {
  /// The number.
  package let number: Double

  /// The unit; empty if the text is only a number.
  package let unit: String

  package init(number: Double, unit: String) {
    self.number = number
    self.unit = unit
  }
}

extension Quantity {
  /// Parses a text; the result is `nil` unless the text states exactly one amount.
  ///
  /// The number is an optional sign and digits with at most one `.` or `,` as decimal mark, or an
  /// integer and a fraction, or either alone. `1,000` could be one or a thousand, so it isn't
  /// parsed. The unit is the rest, without whitespace around it. If the rest continues with a
  /// number, as in a range, the text isn't a quantity.
  package init?(parsing text: String) {
    var reader = QuantityReader(text)
    let isNegative = reader.readSign()
    guard let number = reader.readNumber(), number.isFinite, reader.isPlausible else { return nil }
    guard let unit = reader.readUnit() else { return nil }
    self.init(number: isNegative ? -number : number, unit: unit)
  }

  /// The amount as ``init(parsing:)`` reads it: the shortest decimal number, a space, the unit.
  package var text: String {
    let decimal = number.plainDecimal
    return unit.isEmpty ? decimal : "\(decimal) \(unit)"
  }
}

extension Double {
  /// The shortest decimal representation of the number, without an exponent.
  fileprivate var plainDecimal: String {
    if let whole = Int64(exactly: self) { return String(whole) }
    let parts = description.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), isFinite else { return description }
    let digits = parts[0].filter(\.isNumber)
    let sign = self < 0 ? "-" : ""
    // The position of the decimal point among the digits, without the exponent.
    let point =
      (parts[0].firstIndex(of: ".").map {
        parts[0][..<$0].filter(\.isNumber).count
      } ?? digits.count) + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    return sign + digits + String(repeating: "0", count: max(0, point - digits.count))
  }
}

/// Reads the parts of a quantity from left to right.
private struct QuantityReader {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.count
    let end = scalars.lastIndex { !$0.properties.isWhitespace } ?? start - 1
    self.scalars = start <= end ? Array(scalars[start...end]) : []
  }

  /// The maximum number of characters in a number.
  private static let longestNumber = 64

  /// Whether the text that was read so far isn't too long for a number.
  var isPlausible: Bool { place <= Self.longestNumber }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  mutating func readSign() -> Bool {
    guard let sign = next, sign == "-" || sign == "+" || sign == "\u{2212}" else { return false }
    place += 1
    return sign != "+"
  }

  /// Reads `2`, `2.5`, `2,5`, `.5`, `1/2`, `½`, `1 1/2` or `1½`.
  mutating func readNumber() -> Double? {
    if let fraction = readFraction() { return fraction }
    let whole = readDigits()
    if let mark = next, mark == "." || mark == "," {
      place += 1
      let decimals = readDigits()
      guard !decimals.isEmpty else { return nil }
      let looksGrouped = decimals.count == 3 && (1...3).contains(whole.count) && whole.first != "0"
      // Three digits after a comma could be a group of thousands.
      if mark == "," && looksGrouped { return nil }
      return Double((whole.isEmpty ? "0" : whole) + "." + decimals)
    }
    guard let number = Double(whole) else { return nil }
    let end = place
    skipWhitespace()
    if let fraction = readFraction() { return number + fraction }
    place = end
    return number
  }

  /// Reads the rest, or returns `nil` if it can't be a unit.
  mutating func readUnit() -> String? {
    skipWhitespace()
    guard let first = next else { return "" }
    guard first.properties.isAlphabetic || first == "%" || first == "\u{B0}" || first == "(" else {
      return nil
    }
    let rest = scalars[place...]
    let word = rest.prefix { $0.properties.isAlphabetic }
    let after = rest.dropFirst(word.count).drop { $0.properties.isWhitespace }.first
    if Self.connectives.contains(String(String.UnicodeScalarView(word)).lowercased()),
      let after, after.isDigit || Self.fractions[after] != nil
    {
      return nil
    }
    return String(String.UnicodeScalarView(rest))
  }

  /// Reads a fraction, or returns `nil` and reads nothing.
  private mutating func readFraction() -> Double? {
    if let value = next.flatMap({ Self.fractions[$0] }) {
      place += 1
      return value
    }
    let start = place
    let numerator = readDigits()
    if !numerator.isEmpty, let slash = next, slash == "/" || slash == "\u{2044}" {
      place += 1
      let denominator = readDigits()
      if let above = Double(numerator), let below = Double(denominator), below != 0 {
        return above / below
      }
    }
    place = start
    return nil
  }

  private mutating func readDigits() -> String {
    let start = place
    while next?.isDigit == true { place += 1 }
    return String(String.UnicodeScalarView(scalars[start..<place]))
  }

  private mutating func skipWhitespace() {
    while next?.properties.isWhitespace == true { place += 1 }
  }

  /// Words that join two numbers to form a range or a product.
  private static let connectives: Set<String> = [
    "to", "or", "and", "x", "by", "through", "bis", "oder", "und", "a", "e", "o", "y", "ou",
    "et",
  ]

  private static let fractions: [Unicode.Scalar: Double] = [
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5,
    "⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅐": 1 / 7, "⅛": 1 / 8, "⅜": 3 / 8,
    "⅝": 5 / 8, "⅞": 7 / 8, "⅑": 1 / 9, "⅒": 1 / 10,
  ]
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
