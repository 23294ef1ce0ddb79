import CSQLite

/// A buffer that serializes row values for hashing.
///
/// Each value is one byte for its storage class (0 to 4: null, integer, real, text, blob). For all
/// but null, 8 bytes follow, little-endian: the integer, the bits of the real, or the byte count of
/// the text or blob, whose bytes come next. Different sequences of values have different
/// serializations.
///
/// The buffer is 64 KiB. When it is full, its bytes are passed on. Values over 16 KiB bypass it.
package struct RowBuffer: ~Copyable {
  private static let room = 1 << 16
  private static let longestValue = 1 << 14

  private let start = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 8)
  private var count = 0

  package init() {}

  deinit { start.deallocate() }

  /// Appends the values of some columns of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: The columns, in the order in which to append their values.
  ///   - body: A closure that receives the serialized bytes, in order.
  package mutating func append(
    _ row: borrowing Statement, columns: [Int], _ body: (Span<UInt8>) -> Void
  ) {
    for column in columns {
      if count > Self.room - Self.longestValue - 9 { empty(body) }
      if append(row, column: column) { continue }
      empty(body)
      row.withBytes(at: column, body)
    }
  }

  /// Appends a value; returns `false` if it is too long and only its class and count were appended.
  private mutating func append(_ row: borrowing Statement, column: Int) -> Bool {
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

  /// Passes on the bytes that are in the buffer, and empties it.
  package mutating func empty(_ body: (Span<UInt8>) -> Void) {
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
