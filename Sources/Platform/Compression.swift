import CZlib

/// A reason why bytes aren't the DEFLATE stream they should be.
package enum InflateError: Error, Hashable, Sendable {
  /// The bytes break the format's rules.
  case invalid

  /// The bytes end before the stream does.
  case truncated

  /// More bytes follow the end of the stream.
  case trailing(byteCount: Int)

  /// The stream holds more than it may.
  case tooLarge(limit: Int)
}

extension InflateError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalid: "the compressed bytes are damaged"
    case .truncated: "the compressed bytes end too early"
    case .trailing(let count): "\(count) bytes follow the compressed ones"
    case .tooLarge(let limit): "more than \(limit) bytes are compressed"
    }
  }
}

/// Returns the bytes in a raw DEFLATE stream (RFC 1951, without zlib's or gzip's frame).
///
/// - Complexity: Memory is bounded by `limit`, whatever the stream promises.
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
    // No progress was possible: there is room, so there is no input.
    case Z_BUF_ERROR: throw .truncated
    default: throw .invalid
    }
  }
}

/// Returns bytes as a raw DEFLATE stream (RFC 1951, without zlib's or gzip's frame).
///
/// The level goes from 0 (stored) to 9 (smallest); -1 is zlib's own choice. Equal bytes give
/// equal streams with one version of zlib only.
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

/// The bytes a stream hasn't taken yet, in portions that zlib's counters can hold.
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
