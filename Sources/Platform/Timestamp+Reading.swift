extension Timestamp {
  /// Reads a time in ISO 8601's extended format, or returns `nil` if the text isn't one.
  ///
  /// The format is `2024-05-01T12:30:00Z`. A space may replace the `T`, and a fraction of the
  /// second and an offset (`+02:00`) are allowed: the formats of Foundation's encoders and most
  /// servers. Nine digits of the fraction count. Second 60 is read as second 0 of the next minute.
  /// Years start at 1.
  package init?(text: String) {
    var reader = TimestampReader(rest: Substring(text))
    guard let days = reader.day(), reader.take("T") || reader.take(" "),
      let time = reader.timeOfDay(), let nanoseconds = reader.fraction(),
      let offset = reader.offset(), reader.rest.isEmpty
    else { return nil }
    self.init(seconds: days * 86_400 + time - offset, nanoseconds: nanoseconds)
  }

  /// The seconds from 1970-01-01 to 2001-01-01 UTC, Core Data's reference date.
  package static let referenceDate: Int64 = 978_307_200

  /// The years 1 to 9999, in seconds since 2001-01-01 UTC.
  package static let rangeSince2001 = -63_113_904_000.0..<252_423_993_600.0

  /// Creates a date as Core Data stores it, rounded to microseconds.
  ///
  /// Returns `nil` if the date isn't in the years 1 to 9999.
  package init?(secondsSince2001 seconds: Double) {
    guard Self.rangeSince2001.contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    let (carry, microseconds) = Int32(((seconds - whole) * 1e6).rounded())
      .quotientAndRemainder(dividingBy: 1_000_000)
    self.init(
      seconds: Self.referenceDate + Int64(whole) + Int64(carry), nanoseconds: microseconds * 1_000)
  }

  /// The seconds since 2001-01-01 UTC, Core Data's reference date.
  package var secondsSince2001: Double {
    Double(seconds - Self.referenceDate) + Double(nanoseconds) / 1e9
  }
}

/// Reads the parts of an ISO 8601 time in order.
private struct TimestampReader {
  var rest: Substring

  /// The days since 1970-01-01.
  mutating func day() -> Int64? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      year >= 1, (1...12).contains(month), day >= 1, day <= Self.lengthOfMonth(month, year)
    else { return nil }
    let months = (1..<month).reduce(0) { $0 + Self.lengthOfMonth($1, year) }
    return Self.daysBefore(year) - Self.daysBefore(1970) + months + day - 1
  }

  /// The seconds since midnight.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), take(":"), let minute = number(2), take(":"),
      let second = number(2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// The nanoseconds; 0 if the text has no fraction.
  mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    let nine = digits.prefix(9) + String(repeating: "0", count: max(0, 9 - digits.count))
    return digits.isEmpty ? nil : Int32(nine)
  }

  /// The offset from UTC in seconds, positive to the east.
  mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hours = number(2) else { return nil }
    _ = take(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (isAhead ? 1 : -1) * (hours * 3_600 + minutes * 60)
  }

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int64(digits)
  }

  private static func lengthOfMonth(_ month: Int64, _ year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func daysBefore(_ year: Int64) -> Int64 {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }
}
