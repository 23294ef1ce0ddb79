#if canImport(CXXHash)
  import CXXHash

  private func newState() -> OpaquePointer {
    // It fails only if memory runs out.
    guard let state = XXH3_createState(), XXH3_128bits_reset(state) == XXH_OK else {
      preconditionFailure("out of memory")
    }
    return state
  }

  private func add(_ bytes: Span<UInt8>, to state: inout OpaquePointer) {
    bytes.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
  }

  private func digest(of state: OpaquePointer) -> [UInt8] {
    let hash = XXH3_128bits_digest(state)
    return [hash.high64, hash.low64].flatMap(\.bigEndianBytes)
  }

  private func free(_ state: OpaquePointer) { XXH3_freeState(state) }
#else
  private func newState() -> PortableXXH128 { PortableXXH128() }
  private func add(_ bytes: Span<UInt8>, to state: inout PortableXXH128) { state.update(bytes) }
  private func digest(of state: borrowing PortableXXH128) -> [UInt8] { state.digest }
  private func free(_ state: borrowing PortableXXH128) {}
#endif

/// An incremental XXH128 hash.
///
/// It is ten times as fast as ``SHA256`` and detects accidental changes, but isn't cryptographic.
/// The corresponding functions are xxHash's `XXH3_128bits_…`; `xxh128sum` prints the same digits.
/// Darwin has no xxHash, so the hash is computed in Swift there.
package struct XXH128: ~Copyable {
  private var state = newState()

  /// Creates a hash of no bytes.
  package init() {}

  deinit { free(state) }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) { add(bytes, to: &state) }

  /// Returns the 16 bytes of the hash.
  package consuming func finalize() -> [UInt8] { digest(of: state) }
}
