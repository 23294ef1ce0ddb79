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
  package var compactText: String {
    let date = calendar
    return "\(digits(date.year, 4))\(digits(date.month, 2))\(digits(date.day, 2))T"
      + "\(digits(date.hour, 2))\(digits(date.minute, 2))\(digits(date.second, 2))Z"
  }

  /// The time in seconds in ISO 8601's extended format: `2026-11-21T01:58:00Z`.
  package var text: String {
    let date = calendar
    return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
      + "\(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2))Z"
  }
}

extension Timestamp {
  /// Returns the time with one to nine digits of the second's fraction, rounded down.
  ///
  /// The format is ISO 8601's extended one: `2026-11-21T01:58:00.412Z` with three digits.
  package func text(fractionDigits count: Int) -> String {
    "\(text.dropLast()).\(digits(Int64(nanoseconds), 9).prefix(count))Z"
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

private func floorDivide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
  let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

private func digits(_ number: Int64, _ count: Int) -> String {
  let text = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, count - text.count))
  return (number < 0 ? "-" : "") + zeros + text
}
