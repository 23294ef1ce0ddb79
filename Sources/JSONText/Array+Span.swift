extension Array where Element == UInt8 {
  /// Creates an array of the bytes of a span.
  @inlinable
  package init(copying bytes: Span<UInt8>) {
    self.init(capacity: bytes.count) { output in
      for index in bytes.indices { output.append(bytes[index]) }
    }
  }
}
