/// A random number generator that repeats its numbers for the same seed: SplitMix64.
///
/// The algorithm is Steele, Lea and Flood's, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  package init(seed: UInt64) { state = seed }

  /// Creates a generator with a new seed, which it prints with a name.
  package init(printing name: String) { self.init(seed: printedSeed(name)) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number below a bound, which must be at least 1.
  package mutating func number(_ bound: UInt64) -> UInt64 { next() % bound }

  /// Returns at most `limit` random bytes.
  package mutating func bytes(upTo limit: Int) -> [UInt8] {
    let count = Int.random(in: 0...limit, using: &self)
    return (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &self) }
  }
}
