#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Span<UInt8> {
  /// Returns whether two spans have the same bytes.
  ///
  /// The corresponding C function is `memcmp`.
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { own in
      other.withUnsafeBytes { others in
        guard let own = own.baseAddress, let others = others.baseAddress else { return true }
        return memcmp(own, others, count) == 0
      }
    }
  }
}
