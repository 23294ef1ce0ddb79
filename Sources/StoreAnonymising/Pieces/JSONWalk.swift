/// Replaces the strings and numbers of JSON text.
///
/// Structure, white space, order, known keys, `true`, `false` and `null` stay. Other keys are
/// replaced like strings: in a dictionary, they may be data.
struct JSONWalk {
  let values: ValueWalk
  let column: ColumnShape

  /// Returns a text that is valid JSON with its parts replaced.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  func walk(_ text: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      let byte = text[place]
      if byte == 0x22 {
        let end = Self.endOfString(text, from: place)
        try append(text[place + 1..<end], isKey: Self.isKey(text, after: end + 1), to: &result)
        place = end + 1
      } else if byte == 0x2D || (byte >= 0x30 && byte <= 0x39) {
        let end = text[place...].firstIndex { !$0.isOfNumber } ?? text.count
        result += try number(Array(text[place..<end]))
        place = end
      } else {
        result.append(byte)
        place += 1
      }
    }
    return result
  }

  private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
    var place = start + 1
    while place < text.count, text[place] != 0x22 { place += text[place] == 0x5C ? 2 : 1 }
    return min(place, text.count)
  }

  private static func isKey(_ text: [UInt8], after end: Int) -> Bool {
    text.dropFirst(end).first { !$0.isBlank } == 0x3A
  }

  private func append(
    _ string: ArraySlice<UInt8>, isKey: Bool, to result: inout [UInt8]
  ) throws {
    let content = string.contains(0x5C) ? string.unescaped : Array(string)
    result.append(0x22)
    if isKey && values.words.keys.contains(String(decoding: content, as: UTF8.self)) {
      result += string
    } else {
      let style = EscapeStyle(of: string)
      result += style.escaped(try values.text(content, column))
    }
    result.append(0x22)
  }

  private func number(_ digits: [UInt8]) throws -> [UInt8] {
    let text = String(decoding: digits, as: UTF8.self)
    if let number = Int64(text) { return Array("\(try values.integer(number, column))".utf8) }
    guard let number = Double(text), number.isFinite else { return try longNumber(digits) }
    let other = try values.real(number, column)
    return Array("\(other)".utf8)
  }

  /// Replaces the digits of a number that is beyond `Double`; its signs, dot and exponent stay.
  private func longNumber(_ number: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    var rest = number[...]
    while let byte = rest.first {
      let digits = rest.prefix { $0.isDigit }
      result += digits.isEmpty ? [byte] : try values.digits(Array(digits), column)
      rest = rest.dropFirst(max(1, digits.count))
    }
    return result
  }
}

/// How a JSON string escapes characters that needn't be escaped.
private struct EscapeStyle {
  private let escapesSlash: Bool
  private let isASCII: Bool

  init(of string: ArraySlice<UInt8>) {
    var escaped: Set<UInt8> = []
    var rest = string
    while let place = rest.firstIndex(of: 0x5C), let byte = rest[place...].dropFirst().first {
      escaped.insert(byte)
      rest = rest[(place + 2)...]
    }
    escapesSlash = escaped.contains(0x2F)
    isASCII = escaped.contains(0x75)
  }

  private func isEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x5C: true
    case 0x2F: escapesSlash
    default: byte < 0x20 || (isASCII && byte > 0x7E)
    }
  }

  func escaped(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: isEscaped) else { return bytes }
    var result = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "/" where escapesSlash: result += "\\/"
      case _ where scalar.value < 0x20 || (isASCII && scalar.value > 0x7E):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }
}

extension ArraySlice<UInt8> {
  /// The characters of a JSON string; half a surrogate pair becomes U+FFFD.
  fileprivate var unescaped: [UInt8] {
    var units: [UInt16] = []
    var result: [UInt8] = []
    func flush() {
      result += Array<UInt8>(String(decoding: units, as: UTF16.self).utf8)
      units.removeAll()
    }
    var rest = self
    while let byte = rest.popFirst() {
      guard byte == 0x5C, let kind = rest.popFirst() else {
        flush()
        result.append(byte)
        continue
      }
      if kind == 0x75 {
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
        continue
      }
      flush()
      let plain: [UInt8: UInt8] = [0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09]
      result.append(plain[kind] ?? kind)
    }
    flush()
    return result
  }
}

extension UInt8 {
  /// Whether the byte can be part of a JSON number.
  fileprivate var isOfNumber: Bool {
    switch self {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }
}
