package import SQLite

extension SeededGenerator {
  /// Returns a number below a bound, or 0 if the bound is less than 2.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<max(bound, 1), using: &self)
  }

  /// Returns a value of any kind, out of so few that some are equal.
  package mutating func value() -> Value {
    switch below(5) {
    case 0: .null
    case 1: .integer(Int64(below(4)))
    case 2: .real(Double(below(8)) / 2)
    case 3: .text("text \(below(4))")
    default: .blob([UInt8](repeating: UInt8(below(4)), count: below(4)))
    }
  }
}
