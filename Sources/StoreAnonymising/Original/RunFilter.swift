import Platform

/// A set of numbers that answers "no" surely, and "yes" wrongly now and then.
///
/// It is a Bloom filter with three places for each number. Memory doesn't grow with the numbers.
struct RunFilter: Sendable {
  private var bits: [UInt64]
  private let mask: UInt64

  /// Creates a filter for a number of entries, with at most 256 MiB.
  init(count: Int64) {
    var size: UInt64 = 1 << 20
    while size < UInt64(max(0, count)) * 16 && size < 1 << 31 { size <<= 1 }
    mask = size - 1
    bits = [UInt64](repeating: 0, count: Int(size / 64))
  }

  mutating func insert(_ number: UInt64) {
    var hash = mixed(number)
    for _ in 0..<3 {
      let place = hash & mask
      bits[Int(place >> 6)] |= 1 << (place & 63)
      hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ hash >> 32
    }
  }

  func contains(_ number: UInt64) -> Bool {
    var hash = mixed(number)
    for _ in 0..<3 {
      let place = hash & mask
      if bits[Int(place >> 6)] & (1 << (place & 63)) == 0 { return false }
      hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ hash >> 32
    }
    return true
  }
}

/// The runs of eight bytes in a sequence of bytes, each as a number.
///
/// Runs of one byte repeated, or without a letter, a digit or a byte above ASCII, say nothing and are
/// left out.
struct RunWindow {
  private var word: UInt64 = 0
  private var count = 0

  /// The number of bytes at the end that aren't of a word.
  private var signs = 0

  /// Adds a byte; returns the run that it completes.
  mutating func add(_ byte: UInt8) -> UInt64? {
    word = word << 8 | UInt64(byte)
    count += 1
    signs = byte.isOfWord ? 0 : signs + 1
    guard count >= 8, signs < 8, word != UInt64(byte) &* 0x0101_0101_0101_0101 else { return nil }
    return word
  }
}

extension [UInt8] {
  /// Calls a closure with each run of eight bytes, and the place of its last byte.
  func forEachRun(_ body: (UInt64, Int) throws -> Void) rethrows {
    var window = RunWindow()
    for place in indices {
      if let run = window.add(self[place]) { try body(run, place) }
    }
  }

  /// A hash that is the same in every run: FNV-1a, mixed.
  var stableHash: UInt64 {
    mixed(reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}
