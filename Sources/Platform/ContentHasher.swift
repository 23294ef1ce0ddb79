/// An incremental hash by one of two algorithms.
package struct ContentHasher: ~Copyable {
  private var xxh128: XXH128?
  private var sha256: SHA256?

  /// Creates a hash of no bytes.
  package init(_ algorithm: HashAlgorithm) {
    switch algorithm {
    case .xxh128: xxh128 = XXH128()
    case .sha256: sha256 = SHA256()
    }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    xxh128?.update(bytes)
    sha256?.update(bytes)
  }

  /// Returns the bytes of the hash: 16, or 32 of a SHA-256.
  package consuming func finalize() -> [UInt8] {
    if let hash = xxh128.take() { return hash.finalize() }
    return sha256.take()?.finalize() ?? []
  }
}
