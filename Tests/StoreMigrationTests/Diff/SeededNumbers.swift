import SQLite
import Migrations
import StoreProof

/// A reproducible sequence of numbers: xorshift64*, <https://doi.org/10.18637/jss.v008.i14>.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<8 { _ = next() }
  }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }

  /// A value of any kind, out of so few that some are equal.
  mutating func value() -> Value {
    switch below(5) {
    case 0: .null
    case 1: .integer(Int64(below(4)))
    case 2: .real(Double(below(8)) / 2)
    case 3: .text("text \(below(4))")
    default: .blob([UInt8](repeating: UInt8(below(4)), count: below(4)))
    }
  }
}
