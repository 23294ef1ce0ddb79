import JSONText
import PropertyList
import SQLite
import StoreModel

/// Takes a value apart, has each piece replaced, and puts it together in the same form.
///
/// The index of an original, the writing of a result and its check use the same walk: they differ
/// in what they do with a piece.
struct ValueWalk {
  /// A closure that returns what stands in a piece's place, which may be the piece.
  typealias Change = (Piece, ColumnShape) throws -> Piece

  let words: KeptWords
  let change: Change

  /// Numbers of up to six digits stay in keys.
  private static let largestKey: UInt64 = 999_999

  /// Dates that frameworks use for "never" and "not yet", and the two epochs.
  static let constantDates: Set<Double> = [
    0, -978_307_200, -63_114_076_800, 64_092_211_200, -62_135_769_600 - 978_307_200,
  ]

  /// Seconds beyond this are a number: 300,000 years.
  static let largestDate = 1e13

  /// Returns a value with its pieces replaced.
  func walk(_ value: Value, _ column: ColumnShape) throws -> Value {
    switch (value, column.role) {
    case (.null, _): return .null
    case (.text, .name): return value
    case (.integer(let number), .flag) where number == 0 || number == 1:
      guard case .flag(let flag) = try change(.flag(number == 1), column) else { return value }
      return .integer(flag ? 1 : 0)
    case (.integer(let number), .date):
      return number.magnitude > UInt64(Self.largestDate)
        ? .integer(try integer(number, column)) : try date(Double(number), column, isWhole: true)
    case (.real(let number), .date): return try date(number, column, isWhole: false)
    case (.integer(let number), .key):
      return number.magnitude <= Self.largestKey ? value : .integer(try integer(number, column))
    case (.integer(let number), _): return .integer(try integer(number, column))
    case (.real(let number), _): return .real(try real(number, column))
    case (.blob(let bytes), .metadata): return .blob(try metadata(bytes, column))
    case (.blob(let bytes), .modelCache): return .blob(try modelCache(bytes, column))
    case (.text(let bytes), _): return .text(try text(bytes, column))
    case (.blob(let bytes), .externalData): return .blob(try externalData(bytes, column))
    case (.blob(let bytes), _): return .blob(try blob(bytes, column))
    }
  }

  private func date(_ seconds: Double, _ column: ColumnShape, isWhole: Bool) throws -> Value {
    guard !Self.constantDates.contains(seconds) else {
      return isWhole ? .integer(Int64(seconds)) : .real(seconds)
    }
    // What is no date can't be moved by days.
    if seconds.magnitude > Self.largestDate {
      return .real(try real(seconds, column))
    }
    guard case .date(let date) = try change(.date(seconds), column) else { return .null }
    return isWhole ? Int64(exactly: date).map { .integer($0) } ?? .real(date) : .real(date)
  }

  func integer(_ number: Int64, _ column: ColumnShape) throws -> Int64 {
    // 0, 1 and -1 are counts, ends of scales and "no value" more often than data.
    guard number.magnitude > 1, !words.keeps("\(number)", at: column.place) else { return number }
    guard case .integer(let other) = try change(.integer(number), column) else { return number }
    return other
  }

  func real(_ number: Double, _ column: ColumnShape) throws -> Double {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
      return whole == 0 ? number : Double(try integer(whole, column))
    }
    guard number.isFinite, case .real(let other) = try change(.real(number), column) else {
      return number
    }
    return other
  }

  /// Returns a text in which dates, UUIDs, numbers and JSON keep their form.
  func text(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    guard bytes.contains(where: { !$0.isBlank }) else { return bytes }
    if let values = words.values[column.place], let text = String(validating: bytes, as: UTF8.self),
      values.contains(text)
    {
      return bytes
    }
    if bytes.count == 36, let uuid = uuidBytes(bytes.span) {
      return try uuidText(uuid, like: bytes, column)
    }
    if let date = DateText(bytes) {
      let fraction = try digits(date.fraction, column)
      if case .date(let seconds) = try change(.date(date.seconds), column),
        let text = date.replaced(by: seconds, fraction: fraction)
      {
        return text
      }
    }
    if bytes.first == 0x7B || bytes.first == 0x5B, isJSONText(bytes.span) {
      return try JSONWalk(values: self, column: column).walk(bytes)
    }
    if let number = bytes.wholeNumber { return Array("\(try integer(number, column))".utf8) }
    guard case .text(let other) = try change(.text(bytes), column) else { return bytes }
    return other
  }

  /// Returns as many other digits, beginning with as many zeros.
  func digits(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    let zeros = bytes.prefix { $0 == 0x30 }
    let rest = Array(bytes.dropFirst(zeros.count))
    guard !rest.isEmpty else { return bytes }
    if rest.count <= 18, let number = Int64(String(decoding: rest, as: UTF8.self)) {
      return zeros + Array("\(try integer(number, column))".utf8)
    }
    guard case .text(let other) = try change(.text(rest), column) else { return bytes }
    // A text that has no other digits left has letters; a number can't.
    guard other.allSatisfy(\.isDigit), other.first != 0x30 || !zeros.isEmpty else {
      return zeros + [UInt8](repeating: 0x39, count: rest.count)
    }
    return zeros + other
  }

  private func uuidText(
    _ uuid: [UInt8], like bytes: [UInt8], _ column: ColumnShape
  ) throws -> [UInt8] {
    guard case .uuid(let other) = try self.uuid(uuid, column) else { return bytes }
    let text = StoreModel.uuidText(other)
    let isLower = bytes.contains { $0 >= 0x61 && $0 <= 0x66 }
    return Array((isLower ? text.lowercased() : text).utf8)
  }

  private func uuid(_ bytes: [UInt8], _ column: ColumnShape) throws -> Piece {
    bytes.allSatisfy { $0 == 0 } ? .uuid(bytes) : try change(.uuid(bytes), column)
  }

  /// Returns bytes in which UUIDs, JSON, property lists and texts keep their form.
  func blob(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    if bytes.isEmpty { return bytes }
    if bytes.count == 16 {
      if case .uuid(let other) = try uuid(bytes, column) { return other }
      return bytes
    }
    if bytes.starts(with: "bplist00".utf8), let list = try? PropertyList(binary: bytes) {
      return try PropertyListWalk(values: self, column: column).walk(list).binary()
    }
    if bytes.isPlainText { return try text(bytes, column) }
    guard case .bytes(let other) = try change(.bytes(bytes), column) else { return bytes }
    return other
  }

  /// The first byte is 1 for bytes that follow, and 2 for the name of a file, a UUID.
  private func externalData(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    if bytes.first == 1 { return [1] + (try blob(Array(bytes.dropFirst()), column)) }
    if bytes.first == 2, bytes.count == 38, bytes.last == 0 {
      let name = Array(bytes[1..<37])
      if let uuid = uuidBytes(name.span) {
        return [2] + (try uuidText(uuid, like: name, column)) + [0]
      }
    }
    return try blob(bytes, column)
  }
}

extension UInt8 {
  /// Whether the byte is a digit in ASCII.
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether the byte is white space in ASCII.
  var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}

extension [UInt8] {
  /// The number that digits spell, without zeros before it; `nil` for other texts.
  fileprivate var wholeNumber: Int64? {
    let digits = first == 0x2D ? dropFirst() : self[...]
    guard let first = digits.first, digits.count <= 18, first != 0x30,
      digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return Int64(String(decoding: self, as: UTF8.self))
  }

  /// Whether the bytes are UTF-8 without control characters but white space.
  fileprivate var isPlainText: Bool {
    allSatisfy { $0 >= 0x20 || $0.isBlank } && !contains(0x7F)
      && String(validating: self, as: UTF8.self) != nil
  }
}
