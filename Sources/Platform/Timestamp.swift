/// A point in time, counted from 1970-01-01 UTC without leap seconds.
package struct Timestamp: Hashable, Sendable {
  /// The whole seconds, negative before 1970.
  package let seconds: Int64

  /// The nanoseconds after the second, from 0 to 999,999,999.
  package let nanoseconds: Int32

  /// Creates a point in time.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Timestamp {
  /// The date and time of day in UTC.
  package var calendar: CalendarDate { CalendarDate(self) }

  /// The time in seconds in the form used in file names: `20261121T015800Z`.
  ///
  /// A year before 0 has no sign.
  package var compactText: String { String(text.filter { $0 != "-" && $0 != ":" }) }

  /// The time in seconds in ISO 8601's extended format: `2026-11-21T01:58:00Z`.
  package var text: String { text(fractionDigits: 0) }

  /// Returns the time with up to nine digits of the second's fraction, rounded down.
  ///
  /// The format is ISO 8601's extended one: `2026-11-21T01:58:00.412Z` with three digits.
  package func text(fractionDigits count: Int) -> String {
    let date = calendar
    // Most rows have a date, and joining strings takes longer than appending bytes.
    var text: [UInt8] = []
    text.reserveCapacity(32)
    text.append(date.year, digits: 4)
    text.append("-", date.month)
    text.append("-", date.day)
    text.append("T", date.hour)
    text.append(":", date.minute)
    text.append(":", date.second)
    if count > 0 {
      text.append(UInt8(ascii: "."))
      text.append(Int64(nanoseconds), digits: 9)
      text.removeLast(9 - min(count, 9))
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }
}

/// A date and time of day in the Gregorian calendar, in UTC.
package struct CalendarDate: Hashable, Sendable {
  /// The year; 0 is 1 BC.
  package let year: Int64

  /// The month, from 1 to 12.
  package let month: Int64

  /// The day of the month, from 1 to 31.
  package let day: Int64

  /// The hour, from 0 to 23.
  package let hour: Int64

  /// The minute, from 0 to 59.
  package let minute: Int64

  /// The second, from 0 to 59.
  package let second: Int64

  /// Converts a point in time.
  package init(_ moment: Timestamp) {
    let (days, time) = floorDivide(moment.seconds, 86_400)
    // Years start on 1 March, so that the leap day is the last day. Day 0 is 0000-03-01. 400 years
    // have 146,097 days; five months from March have 153.
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
  }
}

/// Divides, and rounds down.
///
/// - Returns: The quotient, and the rest, which isn't negative for a positive divisor.
package func floorDivide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
  let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

extension [UInt8] {
  /// Appends a separator and a number of two digits.
  fileprivate mutating func append(_ separator: Unicode.Scalar, _ number: Int64) {
    append(UInt8(ascii: separator))
    append(number, digits: 2)
  }

  /// Appends a number in decimal, with zeros before it if it has fewer digits.
  fileprivate mutating func append(_ number: Int64, digits count: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = self.count
    var rest = number.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || self.count - start < count
    self[start...].reverse()
  }
}
