/// A reproducible random number generator: SplitMix64.
///
/// Each row and attribute has its own sequence, seeded with a hash. So any value of a fixture can
/// be computed without the values before it.
///
/// The algorithm is Steele, Lea and Flood's, "Fast Splittable Pseudorandom Number Generators"
/// (2014).
struct RandomSource: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return mixed(state)
  }

  /// Returns a number below a bound.
  ///
  /// Takes the high bits of a product. For the small bounds used here, the distribution is close to
  /// uniform. Unlike the standard library's, the result is specified to be the same on every
  /// platform.
  mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "the bound must be positive")
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Returns a number in the range 0..<1.
  mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// Returns `true` with a probability in percent.
  mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }

  /// Returns a random UUID: version 4, variant 1.
  mutating func uuid() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    for word in [next(), next()] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }
}

/// Returns a number in which each bit depends on each bit of the input.
func mixed(_ number: UInt64) -> UInt64 {
  var bits = number
  bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
  bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
  return bits ^ (bits >> 31)
}

/// Returns a hash that, unlike the standard library's, is the same in every run: FNV-1a.
///
/// See <http://www.isthe.com/chongo/tech/comp/fnv/>.
func stableHash(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}
