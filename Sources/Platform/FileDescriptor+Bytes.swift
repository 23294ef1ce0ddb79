#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

extension FileDescriptor {
  /// Fills a buffer from an offset on and returns how much of it the file had.
  ///
  /// An end that comes before the file's own is `EIO`.
  package func read(into buffer: inout [UInt8], at offset: Int64) throws(SystemError) -> Int {
    var filled = 0
    var hasEndedEarly = false
    while filled < buffer.count {
      let count = try attempt("read", path) {
        buffer.withUnsafeMutableBytes { bytes in
          pread(
            number, bytes.baseAddress.map { $0 + filled }, bytes.count - filled,
            off_t(offset) + off_t(filled))
        }
      }
      if count == 0 {
        if try status().size <= offset + Int64(filled) { break }
        // The file may have grown in between: only who comes to an end twice sees a failure.
        if hasEndedEarly { throw SystemError(code: EIO, call: "read", path: path) }
        hasEndedEarly = true
      }
      filled += count
    }
    return filled
  }

  /// Returns the bytes from an offset on, fewer than asked for only at the end of the file.
  package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = try read(into: &bytes, at: offset)
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Returns all bytes of the file, unless there are more than a limit: that is `EFBIG`.
  package func readAll(limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, Int(clamping: try status().size)))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(into: &buffer, at: Int64(bytes.count))
      guard count <= limit - bytes.count else {
        throw SystemError(code: EFBIG, call: "read", path: path)
      }
      bytes += buffer[..<count]
      if count < buffer.count { return bytes }
    }
  }

  /// Writes bytes at an offset.
  package func write(_ bytes: Span<UInt8>, at offset: Int64) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      written += try attempt("write", path) {
        bytes.withUnsafeBytes { bytes in
          pwrite(
            number, bytes.baseAddress.map { $0 + written }, bytes.count - written,
            off_t(offset) + off_t(written))
        }
      }
    }
  }

  /// Writes bytes at an offset.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    try write(bytes.span, at: offset)
  }

  /// Writes bytes where the last such write ended, from the beginning of the file on.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: number, path: path)
  }

  /// Writes bytes where the last such write ended, from the beginning of the file on.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try write(bytes.span)
  }
}

/// Writes bytes to a descriptor until all of them are written.
func writeAll(_ bytes: Span<UInt8>, to number: Int32, path: String?) throws(SystemError) {
  var written = 0
  while written < bytes.count {
    written += try attempt("write", path) {
      bytes.withUnsafeBytes { bytes in
        write(number, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
    }
  }
}
