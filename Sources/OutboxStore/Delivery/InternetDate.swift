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
    let (second, rest) = floorDivide(Int64(milliseconds), 1_000)
    return Timestamp(seconds: second, nanoseconds: Int32(rest) * 1_000_000)
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
