import Platform

/// A text form of dates in UTC, as the fields of Unicode TR35 describe it: `yyyy-MM-dd HH:mm`.
///
/// See `MigrationFiles.md`, "Functions". Dates are seconds since 2001-01-01 UTC, in the years 1 to
/// 9999.
package struct DateFormat: Hashable, Sendable {
  /// A part of the text.
  fileprivate enum Part: Hashable {
    /// Digits: at least the width, and exactly that if it is more than 1.
    case field(Field, width: Int)

    /// Exactly so many digits of the second's fraction.
    case fraction(Int)

    /// A point and as many digits as the value needs; nothing if it is whole.
    case shortestFraction

    /// `Z`, or the hours and minutes ahead of UTC.
    case offset

    case literal(String)
  }

  fileprivate enum Field: Character {
    case year = "y"
    case month = "M"
    case day = "d"
    case hour = "H"
    case minute = "m"
    case second = "s"
  }

  private var parts: [Part] = []

  /// ISO 8601's extended format with a zone, and as many digits of the second as a date needs.
  package static let iso8601: DateFormat = {
    var format = DateFormat("yyyy-MM-dd'T'HH:mm:ss") ?? DateFormat()
    format.parts += [.shortestFraction, .offset]
    return format
  }()

  private init() {}

  /// Reads a pattern; `nil` if it has another field, or no year.
  package init?(_ pattern: String) {
    var rest = Substring(pattern)
    while let first = rest.first {
      if first == "'" {
        guard let text = Self.quotedText(&rest) else { return nil }
        parts.append(.literal(text))
        continue
      }
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      switch (first, run.count) {
      case ("y", 4), ("M", 1...2), ("d", 1...2), ("H", 1...2), ("m", 1...2), ("s", 1...2):
        guard let field = Field(rawValue: first) else { return nil }
        parts.append(.field(field, width: run.count))
      case ("S", 1...9): parts.append(.fraction(run.count))
      case ("X", 3): parts.append(.offset)
      default:
        guard !first.isASCII || !first.isLetter else { return nil }
        parts.append(.literal(String(run)))
      }
    }
    guard parts.contains(.field(.year, width: 4)) else { return nil }
  }

  /// Reads a text between quotes; two quotes are one character.
  private static func quotedText(_ rest: inout Substring) -> String? {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var text = ""
    while let character = rest.popFirst() {
      guard character == "'" else {
        text.append(character)
        continue
      }
      guard rest.first == "'" else { return text }
      text.append(rest.removeFirst())
    }
    return nil
  }
}

extension DateFormat {
  /// Returns the text of a date; `nil` outside of the years 1 to 9999.
  package func text(of seconds: Double) -> String? {
    bytes(of: seconds).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the text of a date in UTF-8; `nil` outside of the years 1 to 9999.
  func bytes(of seconds: Double) -> [UInt8]? {
    guard Timestamp.rangeSince2001.contains(seconds) else { return nil }
    // The shortest digits of a number that isn't whole are never those of a whole one.
    let whole = Int64(seconds.rounded(.down))
    let date = CalendarDate(Timestamp(seconds: whole + Timestamp.referenceDate))
    let fraction = hasFraction ? ExactSeconds(seconds)?.fraction ?? "" : ""
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for part in parts {
      switch part {
      case .literal(let literal): bytes += literal.utf8
      case .offset: bytes.append(UInt8(ascii: "Z"))
      case .shortestFraction: if !fraction.isEmpty { bytes += ("." + fraction).utf8 }
      case .fraction(let count): bytes += fraction.padded(to: count).utf8
      case .field(let field, let width): bytes.append(digitsOf: date[field], width: width)
      }
    }
    return bytes
  }

  private var hasFraction: Bool {
    parts.contains {
      switch $0 {
      case .fraction, .shortestFraction: true
      case .field, .literal, .offset: false
      }
    }
  }

  /// Returns the date of a text; `nil` if the text hasn't exactly this form.
  package func date(of text: String) -> Double? {
    var rest = Substring(text)
    var values: [Field: Int64] = [.month: 1, .day: 1]
    var (fraction, offset) = ("", Int64(0))
    for part in parts {
      switch part {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { return nil }
        rest = rest.dropFirst(literal.count)
      case .field(let field, let width):
        let digits = rest.digits(width == 1 ? 2 : width)
        guard digits.count >= width, let number = Int64(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        values[field] = number
      case .fraction(let count):
        fraction = rest.digits(count)
        guard fraction.count == count else { return nil }
        rest = rest.dropFirst(count)
      case .shortestFraction:
        guard rest.first == "." else { continue }
        fraction = rest.dropFirst().digits(30)
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count + 1)
      case .offset:
        guard let found = rest.takeOffset() else { return nil }
        offset = found
      }
    }
    guard rest.isEmpty, let moment = Self.moment(values) else { return nil }
    return ExactSeconds(whole: moment - Timestamp.referenceDate - offset, fraction: fraction)
      .seconds
  }

  /// Returns the seconds since 1970 of a date's fields; `nil` if there is no such date.
  private static func moment(_ values: [Field: Int64]) -> Int64? {
    func digits(_ field: Field, _ count: Int) -> String {
      let text = String(values[field] ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    guard (values[.second] ?? 0) < 60 else { return nil }
    let day = "\(digits(.year, 4))-\(digits(.month, 2))-\(digits(.day, 2))"
    let time = "\(digits(.hour, 2)):\(digits(.minute, 2)):\(digits(.second, 2))"
    return Timestamp(text: "\(day)T\(time)Z")?.seconds
  }
}

extension [UInt8] {
  /// Appends the digits of a number from 0 to 9999, at least so many.
  fileprivate mutating func append(digitsOf number: Int64, width: Int) {
    var power: Int64 = 1
    for _ in 1..<width { power *= 10 }
    while number >= power * 10 { power *= 10 }
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
      power /= 10
    }
  }
}

extension CalendarDate {
  fileprivate subscript(field: DateFormat.Field) -> Int64 {
    switch field {
    case .year: year
    case .month: month
    case .day: day
    case .hour: hour
    case .minute: minute
    case .second: second
    }
  }
}

extension Substring {
  /// The ASCII digits at the start, at most so many.
  fileprivate func digits(_ most: Int) -> String {
    String(prefix(most).prefix { $0.isASCII && $0.isNumber })
  }

  /// Removes an offset from UTC, and returns it in seconds.
  fileprivate mutating func takeOffset() -> Int64? {
    guard let sign = popFirst() else { return nil }
    if sign == "Z" { return 0 }
    let (hours, minutes) = (digits(2), dropFirst(3).digits(2))
    guard sign == "+" || sign == "-", dropFirst(2).first == ":",
      let ahead = Int64(hours), let further = Int64(minutes), hours.count == 2,
      minutes.count == 2, ahead < 24, further < 60
    else { return nil }
    self = dropFirst(5)
    return (sign == "+" ? 1 : -1) * (ahead * 3_600 + further * 60)
  }
}

extension String {
  /// The first digits of a fraction, rounded down.
  fileprivate func padded(to count: Int) -> String {
    String(prefix(count)) + String(repeating: "0", count: Swift.max(0, count - self.count))
  }
}
