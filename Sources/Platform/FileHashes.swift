/// Two hashes of a file's bytes, in hexadecimal digits.
package struct FileHashes: Hashable, Sendable {
  /// The SHA-256: nobody makes other bytes that have it.
  package let sha256: String

  /// The XXH128, which takes a tenth of the time; none where it wasn't kept.
  ///
  /// Bytes that differ by chance never have the same; somebody can make some that do.
  package let xxh128: String?

  package init(sha256: String, xxh128: String?) {
    self.sha256 = sha256
    self.xxh128 = xxh128
  }
}

/// Returns the SHA-256 hash of a file's bytes, in constant memory.
///
/// Opens and closes the file: for one that this process has locked, see
/// ``FileDescriptor/sha256(replacingHeader:)``.
package func sha256(ofFile path: String) throws(SystemError) -> [UInt8] {
  try FileDescriptor(opening: path).sha256()
}

extension FileDescriptor {
  /// Returns the SHA-256 hash of the file's bytes, in constant memory.
  ///
  /// - Parameter header: Bytes that count instead of as many at the beginning of the file.
  /// - Returns: The 32 bytes of the hash.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func sha256(replacingHeader header: [UInt8] = []) throws(SystemError) -> [UInt8] {
    var hash = SHA256()
    try read(replacingHeader: header) { hash.update($0) }
    return hash.finalize()
  }

  /// Returns both hashes of the file's bytes, which are read once, in constant memory.
  ///
  /// - Parameter header: Bytes that count instead of as many at the beginning of the file.
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
      sha256: Hexadecimal.encode(sha256.finalize()), xxh128: Hexadecimal.encode(xxh128.finalize()))
  }

  /// Returns the XXH128 hash of the file's bytes, in hexadecimal digits, in constant memory.
  ///
  /// - Parameter header: Bytes that count instead of as many at the beginning of the file.
  /// - Returns: The digits.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func xxh128(replacingHeader header: [UInt8] = []) throws(SystemError) -> String {
    var hash = XXH128()
    try read(replacingHeader: header) { hash.update($0) }
    return Hexadecimal.encode(hash.finalize())
  }

  /// Returns whether the file's bytes are those that hashes were made of.
  ///
  /// The quicker one is enough; where it isn't the file's, SHA-256 decides.
  ///
  /// - Parameters:
  ///   - hashes: The hashes.
  ///   - header: Bytes that count instead of as many at the beginning of the file.
  /// - Returns: Whether they are.
  /// - Throws: A ``SystemError`` if the file can't be read.
  package func matches(
    _ hashes: FileHashes, replacingHeader header: [UInt8] = []
  ) throws(SystemError) -> Bool {
    if let expected = hashes.xxh128, try xxh128(replacingHeader: header) == expected {
      return true
    }
    return Hexadecimal.encode(try sha256(replacingHeader: header)) == hashes.sha256
  }

  /// Lends the file's bytes, as many at a time as a core's cache holds.
  private func read(
    replacingHeader header: [UInt8], _ body: (Span<UInt8>) -> Void
  ) throws(SystemError) {
    body(header.span)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = Int64(header.count)
    while true {
      let count = try read(into: &buffer, at: offset)
      body(buffer.span.extracting(0..<count))
      offset += Int64(count)
      if count < buffer.count { return }
    }
  }
}
