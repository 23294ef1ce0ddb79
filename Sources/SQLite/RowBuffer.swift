import CSQLite

/// Values of rows, one after the other, in a form to be hashed.
///
/// Each value is a byte for its storage class (0 to 4: null, integer, real, text, blob), but for null
/// followed by 8 bytes, little-endian: the number, the bits of the real, or the count of the bytes that
/// come after. No two sequences of values have the same form.
///
/// The room is fixed: whoever fills it empties it when it is ``isNearlyFull``, and takes over the bytes of
/// a value that is too long for it.
public struct RowBuffer: ~Copyable {
  private static let room = 1 << 16
  private static let longestValue = 1 << 14

  private let start = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 8)
  private var count = 0

  public init() {}

  deinit { start.deallocate() }

  /// A Boolean value indicating whether there might be no room for another value.
  public var isNearlyFull: Bool { count > Self.room - Self.longestValue - 9 }

  /// Appends the value in a column of a row.
  ///
  /// - Precondition: The buffer isn't nearly full.
  /// - Returns: `false` for a text or blob that is too long: only its class and count were appended.
  public mutating func append(_ row: borrowing Statement, column: Int) -> Bool {
    precondition(!isNearlyFull, "a buffer of rows is emptied in time")
    let cell = row.cell(at: column)
    switch cell.type {
    case SQLITE_INTEGER: append(1, cell.word)
    case SQLITE_FLOAT: append(2, cell.word)
    case SQLITE_TEXT: return append(3, cell.buffer)
    case SQLITE_BLOB: return append(4, cell.buffer)
    default:
      start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
      count += 1
    }
    return true
  }

  /// Lends the values appended since the last time, and forgets them.
  public mutating func empty(_ body: (Span<UInt8>) -> Void) {
    body(
      UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count).span)
    count = 0
  }

  private mutating func append(_ type: UInt8, _ number: UInt64) {
    start.storeBytes(of: type, toByteOffset: count, as: UInt8.self)
    start.storeBytes(of: number.littleEndian, toByteOffset: count + 1, as: UInt64.self)
    count += 9
  }

  private mutating func append(_ type: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    append(type, UInt64(bytes.count))
    guard bytes.count <= Self.longestValue else { return false }
    if let source = bytes.baseAddress {
      (start + count).copyMemory(from: source, byteCount: bytes.count)
      count += bytes.count
    }
    return true
  }
}
