import Platform

/// A date in seconds since 2001-01-01 UTC, with the decimal digits that give the same `Double`.
struct ExactSeconds: Hashable {
  /// The whole seconds, rounded down.
  let whole: Int64

  /// The digits after the point; empty if the date is whole.
  let fraction: String

  init(whole: Int64, fraction: String) {
    self.whole = whole
    self.fraction = String(fraction.reversed().drop { $0 == "0" }.reversed())
  }

  /// Takes a number apart; `nil` outside of the years 1 to 9999.
  init?(_ seconds: Double) {
    guard Timestamp.rangeSince2001.contains(seconds) else { return nil }
    // The shortest digits that give the number back.
    let text = "\(seconds.magnitude)"
    let parts = text.split(separator: "e")
    let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let (before, after) = (String(digits[0]), digits.count > 1 ? String(digits[1]) : "")
    if parts.count > 1, let exponent = Int(parts[1]), exponent < 0 {
      let zeros = String(repeating: "0", count: -exponent - 1)
      self.init(magnitude: 0, fraction: zeros + before + after, isNegative: seconds < 0)
    } else {
      guard let magnitude = Int64(before) else { return nil }
      self.init(magnitude: magnitude, fraction: after, isNegative: seconds < 0)
    }
  }

  private init(magnitude: Int64, fraction: String, isNegative: Bool) {
    let positive = ExactSeconds(whole: magnitude, fraction: fraction)
    guard isNegative else {
      self = positive
      return
    }
    self =
      positive.fraction.isEmpty
      ? ExactSeconds(whole: -magnitude, fraction: "")
      : ExactSeconds(whole: -magnitude - 1, fraction: positive.fraction.complement)
  }

  /// The number; `nil` outside of the years 1 to 9999.
  var seconds: Double? {
    let text =
      whole >= 0 || fraction.isEmpty
      ? "\(whole).\(fraction.isEmpty ? "0" : fraction)"
      : "-\(-(whole + 1)).\(fraction.complement)"
    return Double(text).flatMap { Timestamp.rangeSince2001.contains($0) ? $0 : nil }
  }
}

extension String {
  /// The digits of 1 minus a fraction, which doesn't end with a zero.
  fileprivate var complement: String {
    let nines = dropLast().compactMap(\.wholeNumberValue).map { String(9 - $0) }.joined()
    return nines + String(10 - (last?.wholeNumberValue ?? 0))
  }
}
