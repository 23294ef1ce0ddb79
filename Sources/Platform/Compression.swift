import CZlib

/// An error in a DEFLATE stream.
package enum InflateError: Error, Hashable, Sendable {
  /// The bytes aren't valid DEFLATE data.
  case invalid

  /// The bytes end before the stream does.
  case truncated

  /// More bytes follow the end of the stream.
  case trailing(byteCount: Int)

  /// The decompressed data is larger than the limit.
  case tooLarge(limit: Int)
}

extension InflateError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalid: "the compressed data is damaged"
    case .truncated: "the compressed data is truncated"
    case .trailing(let count): "\(count) extra bytes follow the compressed data"
    case .tooLarge(let limit): "the decompressed data is larger than \(limit) bytes"
    }
  }
}

/// Decompresses a raw DEFLATE stream (RFC 1951, without a zlib or gzip header).
///
/// - Complexity: Memory is bounded by `limit`, in bytes.
package func inflateRaw(_ bytes: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
  var stream = z_stream()
  precondition(czlib_inflate_raw_init(&stream) == Z_OK, "zlib has memory for one stream")
  defer { inflateEnd(&stream) }
  var input = PendingInput(bytes)
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let (code, count) = input.feed(&stream, into: &buffer) { inflate($0, Z_NO_FLUSH) }
    guard count <= limit - output.count else { throw .tooLarge(limit: limit) }
    output += buffer[..<count]
    switch code {
    case Z_STREAM_END:
      guard input.isEmpty else { throw .trailing(byteCount: input.count) }
      return output
    case Z_OK: continue
    // `Z_BUF_ERROR` means no progress. The buffer has room, so the input has run out.
    case Z_BUF_ERROR: throw .truncated
    default: throw .invalid
    }
  }
}

/// Compresses bytes to a raw DEFLATE stream (RFC 1951, without a zlib or gzip header).
///
/// `level` ranges from 0 (stored) to 9 (smallest); -1 is zlib's default. Equal bytes give equal
/// streams only with the same version of zlib.
package func deflateRaw(_ bytes: [UInt8], level: Int = -1) -> [UInt8] {
  precondition((-1...9).contains(level), "zlib's levels go from -1 to 9")
  var stream = z_stream()
  let code = czlib_deflate_raw_init(&stream, Int32(level))
  precondition(code == Z_OK, "zlib has memory for one stream")
  defer { deflateEnd(&stream) }
  var input = PendingInput(bytes)
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let flush = input.isLastPortion ? Z_FINISH : Z_NO_FLUSH
    let (code, count) = input.feed(&stream, into: &buffer) { deflate($0, flush) }
    output += buffer[..<count]
    if code == Z_STREAM_END { return output }
  }
}

/// The input that zlib hasn't consumed, in portions that fit zlib's 32-bit counters.
private struct PendingInput {
  private var rest: ArraySlice<UInt8>
  private static let portion = 1 << 30

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }
  var count: Int { rest.count }
  var isLastPortion: Bool { rest.count <= Self.portion }

  /// Runs zlib once and returns its code and the number of bytes it wrote to the buffer.
  mutating func feed(
    _ stream: inout z_stream, into buffer: inout [UInt8],
    _ run: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> (code: Int32, written: Int) {
    let size = buffer.count
    let available = min(rest.count, Self.portion)
    let code = rest.withUnsafeBufferPointer { input in
      buffer.withUnsafeMutableBufferPointer { output in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(available)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(size)
        return run(&stream)
      }
    }
    let taken = available - Int(stream.avail_in)
    let written = size - Int(stream.avail_out)
    rest = rest.dropFirst(taken)
    (stream.next_in, stream.next_out) = (nil, nil)
    return (code, written)
  }
}
