import Platform

/// An incremental hash by one of two algorithms.
struct ContentHasher: ~Copyable {
  private var xxh128: XXH128?
  private var sha256: SHA256?

  init(_ algorithm: ContentHash.Algorithm) {
    switch algorithm {
    case .xxh128: xxh128 = XXH128()
    case .sha256: sha256 = SHA256()
    }
  }

  mutating func update(_ bytes: Span<UInt8>) {
    xxh128?.update(bytes)
    sha256?.update(bytes)
  }

  consuming func finalize() -> [UInt8] {
    if let hash = xxh128.take() { return hash.finalize() }
    return sha256.take()?.finalize() ?? []
  }
}
