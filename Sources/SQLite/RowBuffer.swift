import CSQLite

/// Values of rows, one after the other, in a form to be hashed.
///
/// Each value is a byte for its storage class (0 to 4: null, integer, real, text, blob), but for null
/// followed by 8 bytes, little-endian: the number, the bits of the real, or the count of the bytes that
/// come after. No two sequences of values have the same form.
///
/// The room is fixed: what there is no more room for is handed on, as are the bytes of a long value.
package struct RowBuffer: ~Copyable {
  private static let room = 1 << 16
  private static let longestValue = 1 << 14

  private let start = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 8)
  private var count = 0

  package init() {}

  deinit { start.deallocate() }

  /// Appends the values in some columns of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: The columns, in the order in which their values are appended.
  ///   - body: Is lent what is handed on, in order.
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

  /// Appends a value, or only the class and count of one that is too long.
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

  /// Lends the values appended since the last time, and forgets them.
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
