extension FileDescriptor {
  private static let bytesRead = Guarded(Int64(0))

  /// The number of bytes that this process has read from files to hash them.
  package static var bytesHashedSoFar: Int64 { bytesRead.withLock { $0 } }

  /// Returns the hash of the file's bytes in hexadecimal digits, in constant memory.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm of the hash.
  ///   - header: Bytes to hash in place of the file's first bytes.
  /// - Returns: 32 digits, or 64 of a SHA-256.
  /// - Throws: A ``SystemError`` if the file can't be read.
  /// - Complexity: O(*n*) in the file's bytes.
  package func hash(
    by algorithm: HashAlgorithm = .xxh128, replacingHeader header: [UInt8] = []
  ) throws(SystemError) -> String {
    var hash = ContentHasher(algorithm)
    try read(replacingHeader: header) { hash.update($0) }
    return Hexadecimal.encode(hash.finalize())
  }

  /// Returns whether the file's bytes have a hash, by the algorithm that its digits show.
  ///
  /// - Parameters:
  ///   - hash: The expected hash, in hexadecimal digits.
  ///   - header: Bytes to hash in place of the file's first bytes.
  /// - Returns: `true` if they are equal.
  /// - Throws: A ``SystemError`` if the file can't be read.
  /// - Complexity: O(*n*) in the file's bytes.
  package func matches(
    _ hash: String, replacingHeader header: [UInt8] = []
  ) throws(SystemError) -> Bool {
    try self.hash(by: HashAlgorithm(of: hash), replacingHeader: header) == hash
  }

  /// Passes the file's bytes to a closure, in chunks that fit a core's cache.
  private func read(
    replacingHeader header: [UInt8], _ body: (Span<UInt8>) -> Void
  ) throws(SystemError) {
    body(header.span)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = Int64(header.count)
    while true {
      try StopSignal.check()
      let count = try read(into: &buffer, at: offset)
      body(buffer.span.extracting(0..<count))
      offset += Int64(count)
      Self.bytesRead.withLock { $0 += Int64(count) }
      if count < buffer.count { return }
    }
  }
}
