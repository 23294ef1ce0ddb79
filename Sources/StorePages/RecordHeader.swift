/// The header of a record as far as it was read: it may continue on overflow pages.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#record_format>
struct RecordHeader: Hashable {
  /// The number of bytes of the record.
  private let size: UInt64

  /// The number of bytes of the header that weren't read yet.
  private var left: Int

  /// The number of bytes of the header and of the values whose types were read.
  private var total: UInt64

  /// The type that is being read, and the number of its bytes so far.
  private var type: UInt64 = 0
  private var typeLength = 0

  /// Begins a record of a number of bytes, with a header whose own length has `length` bytes.
  ///
  /// Returns `nil` if the header doesn't fit.
  init?(size: UInt64, header: UInt64, length: Int) {
    guard header <= size, header >= UInt64(length) else { return nil }
    (self.size, total) = (size, header)
    left = Int(header) - length
  }

  /// Whether the whole header was read.
  var isComplete: Bool { left == 0 }

  /// Reads the header's bytes in a range; returns `false` if the values don't have the lengths it says.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  mutating func read(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    for place in range.prefix(left) {
      let byte = bytes[place]
      typeLength += 1
      let isLast = typeLength == 9
      type = isLast ? type << 8 | UInt64(byte) : type << 7 | UInt64(byte & 0x7F)
      guard isLast || byte < 0x80 else { continue }
      total += type.contentLength
      guard total <= size else { return false }
      (type, typeLength) = (0, 0)
    }
    left -= Swift.min(left, range.count)
    return !isComplete || (typeLength == 0 && total == size)
  }
}

extension UInt64 {
  /// The number of bytes of a value with this serial type.
  fileprivate var contentLength: UInt64 {
    switch self {
    case 1...4: self
    case 5: 6
    case 6, 7: 8
    case 0, 8...11: 0
    default: (self - 12) / 2
    }
  }
}
