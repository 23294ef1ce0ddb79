/// Two hashes of a file's contents, in hexadecimal digits.
package struct FileHashes: Hashable, Sendable {
  /// The SHA-256 hash, which also detects deliberate changes.
  package let sha256: String

  /// The XXH128 hash, which takes a tenth of the time, or `nil` if it isn't known.
  ///
  /// Receipts by trial builds lack it. It detects accidental changes only: a collision can be
  /// constructed.
  package let xxh128: String?

  package init(sha256: String, xxh128: String?) {
    self.sha256 = sha256
    self.xxh128 = xxh128
  }
}

/// Returns the SHA-256 hash of a file, in constant memory.
///
/// Opens and closes the file, which releases this process's locks on it. For a locked file, use
/// ``FileDescriptor/sha256(replacingHeader:)``.
package func sha256(ofFile path: String) throws(SystemError) -> [UInt8] {
  try FileDescriptor(opening: path).sha256()
}

extension FileHashes {
  private static let bytesRead = Guarded(Int64(0))

  /// The number of bytes that this process has read from files to hash them.
  package static var bytesReadSoFar: Int64 { bytesRead.withLock { $0 } }

  fileprivate static func note(bytes: Int) { bytesRead.withLock { $0 += Int64(bytes) } }
}

extension FileDescriptor {
  /// Returns the SHA-256 hash of the file, in constant memory.
  ///
  /// - Parameter header: Bytes to hash in place of the file's first bytes.
  /// - Returns: The 32 bytes of the hash.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func sha256(replacingHeader header: [UInt8] = []) throws(SystemError) -> [UInt8] {
    var hash = SHA256()
    try read(replacingHeader: header) { hash.update($0) }
    return hash.finalize()
  }

  /// Returns both hashes of the file, in one pass and constant memory.
  ///
  /// - Parameter header: Bytes to hash in place of the file's first bytes.
  /// - Returns: The hashes.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func hashes(replacingHeader header: [UInt8] = []) throws(SystemError) -> FileHashes {
    var sha256 = SHA256()
    var xxh128 = XXH128()
    try read(replacingHeader: header) { bytes in
      sha256.update(bytes)
      xxh128.update(bytes)
    }
    return FileHashes(
      sha256: Hexadecimal.encode(sha256.finalize()),
      xxh128: Hexadecimal.encode(xxh128.finalize()))
  }

  /// Returns the XXH128 hash of the file in hexadecimal digits, in constant memory.
  ///
  /// - Parameter header: Bytes to hash in place of the file's first bytes.
  /// - Returns: The 32 digits.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func xxh128(replacingHeader header: [UInt8] = []) throws(SystemError) -> String {
    var hash = XXH128()
    try read(replacingHeader: header) { hash.update($0) }
    return Hexadecimal.encode(hash.finalize())
  }

  /// Returns whether the file has these hashes.
  ///
  /// An equal XXH128 hash is enough. If it is missing or differs, SHA-256 decides.
  ///
  /// - Parameters:
  ///   - hashes: The expected hashes.
  ///   - header: Bytes to hash in place of the file's first bytes.
  /// - Returns: `true` if the contents match.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func matches(
    _ hashes: FileHashes, replacingHeader header: [UInt8] = []
  ) throws(SystemError) -> Bool {
    if let expected = hashes.xxh128, try xxh128(replacingHeader: header) == expected {
      return true
    }
    return Hexadecimal.encode(try sha256(replacingHeader: header)) == hashes.sha256
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
      FileHashes.note(bytes: count)
      if count < buffer.count { return }
    }
  }
}
