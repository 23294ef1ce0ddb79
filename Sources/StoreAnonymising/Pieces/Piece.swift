/// A part of a value that a result replaces.
package enum Piece: Hashable, Sendable {
  /// A text in UTF-8, or what a file has in its place.
  case text([UInt8])

  /// The 16 bytes of a UUID.
  case uuid([UInt8])

  /// A date, in seconds since 2001-01-01; of a text, as its digits say, without the offset.
  case date(Double)

  /// A whole number.
  case integer(Int64)

  /// Another number.
  case real(Double)

  /// A Boolean value in a column of its own.
  case flag(Bool)

  /// Bytes of no known form.
  case bytes([UInt8])
}

extension Piece {
  /// The bytes that identify the piece among the values of a store; `nil` if it may occur again.
  ///
  /// Numbers of up to six significant digits, Boolean values and short bytes may.
  var identity: [UInt8]? {
    switch self {
    case .text(let bytes):
      bytes.contains { $0 > 0x20 && $0 != 0x7F } ? [0x74] + bytes : nil
    case .uuid(let bytes): [0x75] + bytes
    case .date(let seconds): [0x64] + seconds.bitPattern.bytes
    case .integer(let number):
      number.significantDigits > 6 ? [0x6E] + UInt64(bitPattern: number).bytes : nil
    case .real(let number):
      number.significantDigits > 6 ? [0x72] + number.bitPattern.bytes : nil
    case .flag, .bytes: nil
    }
  }

  /// The bytes whose runs of eight are the piece's own; empty for pieces compared as a whole.
  var runs: [UInt8] {
    switch self {
    case .text(let bytes), .uuid(let bytes), .bytes(let bytes): bytes
    case .date, .integer, .real, .flag: []
    }
  }

  /// The words of a text: letters and digits, four bytes or more.
  var words: [PieceWord] {
    guard case .text(let bytes) = self else { return [] }
    return bytes.split { !$0.isOfWord }.filter { $0.count >= 4 }.map {
      PieceWord(identity: [0x77] + $0, end: $0.endIndex - 1)
    }
  }
}

/// A word of a text, with the place of its last byte.
struct PieceWord: Hashable, Sendable {
  let identity: [UInt8]
  let end: Int
}

extension UInt8 {
  /// Whether the byte is a letter, a digit, or part of a character outside ASCII.
  var isOfWord: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: false
    }
  }
}

extension UInt64 {
  /// The eight bytes, most significant first.
  var bytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}

extension Int64 {
  /// The number of decimal digits without the zeros at the end.
  var significantDigits: Int {
    var rest = magnitude
    while rest > 0 && rest % 10 == 0 { rest /= 10 }
    return rest == 0 ? 0 : "\(rest)".utf8.count
  }
}

extension Double {
  /// The number of digits in the shortest decimal form, without zeros at either end.
  var significantDigits: Int {
    let mantissa = description.utf8.prefix { $0 != 0x65 }.filter { $0 >= 0x30 && $0 <= 0x39 }
    let trimmed = mantissa.drop { $0 == 0x30 }.reversed().drop { $0 == 0x30 }
    return trimmed.count
  }
}
