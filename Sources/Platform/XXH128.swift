#if canImport(CXXHash)
  import CXXHash

  private func newState() -> OpaquePointer? {
    // It fails only if memory runs out.
    guard let state = XXH3_createState(), XXH3_128bits_reset(state) == XXH_OK else {
      preconditionFailure("out of memory")
    }
    return state
  }

  private func halves(_ state: OpaquePointer) -> [UInt64] {
    let hash = XXH3_128bits_digest(state)
    return [hash.high64, hash.low64]
  }
#else
  private func newState() -> OpaquePointer? { nil }
  private func halves(_ state: OpaquePointer) -> [UInt64] { [] }
  private func XXH3_freeState(_ state: OpaquePointer) {}
  private func XXH3_128bits_update(
    _ state: OpaquePointer, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int32 { 0 }
#endif

/// An incremental XXH128 hash.
///
/// It is ten times as fast as ``SHA256`` and detects accidental changes, but isn't cryptographic.
/// The corresponding functions are xxHash's `XXH3_128bits_…`; `xxh128sum` prints the same digits.
/// Darwin has no xxHash: there, SHA-256 identifies files.
struct XXH128: ~Copyable {
  private let state: OpaquePointer

  /// Creates a hash of no bytes; `nil` on systems without xxHash.
  init?() {
    guard let state = newState() else { return nil }
    self.state = state
  }

  deinit { XXH3_freeState(state) }

  /// Adds bytes.
  mutating func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
  }

  /// Returns the 16 bytes of the hash.
  consuming func finalize() -> [UInt8] {
    halves(state).flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
    }
  }
}
