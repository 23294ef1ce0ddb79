import StoreModel

/// Writes a JSON object in one of the styles found in payloads.
struct PayloadWriter {
  /// The position of white space.
  enum Spacing: Sendable {
    /// No white space, as `JSONEncoder` writes.
    case none

    /// After commas and colons.
    case loose

    /// Like `JSONEncoder.OutputFormatting.prettyPrinted`.
    case indented
  }

  /// The style of a payload.
  struct Style: Sendable {
    let spacing: Spacing

    /// Whether keys are in camel case instead of snake case.
    let isCamelCase: Bool

    /// Whether dates are seconds since 2001 instead of ISO 8601.
    let hasNumericDates: Bool

    /// Whether non-ASCII characters are written as `\\u` escapes.
    let isASCII: Bool

    /// The index of the member to write first; the order of `JSONEncoder` is arbitrary.
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
    appendString(Array(text.utf8))
    members.append((key, values.count))
  }

  mutating func add(_ key: String, utf8 text: [UInt8]) {
    appendString(text)
    members.append((key, values.count))
  }

  /// Adds a UUID as uppercase text.
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

  /// Adds a date, in seconds since 2001-01-01 UTC.
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
    for (index, word) in words.enumerated() {
      if index > 0 { append(separator) }
      appendString(Array(word.utf8))
    }
    append(words.isEmpty ? (style.spacing == .indented ? "\n\n  ]" : "]") : close)
    members.append((key, values.count))
  }

  /// The bytes of the object.
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
    for index in members.indices {
      let member = (index + style.firstMember) % members.count
      if index > 0 { bytes += separator.utf8 }
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

  private mutating func appendString(_ text: [UInt8]) {
    values.append(UInt8(ascii: "\""))
    if style.isASCII {
      for unit in String(decoding: text, as: UTF8.self).utf16 { append(unit: unit) }
    } else {
      // Copy unescaped parts as a whole: most texts need no escapes.
      var start = 0
      for (index, byte) in text.enumerated() where needsEscape(byte) {
        values += text[start..<index]
        append(unit: UInt16(byte))
        start = index + 1
      }
      values += text[start...]
    }
    values.append(UInt8(ascii: "\""))
  }

  private func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), 0x7f: true
    default: false
    }
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
