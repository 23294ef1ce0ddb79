#if canImport(Darwin)
  import CommonCrypto

  private typealias SHA256_CTX = CC_SHA256_CTX
  private typealias SHA512_CTX = CC_SHA512_CTX
  private let SHA256_DIGEST_LENGTH = CC_SHA256_DIGEST_LENGTH
  private let SHA512_DIGEST_LENGTH = CC_SHA512_DIGEST_LENGTH

  private func SHA256_Init(_ context: UnsafeMutablePointer<SHA256_CTX>) { CC_SHA256_Init(context) }
  private func SHA512_Init(_ context: UnsafeMutablePointer<SHA512_CTX>) { CC_SHA512_Init(context) }

  // CommonCrypto counts in 32 bits. SQLite's values and the portions of files are smaller.
  private func SHA256_Update(
    _ context: UnsafeMutablePointer<SHA256_CTX>, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int32 { CC_SHA256_Update(context, bytes, CC_LONG(count)) }
  private func SHA512_Update(
    _ context: UnsafeMutablePointer<SHA512_CTX>, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int32 { CC_SHA512_Update(context, bytes, CC_LONG(count)) }

  private func SHA256_Final(
    _ hash: UnsafeMutablePointer<UInt8>?, _ context: UnsafeMutablePointer<SHA256_CTX>
  ) { CC_SHA256_Final(hash, context) }
  private func SHA512_Final(
    _ hash: UnsafeMutablePointer<UInt8>?, _ context: UnsafeMutablePointer<SHA512_CTX>
  ) { CC_SHA512_Final(hash, context) }
#else
  import CCrypto
#endif

/// An incremental SHA-256 hash.
///
/// The corresponding functions are libcrypto's `SHA256_…`, on Darwin CommonCrypto's `CC_SHA256_…`.
package struct SHA256: ~Copyable {
  private var context = SHA256_CTX()

  /// Creates a hash of no bytes.
  package init() { SHA256_Init(&context) }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { _ = SHA256_Update(&context, $0.baseAddress, $0.count) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  /// Returns the 32 bytes of the hash.
  package consuming func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { hash, count in
      SHA256_Final(hash.baseAddress, &context)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  /// Returns the first 64 bits of the hash, big-endian, and resets it to no bytes.
  package mutating func restart() -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA256_DIGEST_LENGTH)) { hash in
      SHA256_Final(hash.baseAddress, &context)
      SHA256_Init(&context)
      return hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

/// An incremental SHA-512 hash.
///
/// The corresponding functions are libcrypto's `SHA512_…`, on Darwin CommonCrypto's `CC_SHA512_…`.
package struct SHA512: ~Copyable {
  private var context = SHA512_CTX()

  /// Creates a hash of no bytes.
  package init() { SHA512_Init(&context) }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { _ = SHA512_Update(&context, $0.baseAddress, $0.count) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  /// Returns the 64 bytes of the hash.
  package consuming func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA512_DIGEST_LENGTH)) { hash, count in
      SHA512_Final(hash.baseAddress, &context)
      count = Int(SHA512_DIGEST_LENGTH)
    }
  }
}

/// Returns the SHA-256 hash of bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var hash = SHA256()
  hash.update(bytes)
  return hash.finalize()
}

/// Returns the SHA-512 hash of bytes.
package func sha512(_ bytes: [UInt8]) -> [UInt8] {
  var hash = SHA512()
  hash.update(bytes)
  return hash.finalize()
}
