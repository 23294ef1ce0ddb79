import CCrypto

/// A SHA-256 hash in the making.
///
/// The corresponding functions are libcrypto's `EVP_Digest…`.
public struct SHA256: ~Copyable {
  private let digest: Digest

  /// Begins with no bytes.
  public init() { digest = Digest(Algorithms.sha256) }

  /// Adds bytes.
  public mutating func update(_ bytes: Span<UInt8>) { digest.update(bytes) }

  /// Adds bytes.
  public mutating func update(_ bytes: [UInt8]) { digest.update(bytes.span) }

  /// Returns the 32 bytes of the hash.
  public consuming func finalize() -> [UInt8] { digest.finalize() }

  /// Returns the first 64 bits of the hash, the first byte the most significant, and begins anew.
  public mutating func restart() -> UInt64 { digest.restart() }
}

/// A SHA-512 hash in the making.
///
/// The corresponding functions are libcrypto's `EVP_Digest…`.
public struct SHA512: ~Copyable {
  private let digest: Digest

  /// Begins with no bytes.
  public init() { digest = Digest(Algorithms.sha512) }

  /// Adds bytes.
  public mutating func update(_ bytes: Span<UInt8>) { digest.update(bytes) }

  /// Adds bytes.
  public mutating func update(_ bytes: [UInt8]) { digest.update(bytes.span) }

  /// Returns the 64 bytes of the hash.
  public consuming func finalize() -> [UInt8] { digest.finalize() }
}

/// Returns the SHA-256 hash of bytes.
public func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var hash = SHA256()
  hash.update(bytes)
  return hash.finalize()
}

/// Returns the SHA-512 hash of bytes.
public func sha512(_ bytes: [UInt8]) -> [UInt8] {
  var hash = SHA512()
  hash.update(bytes)
  return hash.finalize()
}

/// Returns the SHA-256 hash of a file's bytes, in constant memory.
///
/// Opens and closes the file: for one that this process has locked, see
/// ``FileDescriptor/sha256()``.
public func sha256(ofFile path: String) throws(SystemError) -> [UInt8] {
  try FileDescriptor(opening: path).sha256()
}

extension FileDescriptor {
  /// Returns the SHA-256 hash of the file's bytes, in constant memory.
  ///
  /// - Parameter header: Bytes that count instead of as many at the beginning of the file.
  /// - Returns: The 32 bytes of the hash.
  /// - Throws: A ``SystemError`` if the file can't be read.
  public func sha256(replacingHeader header: [UInt8] = []) throws(SystemError) -> [UInt8] {
    var hash = SHA256()
    hash.update(header)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset = Int64(header.count)
    while true {
      let count = try read(into: &buffer, at: offset)
      hash.update(buffer.span.extracting(0..<count))
      offset += Int64(count)
      if count < buffer.count { return hash.finalize() }
    }
  }
}

/// The algorithms, looked up once: `EVP_sha256()` would have each hash look for its own again.
private enum Algorithms {
  nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
  nonisolated(unsafe) static let sha512 = EVP_MD_fetch(nil, "SHA512", nil)
}

struct Digest: ~Copyable {
  private let context: OpaquePointer

  init(_ algorithm: OpaquePointer?) {
    // Both fail only where there is no memory, or no such algorithm in the library.
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
      preconditionFailure("libcrypto has no such hash")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: Span<UInt8>) {
    let code = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    precondition(code == 1, "libcrypto hashes any bytes")
  }

  func restart() -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(EVP_MAX_MD_SIZE)) { hash in
      let isDone =
        EVP_DigestFinal_ex(context, hash.baseAddress, nil) == 1
        && EVP_DigestInit_ex(context, nil, nil) == 1
      precondition(isDone, "a hash is finished once")
      return hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  func finalize() -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    precondition(EVP_DigestFinal_ex(context, &hash, &count) == 1, "a hash is finished once")
    return Array(hash[..<Int(count)])
  }
}
