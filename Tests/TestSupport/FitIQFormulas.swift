import Foundation

/// FitIQ's conversions of single values, slow and obvious.
package enum FitIQFormulas {
  /// Returns the value of a mood from 1 to 10 for its valence from -1 to 1.
  package static func moodValue(_ valence: Double) -> Int64 {
    let scaled = (valence + 1) * 4.5 + 1
    // Away from zero at halves, said without the standard library's rounding rules.
    let rounded = scaled < 0 ? -floor(-scaled + 0.5) : floor(scaled + 0.5)
    return Int64(max(1, min(10, rounded)))
  }

  /// Returns whether a mood's valence is one of the ten that its value gives back.
  package static func isRestored(valence: Double) -> Bool {
    (1...10).contains { (Double($0) - 1) / 4.5 - 1 == valence }
  }

  /// Reads a quantity with a regular expression.
  package static func readQuantity(_ text: String) -> (Double, String)? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let vulgar = "[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]|[0-9]+[/⁄][0-9]+"
    let pattern =
      "^([+\\-−]?)(?:(\(vulgar))|([0-9]+)\\s*(\(vulgar))|([0-9]*[.,][0-9]+)|([0-9]+))\\s*(.*)$"
    guard
      let expression = try? NSRegularExpression(
        pattern: pattern, options: [.dotMatchesLineSeparators]),
      let match = expression.firstMatch(
        in: trimmed, range: NSRange(trimmed.startIndex..., in: trimmed))
    else { return nil }
    func group(_ number: Int) -> String? {
      Range(match.range(at: number), in: trimmed).map { String(trimmed[$0]) }
    }
    let unit = group(7) ?? ""
    let written = (1...6).compactMap { Range(match.range(at: $0), in: trimmed)?.upperBound }.max()
    if let written, trimmed[..<written].unicodeScalars.count > 64 { return nil }
    if unit.range(of: "^[^\\p{Alphabetic}%°(]", options: .regularExpression) != nil { return nil }
    let joins =
      "^(to|or|and|x|by|through|bis|oder|und|a|e|o|y|ou|et)\\s*([0-9]|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])"
    if unit.range(of: joins, options: [.regularExpression, .caseInsensitive]) != nil { return nil }
    var number: Double
    if let fraction = group(2) {
      guard let value = value(ofFraction: fraction) else { return nil }
      number = value
    } else if let whole = group(3), let fraction = group(4) {
      // Digits run into a written fraction are its numerator, not a number before it.
      guard let value = value(ofFraction: fraction), let before = Double(whole) else { return nil }
      number = before + value
    } else if let decimal = group(5) {
      if decimal.range(of: "^[1-9][0-9]{0,2},[0-9]{3}$", options: .regularExpression) != nil {
        return nil
      }
      guard let value = Double("0" + decimal.replacingOccurrences(of: ",", with: ".")) else {
        return nil
      }
      number = value
    } else {
      guard let value = group(6).flatMap(Double.init) else { return nil }
      number = value
    }
    guard number.isFinite else { return nil }
    if let sign = group(1), sign == "-" || sign == "−" { number = -number }
    return (number, unit)
  }

  private static func value(ofFraction text: String) -> Double? {
    let parts = text.split { $0 == "/" || $0 == "⁄" }.compactMap { Double($0) }
    if parts.count == 2 { return parts[1] == 0 ? nil : parts[0] / parts[1] }
    let names = Array("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒")
    let values: [Double] = [
      1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 1 / 5, 2 / 5, 3 / 5, 4 / 5, 1 / 6, 5 / 6, 1 / 7, 1 / 8,
      3 / 8, 5 / 8, 7 / 8, 1 / 9, 1 / 10,
    ]
    return text.first.flatMap { names.firstIndex(of: $0) }.map { values[$0] }
  }
}
