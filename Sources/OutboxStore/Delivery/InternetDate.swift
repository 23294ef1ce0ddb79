import Platform

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Date {
  /// The date in ISO 8601's extended format, in UTC, with milliseconds unless they are 0.
  ///
  /// `nil` outside the years 0 to 9999.
  package var internetText: String? {
    let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
    guard (-62_167_219_200_000..<253_402_300_800_000).contains(milliseconds) else { return nil }
    let whole = Int64(milliseconds)
    let (seconds, rest) = (whole.floored(by: 1_000), whole - whole.floored(by: 1_000) * 1_000)
    let text = Timestamp(seconds: seconds).text
    if rest == 0 { return text }
    let digits = String(rest)
    return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  /// Reads a date in ISO 8601's extended format, in UTC or with an offset.
  ///
  /// Fractions of a second count.
  package init?(internetText text: String) {
    guard let moment = Timestamp(text: text) else { return nil }
    self.init(timeIntervalSinceReferenceDate: moment.secondsSince2001)
  }
}

extension Int64 {
  /// The quotient, rounded down.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}
