import SQLite

/// A row as its cell on a page has it.
struct SavedRecord {
  /// A value of a record.
  enum Field {
    case value(Value)

    /// The bytes of the value are on a page that can't be read.
    case lost
  }

  /// The row's number.
  let key: Int64

  /// The values that the record has; a row that was written before a column was added lacks it.
  let fields: [Field]

  /// Whether the record has exactly the length that its header says, and every byte was found.
  let isSound: Bool

  /// Whether the bytes of a value are on a page that can't be read.
  var lacksValue: Bool {
    fields.contains { if case .lost = $0 { true } else { false } }
  }
}

/// A cell of a table's leaf, before its overflow pages are read.
///
/// Source: <https://www.sqlite.org/fileformat2.html#b_tree_pages>
struct LeafCell {
  let key: Int64

  /// The number of bytes of the record.
  let size: Int

  /// The bytes of the record on the page.
  let local: ArraySlice<UInt8>

  /// The first overflow page; 0 if the record is on the page.
  let overflow: UInt32

  /// Reads the cells of a leaf of a table, `nil` for those that can't be one.
  static func all(on page: [UInt8], usable: Int) -> [LeafCell?] {
    guard page[0] == 13 else { return [] }
    let count = min(Int(page.bigEndian(2, at: 3)), (usable - 8) / 2)
    return (0..<count).map { index in
      // SQLite ignores the bits that would lead beyond the page.
      let place = Int(page.bigEndian(2, at: 8 + 2 * index)) & (page.count - 1)
      return LeafCell(on: page, at: place, usable: usable)
    }
  }

  private init?(on page: [UInt8], at start: Int, usable: Int) {
    var place = start
    guard start >= 8, let size = page.variableNumber(at: &place, end: usable),
      let key = page.variableNumber(at: &place, end: usable), size > 0, size <= 0x7FFF_FF00
    else { return nil }
    self.size = Int(size)
    self.key = Int64(bitPattern: key)
    let largest = usable - 35
    let smallest = (usable - 12) * 32 / 255 - 23
    let fitting = smallest + (self.size - smallest) % (usable - 4)
    let local = self.size <= largest ? self.size : fitting <= largest ? fitting : smallest
    let end = place + local
    guard end <= usable, local == self.size || end + 4 <= usable else { return nil }
    self.local = page[place..<end]
    overflow = local == self.size ? 0 : UInt32(page.bigEndian(4, at: end))
  }
}

extension SavedRecord {
  /// Decodes a record; `nil` if the bytes have no header of one.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - rest: The bytes on the overflow pages, as far as they could be read.
  ///   - columns: The number of columns of the table; a record has at most as many values.
  init?(_ cell: LeafCell, rest: [UInt8], columns: Int) {
    let bytes = Array(cell.local) + rest
    var place = 0
    guard let length = bytes.variableNumber(at: &place, end: bytes.count),
      length >= UInt64(place), length <= UInt64(cell.size), length <= UInt64(bytes.count)
    else { return nil }
    let header = Int(length)
    var (content, fields, isSound) = (header, [Field](), true)
    while place < header, fields.count < columns {
      guard let type = bytes.variableNumber(at: &place, end: header) else { return nil }
      let count = Self.byteCount(type)
      guard count <= UInt64(cell.size) else { return nil }
      let end = content + Int(count)
      if end <= bytes.count, end <= cell.size {
        fields.append(.value(Self.value(type, bytes, at: content)))
      } else {
        fields.append(.lost)
        isSound = false
      }
      content = end
    }
    guard !fields.isEmpty else { return nil }
    key = cell.key
    self.fields = fields
    self.isSound =
      isSound && place == header && content == cell.size && bytes.count == cell.size
  }

  /// Returns the number of bytes of a value with a serial type.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html#record_format>
  private static func byteCount(_ type: UInt64) -> UInt64 {
    switch type {
    case 1...4: type
    case 5: 6
    case 6, 7: 8
    case 0, 8...11: 0
    default: (type - 12) / 2
    }
  }

  private static func value(_ type: UInt64, _ bytes: [UInt8], at place: Int) -> Value {
    let count = Int(byteCount(type))
    switch type {
    case 1...6:
      let shift = 64 - 8 * count
      return .integer(
        Int64(bitPattern: bytes.bigEndian(count, at: place) << UInt64(shift)) >> Int64(shift))
    case 7: return .real(Double(bitPattern: bytes.bigEndian(8, at: place)))
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 0, 10, 11: return .null
    default:
      let content = Array(bytes[place..<place + count])
      return type % 2 == 0 ? .blob(content) : .text(content)
    }
  }
}
