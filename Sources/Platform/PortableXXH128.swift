/// An incremental XXH128 hash in Swift, for systems without xxHash.
///
/// The seed is 0, and the secret is the default one. Processors are little-endian on all supported
/// systems.
/// Source: XXH3-128 in <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>.
struct PortableXXH128: ~Copyable {
  /// The end of the last complete block, and the bytes after that.
  private var bytes = [UInt8](repeating: 0, count: Self.stripe + Self.block)

  /// The number of bytes after the last complete block; it is positive from the first byte on.
  private var count = 0

  /// The number of all bytes.
  private var total = 0

  private var lanes = SIMD8<UInt64>(
    UInt64(Prime.p32.2), Prime.p64.0, Prime.p64.1, Prime.p64.2, Prime.p64.3,
    UInt64(Prime.p32.1), Prime.p64.4, UInt64(Prime.p32.0))

  private static let stripe = 64
  private static let block = 1024

  /// Creates a hash of no bytes.
  init() {}

  /// Adds bytes.
  mutating func update(_ new: Span<UInt8>) {
    total += new.count
    new.withUnsafeBytes { new in
      var rest = new[...]
      // A block is complete when another byte follows: the last one is treated differently.
      while count + rest.count > Self.block {
        let part = rest.prefix(Self.block - count)
        rest = rest.dropFirst(part.count)
        append(part)
        bytes.withUnsafeBytes { add(block: $0) }
        keepEnd()
      }
      append(rest)
    }
  }

  private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) {
    let start = Self.stripe + count
    bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyBytes(from: part)
    }
    count += part.count
  }

  private mutating func keepEnd() {
    bytes.withUnsafeMutableBytes { bytes in
      let end = UnsafeRawBufferPointer(rebasing: bytes[Self.block...])
      bytes.copyMemory(from: end)
    }
    count = 0
  }

  private mutating func add(block bytes: UnsafeRawBufferPointer) {
    Self.secret.withUnsafeBytes { secret in
      for index in 0..<Self.block / Self.stripe {
        lanes.add(bytes, at: Self.stripe * (index + 1), secret, at: 8 * index)
      }
      let key = secret.loadUnaligned(fromByteOffset: 128, as: SIMD8<UInt64>.self)
      lanes = (lanes ^ (lanes &>> 47) ^ key) &* SIMD8(repeating: UInt64(Prime.p32.0))
    }
  }

  /// The 16 bytes of the hash.
  var digest: [UInt8] {
    let halves = halves
    return [halves.high, halves.low].flatMap(\.bigEndianBytes)
  }

  private var halves: (low: UInt64, high: UInt64) {
    Self.secret.withUnsafeBytes { secret in
      bytes.withUnsafeBytes { bytes in
        guard total > 240 else {
          return UnsafeRawBufferPointer(rebasing: bytes[Self.stripe..<Self.stripe + total])
            .shortXXH128(secret)
        }
        var lanes = lanes
        for index in 0..<(count - 1) / Self.stripe {
          lanes.add(bytes, at: Self.stripe * (index + 1), secret, at: 8 * index)
        }
        lanes.add(bytes, at: count, secret, at: 192 - 64 - 7)
        let length = UInt64(total)
        return (
          lanes.merged(secret, at: 11, from: length &* Prime.p64.0),
          lanes.merged(secret, at: 192 - 64 - 11, from: ~(length &* Prime.p64.1))
        )
      }
    }
  }

  /// The default secret, as little-endian numbers of 8 bytes.
  private static let secret: [UInt64] = [
    0xBE4B_A423_396C_FEB8, 0x1CAD_21F7_2C81_017C, 0xDB97_9083_E96D_D4DE,
    0x1F67_B3B7_A4A4_4072, 0x78E5_C0CC_4EE6_79CB, 0x2172_FFCC_7DD0_5A82,
    0x8E24_43F7_7446_08B8, 0x4C26_3A81_E690_35E0, 0xCB00_C391_BB52_283C,
    0xA32E_531B_8B65_D088, 0x4EF9_0DA2_9748_6471, 0xD8AC_DEA9_46EF_1938,
    0x3F34_9CE3_3F76_FAA8, 0x1D4F_0BC7_C7BB_DCF9, 0x3159_B4CD_4BE0_518A,
    0x6473_78D9_C97E_9FC8, 0xC3EB_D334_83AC_C5EA, 0xEB63_13FA_FFA0_81C5,
    0x49DA_F0B7_51DD_0D17, 0x9E68_D429_2655_16D3, 0xFCA1_477D_58BE_162B,
    0xCE31_D07A_D1B8_F88F, 0x2804_1695_8F3A_CB45, 0x7E40_4BBB_CAFB_D7AF,
  ]
}

extension SIMD8<UInt64> {
  /// Mixes a stripe of 64 bytes into the lanes.
  fileprivate mutating func add(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ secret: UnsafeRawBufferPointer,
    at place: Int
  ) {
    let values = bytes.loadUnaligned(fromByteOffset: offset, as: Self.self)
    let keyed = values ^ secret.loadUnaligned(fromByteOffset: place, as: Self.self)
    let exchanged = Self(
      values[1], values[0], values[3], values[2], values[5], values[4], values[7], values[6])
    self &+= exchanged &+ (keyed & Self(repeating: 0xFFFF_FFFF)) &* (keyed &>> 32)
  }

  /// Returns one half of the hash.
  fileprivate func merged(
    _ secret: UnsafeRawBufferPointer, at place: Int, from start: UInt64
  ) -> UInt64 {
    var sum = start
    for pair in 0..<4 {
      let first = self[2 * pair] ^ secret.word(at: place + 16 * pair)
      sum &+= first.folded(times: self[2 * pair + 1] ^ secret.word(at: place + 16 * pair + 8))
    }
    return sum.avalanche
  }
}
