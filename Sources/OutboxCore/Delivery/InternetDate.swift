import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date {
  /// The date in ISO 8601's long form, in UTC, with milliseconds where there are some.
  public var internetText: String {
    let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
    guard let whole = Int64(exactly: milliseconds) else { return "" }
    let (seconds, rest) = (whole.floored(by: 1_000), whole - whole.floored(by: 1_000) * 1_000)
    let text = Timestamp(seconds: seconds).text
    if rest == 0 { return text }
    let digits = String(rest)
    return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  /// Reads a date in ISO 8601's long form, in UTC or with an offset; fractions of a second count.
  public init?(internetText text: String) {
    let scalars = Array(text.utf8)
    guard scalars.count >= 20 else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= scalars.count else { return nil }
      let digits = scalars[range]
      guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return Int64(String(decoding: digits, as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month),
      let day = number(8..<10), (1...31).contains(day), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19),
      scalars[4] == 45, scalars[7] == 45, scalars[13] == 58, scalars[16] == 58,
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var rest = scalars[19...]
    var fraction = 0.0
    if rest.first == 46 {
      let digits = rest.dropFirst().prefix { (48...57).contains($0) }
      guard !digits.isEmpty else { return nil }
      fraction = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = Self.offset(Array(rest)) else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    self.init(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// The seconds that a zone is ahead of UTC.
  private static func offset(_ zone: [UInt8]) -> Int64? {
    if zone == [90] || zone == [122] { return 0 }
    let digits = zone.dropFirst().filter { $0 != 58 }
    guard zone.count >= 5, zone[0] == 43 || zone[0] == 45, digits.count == 4,
      let number = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let seconds = number / 100 * 3_600 + number % 100 * 60
    return zone[0] == 43 ? seconds : -seconds
  }

  /// The days from 1970-01-01, years counted from March so that the leap day comes last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floored(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  /// The quotient, rounded down.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}
