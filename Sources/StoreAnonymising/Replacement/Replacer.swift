import Platform

/// Finds for each piece of an original what stands in its place, by a seed.
///
/// Equal pieces have equal replacements, wherever they are.
final class Replacer {
  /// How many pieces were replaced, by kind.
  private(set) var counts = ReplacedCounts()

  private let index: OriginalIndex
  private let seed: UInt64
  private var assignments: Assignments

  /// The seconds that are added to each date: whole days.
  private let shift: Double

  /// What is left to give to Boolean attributes.
  private var flags: [String: OriginalIndex.FlagCounts]
  private var flagChoice: RandomBytes

  init(_ index: OriginalIndex, seed: UInt64) throws {
    self.index = index
    self.seed = seed
    assignments = try Assignments()
    flags = index.flags
    flagChoice = Self.random(seed, 0x66, [])
    var random = Self.random(seed, 0x64, [])
    // All dates are moved before the first one, so that none of them is another's new date.
    let span = index.dates.map { $0.upperBound - $0.lowerBound } ?? 0
    // Up to 200 years more: the span is in the result, so only this number hides the real dates.
    let days = (span / 86_400).rounded(.up) + 2 + Double(random.below(73_050))
    shift = -days * 86_400
  }

  /// Returns the replacement of a piece.
  ///
  /// - Throws: ``AnonymisingError/noReplacement(_:)`` if the original has every one that was tried.
  func replace(_ piece: Piece, _ column: ColumnShape) throws -> Piece {
    counts.count(piece)
    switch piece {
    case .date(let seconds): return .date(seconds + shift)
    case .flag(let flag): return .flag(drawFlag(like: flag, of: column.place))
    case .uuid(let bytes): return .uuid(try uuid(bytes, column))
    case .bytes(let bytes): return .bytes(try self.bytes(bytes, column))
    case .text(let bytes): return .text(try text(bytes, column))
    case .integer(let number): return .integer(try integer(number, column))
    case .real(let number): return .real(try real(number, column))
    }
  }

  /// Returns a value, so that in the end there are as many of each as in the original.
  private func drawFlag(like flag: Bool, of place: String) -> Bool {
    guard var left = flags[place], left.zeros + left.ones > 0 else { return flag }
    let isOne = Int64(flagChoice.below(UInt64(left.zeros + left.ones))) < left.ones
    if isOne { left.ones -= 1 } else { left.zeros -= 1 }
    flags[place] = left
    return isOne
  }

  /// Starts a sequence for a value.
  ///
  /// A replacement doesn't reveal the seed, even beside its value.
  private func random(_ kind: UInt8, _ bytes: [UInt8]) -> RandomBytes {
    Self.random(seed, kind, bytes)
  }

  private static func random(_ seed: UInt64, _ kind: UInt8, _ bytes: [UInt8]) -> RandomBytes {
    let digest = sha256(seed.bytes + [kind] + bytes)
    return RandomBytes(digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  private func uuid(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    var random = random(0x75, bytes)
    for _ in 0..<10_000 {
      var other = random.bytes(16)
      // The version and the variant.
      other[6] = other[6] & 0x0F | bytes[6] & 0xF0
      other[8] = other[8] & 0x3F | bytes[8] & 0xC0
      if !index.mayHave(.uuid(other)), index.places(in: .uuid(other)).isEmpty { return other }
    }
    throw AnonymisingError.noReplacement(column.place)
  }

  private func bytes(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    if bytes.isEmpty { return bytes }
    var random = random(0x62, bytes)
    var other = random.bytes(bytes.count)
    for _ in 0..<1_000 {
      try StopSignal.check()
      // Few bytes may happen to be a text, which the check compares as one.
      let piece = bytes.count <= 64 ? Piece.text(other) : .bytes(other)
      let places = index.places(in: piece)
      if places.isEmpty && other != bytes && !index.mayHave(piece) { return other }
      for place in places {
        other[max(0, place - Int(random.below(8)))] = UInt8(random.below(256))
      }
      if places.isEmpty { other = random.bytes(bytes.count) }
    }
    throw AnonymisingError.noReplacement(column.place)
  }

  private func text(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    var random = random(0x74, bytes)
    var characters = TextCharacters(bytes)
    guard characters.count > 0 else { return bytes }
    let isShort = characters.count < 12
    let key = [0x74] + bytes
    if isShort, let known = try assignments.replacement(of: key) { return Array(known.dropFirst()) }
    characters.fill(widely: false, &random)
    // Long texts need few attempts, each of which takes as long as the text.
    let attempts = max(200, min(2_000, (64 << 20) / bytes.count))
    for attempt in 0..<attempts {
      try StopSignal.check()
      let isWide = attempt > attempts / 4
      let other = characters.bytes
      let places = index.places(in: .text(other))
      if !places.isEmpty {
        characters.replace(before: places, widely: isWide, &random)
      } else if other == bytes || index.mayHave(.text(other)) {
        characters.fill(widely: isWide, &random)
      } else {
        if try !isShort || assignments.assign([0x74] + other, to: key) { return other }
        characters.fill(widely: isWide, &random)
      }
    }
    throw AnonymisingError.noReplacement(column.place)
  }
}

/// The numbers of replaced pieces.
package struct ReplacedCounts: Hashable, Sendable {
  package private(set) var texts: Int64 = 0
  package private(set) var numbers: Int64 = 0
  package private(set) var dates: Int64 = 0
  package private(set) var uuids: Int64 = 0
  package private(set) var flags: Int64 = 0
  package private(set) var bytes: Int64 = 0

  mutating func count(_ piece: Piece) {
    switch piece {
    case .text: texts += 1
    case .integer, .real: numbers += 1
    case .date: dates += 1
    case .uuid: uuids += 1
    case .flag: flags += 1
    case .bytes: bytes += 1
    }
  }
}

extension Replacer {
  /// Returns a number with the same sign and number of digits, in the same range of integers.
  private func integer(_ number: Int64, _ column: ColumnShape) throws -> Int64 {
    let magnitude = number.magnitude
    let key = [0x6E] + UInt64(bitPattern: number).bytes
    if let known = try assignments.replacement(of: key) { return known.number }
    var random = random(0x6E, key)
    let digits = "\(magnitude)".utf8.count
    let power = (1..<digits).reduce(1 as UInt64) { power, _ in power * 10 }
    let most = power > UInt64(Int64.max) / 10 ? UInt64(Int64.max) : power * 10 - 1
    // The ranges of the attribute types: 16 and 32 bits. Larger numbers leave these to the others.
    let limits: [UInt64] = [32_767, 2_147_483_647]
    let last = limits.first { magnitude <= $0 }.map { min(most, $0) } ?? most
    // 1 stays 1, so it is no replacement.
    let first = limits.reduce(max(power, 2)) { magnitude > $1 ? max($0, $1 + 1) : $0 }
    let range = last - first + 1
    let start = random.below(range)
    // Short ranges are searched through, because few of their numbers may be left.
    for attempt in 0..<1_000 + min(range, 100_000) {
      let step = attempt < 1_000 ? random.below(range) : (start + attempt - 1_000) % range
      let other = Int64(first + step) * (number < 0 ? -1 : 1)
      if other == number || index.mayHave(.integer(other)) { continue }
      let value = [0x6E] + UInt64(bitPattern: other).bytes
      if try assignments.assign(value, to: key) { return other }
    }
    // The others have all numbers but this one.
    if range <= 100_000, !index.mayHave(.integer(number)), try assignments.assign(key, to: key) {
      return number
    }
    throw AnonymisingError.noReplacement(column.place)
  }

  /// Returns a number with the same sign, the same zeros at its beginning and as many digits.
  private func real(_ number: Double, _ column: ColumnShape) throws -> Double {
    let key = [0x72] + number.bitPattern.bytes
    if let known = try assignments.replacement(of: key) {
      return Double(bitPattern: UInt64(bitPattern: known.number))
    }
    var random = random(0x72, key)
    let isFloat = Double(Float(number)) == number
    let form = Array((isFloat ? Float(number).description : number.description).utf8)
    for _ in 0..<5_000 {
      let text = Self.digits(like: form, &random)
      let other = isFloat ? Float(text).map { Double($0) } : Double(text)
      guard let other, other.isFinite, other != number, !index.mayHave(.real(other)) else {
        continue
      }
      if try assignments.assign([0x72] + other.bitPattern.bytes, to: key) { return other }
    }
    throw AnonymisingError.noReplacement(column.place)
  }

  private static func digits(like form: [UInt8], _ random: inout RandomBytes) -> String {
    let end = form.firstIndex(of: 0x65) ?? form.count
    let last = form[..<end].lastIndex { $0 != 0x2E } ?? 0
    var hasBegun = false
    var result = form
    for place in 0..<end where form[place] >= 0x30 && form[place] <= 0x39 {
      if !hasBegun && form[place] == 0x30 { continue }
      let isPlain = hasBegun && place != last
      result[place] = 0x30 + UInt8(isPlain ? random.below(10) : 1 + random.below(9))
      hasBegun = true
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The number in the eight bytes after the first.
  fileprivate var number: Int64 {
    Int64(bitPattern: dropFirst().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
