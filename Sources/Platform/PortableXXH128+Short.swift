/// The primes of XXH128, in their order: the specification counts from 1.
enum Prime {
  static let p32: (UInt32, UInt32, UInt32) = (0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D)
  static let p64: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )
}

extension UInt64 {
  var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) }
  }

  var avalanche: UInt64 {
    let mixed = (self ^ (self >> 37)) &* 0x1656_6791_9E37_79F9
    return mixed ^ (mixed >> 32)
  }

  /// The avalanche of XXH64, which the shortest inputs have.
  fileprivate var formerAvalanche: UInt64 {
    let first = (self ^ (self >> 33)) &* Prime.p64.1
    let second = (first ^ (first >> 29)) &* Prime.p64.2
    return second ^ (second >> 32)
  }

  /// Returns the exclusive-or of both halves of a product of 128 bits.
  func folded(times other: UInt64) -> UInt64 {
    let product = multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the 8 bytes at an offset as a number.
  func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }

  private func half(at offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  /// Returns the halves of the hash of at most 240 bytes.
  func shortXXH128(_ secret: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    switch count {
    case 0:
      (
        (secret.word(at: 64) ^ secret.word(at: 72)).formerAvalanche,
        (secret.word(at: 80) ^ secret.word(at: 88)).formerAvalanche
      )
    case 1...3: hashOf3(secret)
    case 4...8: hashOf8(secret)
    case 9...16: hashOf16(secret)
    case 17...128: hashOf128(secret)
    default: hashOf240(secret)
    }
  }

  private func hashOf3(_ secret: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    let low =
      UInt32(self[0]) << 16 | UInt32(self[count >> 1]) << 24 | UInt32(self[count - 1])
      | UInt32(count) << 8
    let high = low.byteSwapped << 13 | low.byteSwapped >> 19
    return (
      (UInt64(low) ^ UInt64(secret.half(at: 0) ^ secret.half(at: 4))).formerAvalanche,
      (UInt64(high) ^ UInt64(secret.half(at: 8) ^ secret.half(at: 12))).formerAvalanche
    )
  }

  private func hashOf8(_ secret: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    let value = UInt64(half(at: 0)) | UInt64(half(at: count - 4)) << 32
    let keyed = value ^ secret.word(at: 16) ^ secret.word(at: 24)
    var (high, low) = keyed.multipliedFullWidth(by: Prime.p64.0 &+ UInt64(count) << 2)
    high &+= low << 1
    low ^= high >> 3
    low = (low ^ (low >> 35)) &* 0x9FB2_1C65_1E98_DF25
    return (low ^ (low >> 28), high.avalanche)
  }

  private func hashOf16(_ secret: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    let last = word(at: count - 8)
    let key = word(at: 0) ^ last ^ secret.word(at: 32) ^ secret.word(at: 40)
    var (high, low) = key.multipliedFullWidth(by: Prime.p64.0)
    low &+= UInt64(count - 1) << 54
    let keyed = last ^ secret.word(at: 48) ^ secret.word(at: 56)
    high &+= keyed &+ (keyed & 0xFFFF_FFFF) &* UInt64(Prime.p32.1 - 1)
    low ^= high.byteSwapped
    let product = low.multipliedFullWidth(by: Prime.p64.1)
    return (product.low.avalanche, (product.high &+ high &* Prime.p64.1).avalanche)
  }

  private func hashOf128(_ secret: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    var sums = (low: UInt64(count) &* Prime.p64.0, high: UInt64(0))
    // From the middle to both ends.
    for pair in (0...(count - 1) / 32).reversed() {
      mix(16 * pair, count - 16 * (pair + 1), secret, at: 32 * pair, into: &sums)
    }
    return finished(sums)
  }

  private func hashOf240(_ secret: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    var sums = (low: UInt64(count) &* Prime.p64.0, high: UInt64(0))
    for start in stride(from: 0, to: 128, by: 32) {
      mix(start, start + 16, secret, at: start, into: &sums)
    }
    sums = (sums.low.avalanche, sums.high.avalanche)
    for start in stride(from: 128, through: count - 32, by: 32) {
      mix(start, start + 16, secret, at: start - 125, into: &sums)
    }
    mix(count - 16, count - 32, secret, at: 103, into: &sums)
    return finished(sums)
  }

  /// Mixes two pieces of 16 bytes into both sums.
  private func mix(
    _ first: Int, _ second: Int, _ secret: UnsafeRawBufferPointer, at place: Int,
    into sums: inout (low: UInt64, high: UInt64)
  ) {
    sums.low &+= folded(first, secret, at: place)
    sums.low ^= word(at: second) &+ word(at: second + 8)
    sums.high &+= folded(second, secret, at: place + 16)
    sums.high ^= word(at: first) &+ word(at: first + 8)
  }

  private func folded(_ offset: Int, _ secret: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    (word(at: offset) ^ secret.word(at: place))
      .folded(times: word(at: offset + 8) ^ secret.word(at: place + 8))
  }

  private func finished(_ sums: (low: UInt64, high: UInt64)) -> (low: UInt64, high: UInt64) {
    let high =
      sums.low &* Prime.p64.0 &+ sums.high &* Prime.p64.3 &+ UInt64(count) &* Prime.p64.1
    return ((sums.low &+ sums.high).avalanche, 0 &- high.avalanche)
  }
}
