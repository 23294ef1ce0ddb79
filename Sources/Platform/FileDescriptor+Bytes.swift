#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileDescriptor {
  /// Reads from an offset into a buffer and returns the number of bytes read.
  ///
  /// The count is less than the buffer's size only at the end of the file.
  ///
  /// - Throws: `EIO` if the system returns no bytes before the end of the file.
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
        // The file may have grown since the read, so fail only if it happens twice.
        if hasEndedEarly { throw SystemError(code: EIO, call: "read", path: path) }
        hasEndedEarly = true
      }
      filled += count
    }
    return filled
  }

  /// Reads `count` bytes from an offset; fewer only at the end of the file.
  package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = try read(into: &bytes, at: offset)
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Reads the whole file, or throws `EFBIG` if it is larger than `limit` bytes.
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
    try writeAll(bytes, path) { rest, written in
      pwrite(number, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
    }
  }

  /// Writes bytes at an offset.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    try write(bytes.span, at: offset)
  }

  /// Appends bytes to what this method has written; the first call writes at the start of the file.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: number, path: path)
  }

  /// Appends bytes to what this method has written; the first call writes at the start of the file.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try write(bytes.span)
  }
}

/// Writes all bytes to a descriptor.
package func writeAll(_ bytes: Span<UInt8>, to number: Int32, path: String?) throws(SystemError) {
  try writeAll(bytes, path) { rest, _ in write(number, rest.baseAddress, rest.count) }
}

/// Writes all bytes by a call that writes the rest, given how many bytes are written.
private func writeAll(
  _ bytes: Span<UInt8>, _ path: String?, _ write: (UnsafeRawBufferPointer, Int) -> Int
) throws(SystemError) {
  var written = 0
  while written < bytes.count {
    let count = try attempt("write", path) {
      bytes.extracting(droppingFirst: written).withUnsafeBytes { write($0, written) }
    }
    // Without this, a file that takes no bytes and reports no error would be written to for ever.
    guard count > 0 else { throw SystemError(code: EIO, call: "write", path: path) }
    written += count
  }
}
