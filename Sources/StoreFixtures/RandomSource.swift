/// A reproducible sequence of numbers: SplitMix64.
///
/// Every row and every attribute starts a sequence of its own from a hash of what it belongs to, so
/// that any value of a fixture can be computed without the ones before it.
///
/// The generator is Steele, Lea and Flood's, "Fast Splittable Pseudorandom Number Generators" (2014).
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
  /// The upper bits of a product are as good as evenly spread for the small bounds used here, and
  /// the same on every platform, which the standard library's own way doesn't promise.
  mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "there is no number below \(bound)")
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Returns a number from 0 up to, but not including, 1.
  mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// Returns true in a number of cases out of a hundred.
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

/// Returns a number in which every bit depends on every bit of another.
func mixed(_ number: UInt64) -> UInt64 {
  var bits = number
  bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
  bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
  return bits ^ (bits >> 31)
}

/// Returns the same number for the same text in every run, unlike the standard library's hashes.
///
/// FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>.
func stableHash(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}
