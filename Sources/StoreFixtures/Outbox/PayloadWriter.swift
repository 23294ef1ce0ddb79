/// Writes one JSON object in one of the ways that payloads are written in.
struct PayloadWriter {
  /// Where white space stands.
  enum Spacing: Sendable {
    /// Nowhere, as JSONEncoder does.
    case none

    /// Behind commas and colons.
    case loose

    /// As JSONEncoder's `prettyPrinted` does.
    case indented
  }

  /// How a payload is written.
  struct Style: Sendable {
    let spacing: Spacing

    /// A Boolean value indicating whether keys are in camel case instead of snake case.
    let isCamelCase: Bool

    /// A Boolean value indicating whether dates are seconds since 2001 instead of ISO 8601.
    let hasNumericDates: Bool

    /// A Boolean value indicating whether everything beyond ASCII is written as `\u` escapes.
    let isASCII: Bool

    /// The member that comes first; JSONEncoder's order is arbitrary.
    let firstMember: Int
  }

  private let style: Style
  private var values: [UInt8] = []
  private var members: [(key: String, end: Int)] = []

  init(_ style: Style) {
    self.style = style
    values.reserveCapacity(1_024)
  }

  mutating func add(_ key: String, _ text: String) {
    appendString(text.utf8)
    members.append((key, values.count))
  }

  mutating func add(_ key: String, utf8 text: [UInt8]) {
    appendString(text)
    members.append((key, values.count))
  }

  /// Adds a UUID as upper-case text.
  mutating func add(_ key: String, id: [UInt8]) {
    add(key, utf8: uuidTextBytes(id))
  }

  mutating func add(_ key: String, _ number: Double) {
    append(Int(exactly: number).map(String.init) ?? number.description)
    members.append((key, values.count))
  }

  mutating func add(_ key: String, _ flag: Bool) {
    append(flag ? "true" : "false")
    members.append((key, values.count))
  }

  /// Adds a date, given in seconds since 2001-01-01 UTC.
  mutating func add(_ key: String, date: Double) {
    if style.hasNumericDates {
      add(key, date)
    } else {
      add(key, utf8: internetDate(date))
    }
  }

  mutating func add(_ key: String, words: [String]) {
    let (open, separator, close) =
      switch style.spacing {
      case .none: ("[", ",", "]")
      case .loose: ("[", ", ", "]")
      case .indented: ("[\n    ", ",\n    ", "\n  ]")
      }
    append(words.isEmpty ? "[" : open)
    for (place, word) in words.enumerated() {
      if place > 0 { append(separator) }
      appendString(word.utf8)
    }
    append(words.isEmpty ? (style.spacing == .indented ? "\n\n  ]" : "]") : close)
    members.append((key, values.count))
  }

  /// The object's bytes.
  var text: [UInt8] {
    let (open, separator, colon, close) =
      switch style.spacing {
      case .none: ("{", ",", ":", "}")
      case .loose: ("{", ", ", ": ", "}")
      case .indented: ("{\n  ", ",\n  ", " : ", "\n}")
      }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count + members.count * 24)
    bytes += open.utf8
    for place in members.indices {
      let member = (place + style.firstMember) % members.count
      if place > 0 { bytes += separator.utf8 }
      bytes.append(UInt8(ascii: "\""))
      bytes += style.isCamelCase ? camelCased(members[member].key) : Array(members[member].key.utf8)
      bytes.append(UInt8(ascii: "\""))
      bytes += colon.utf8
      bytes += values[(member == 0 ? 0 : members[member - 1].end)..<members[member].end]
    }
    bytes += close.utf8
    return bytes
  }

  private func camelCased(_ key: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isNext = false
    for byte in key.utf8 {
      if byte == UInt8(ascii: "_") {
        isNext = true
      } else {
        bytes.append(isNext ? byte - 32 : byte)
        isNext = false
      }
    }
    return bytes
  }
}

extension PayloadWriter {
  private mutating func append(_ text: String) {
    values += text.utf8
  }

  private mutating func appendString(_ text: some Sequence<UInt8>) {
    values.append(UInt8(ascii: "\""))
    if style.isASCII {
      for unit in String(decoding: Array(text), as: UTF8.self).utf16 { append(unit: unit) }
    } else {
      for byte in text {
        if byte < 0x80 { append(unit: UInt16(byte)) } else { values.append(byte) }
      }
    }
    values.append(UInt8(ascii: "\""))
  }

  private mutating func append(unit: UInt16) {
    switch unit {
    case 0x22, 0x5c, 0x2f: values += [0x5c, UInt8(unit)]
    case 0x0a: append("\\n")
    case 0x0d: append("\\r")
    case 0x09: append("\\t")
    case 0x20..<0x7f: values.append(UInt8(unit))
    default:
      let digits = String(unit, radix: 16)
      append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}

/// Returns a date in the form `2025-01-27T09:30:00Z`, from seconds since 2001-01-01 UTC.
func internetDate(_ date: Double) -> [UInt8] {
  let seconds = Int(date.rounded(.down))
  let time = seconds - floorDivided(seconds, 86_400) * 86_400
  let (year, month, day) = civil(daysSince2001: floorDivided(seconds, 86_400))
  var text: [UInt8] = []
  text.reserveCapacity(20)
  for (number, width, end) in [
    (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (time / 3_600, 2, ":"),
    (time / 60 % 60, 2, ":"), (time % 60, 2, "Z"),
  ] {
    let digits = String(number).utf8
    for _ in digits.count..<max(width, digits.count) { text.append(UInt8(ascii: "0")) }
    text += digits
    text += end.utf8
  }
  return text
}

private func floorDivided(_ number: Int, _ divisor: Int) -> Int {
  number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
}

/// Returns the date of a day, counting years from March, where the leap day is the last of its year.
private func civil(daysSince2001: Int) -> (year: Int, month: Int, day: Int) {
  // 2000-03-01 begins a cycle of 400 years and lies 306 days before 2001-01-01.
  let days = daysSince2001 + 306
  let cycle = floorDivided(days, 146_097)
  let inCycle = days - cycle * 146_097
  let yearOfCycle = (inCycle - inCycle / 1_460 + inCycle / 36_524 - inCycle / 146_096) / 365
  let dayOfYear = inCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
  let march = (5 * dayOfYear + 2) / 153
  let month = march < 10 ? march + 3 : march - 9
  return (
    2_000 + cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month,
    dayOfYear - (153 * march + 2) / 5 + 1
  )
}
