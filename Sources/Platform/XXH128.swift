#if canImport(CXXHash)
  import CXXHash

  /// An incremental XXH128 hash.
  ///
  /// It is ten times as fast as ``SHA256`` and detects accidental changes, but isn't cryptographic.
  /// The corresponding functions are xxHash's `XXH3_128bits_…`; `xxh128sum` prints the same digits.
  /// Systems without the library, as Darwin is, have the same hash in Swift.
  package struct XXH128: ~Copyable {
    private let state: OpaquePointer

    /// Creates a hash of no bytes.
    package init() {
      // It fails only if memory runs out.
      guard let state = XXH3_createState(), XXH3_128bits_reset(state) == XXH_OK else {
        preconditionFailure("out of memory")
      }
      self.state = state
    }

    deinit { XXH3_freeState(state) }

    /// Adds bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
      bytes.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
    }

    /// Returns the 16 bytes of the hash.
    package consuming func finalize() -> [UInt8] {
      let hash = XXH3_128bits_digest(state)
      return [hash.high64, hash.low64].flatMap(\.bigEndianBytes)
    }
  }
#else
  /// An incremental XXH128 hash.
  package typealias XXH128 = PortableXXH128
#endif
