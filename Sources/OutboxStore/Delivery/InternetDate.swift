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
    let (second, rest) = milliseconds.whole(dividedBy: 1_000)
    return Timestamp(seconds: second, nanoseconds: rest * 1_000_000)
      .text(fractionDigits: rest == 0 ? 0 : 3)
  }

  /// Reads a date in ISO 8601's extended format, in UTC or with an offset.
  ///
  /// Fractions of a second count.
  package init?(internetText text: String) {
    guard let moment = Timestamp(text: text) else { return nil }
    self.init(timeIntervalSinceReferenceDate: moment.secondsSince2001)
  }
}

extension Double {
  /// Divides a whole number, and rounds down; the rest isn't negative.
  fileprivate func whole(dividedBy divisor: Int64) -> (quotient: Int64, rest: Int32) {
    let (quotient, rest) = Int64(self).quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, Int32(rest + divisor)) : (quotient, Int32(rest))
  }
}
