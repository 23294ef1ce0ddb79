import Platform

/// A reproducible source of random numbers that a key starts: SplitMix64.
struct RandomBytes {
  private var state: UInt64

  init(_ key: UInt64) { state = key }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return mixed(state)
  }

  /// Returns a number below a bound, which must be above 0.
  mutating func below(_ bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += next().bytes.prefix(count - bytes.count) }
    return bytes
  }
}
