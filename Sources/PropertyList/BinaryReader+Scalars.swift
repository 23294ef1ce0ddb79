extension BinaryReader {
  mutating func scalar(at offset: Int) throws(PropertyListError) -> PropertyList {
    let marker = bytes[offset]
    switch marker {
    case 0x00: return .null
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x14: return try integer(at: offset)
    case 0x22: return .float(Float(bitPattern: UInt32(try fixed(at: offset, byteCount: 4))))
    case 0x23: return .real(Double(bitPattern: try fixed(at: offset, byteCount: 8)))
    case 0x33: return .date(Double(bitPattern: try fixed(at: offset, byteCount: 8)))
    case 0x40...0x4F: return .data(Array(try run(at: offset, byteCountEach: 1)))
    case 0x50...0x5F: return .string(try asciiText(at: offset))
    case 0x60...0x6F: return .string(try utf16Text(at: offset))
    // Eight bytes are enough: an archive has no more objects than a file has bytes.
    case 0x80...0x87:
      return .uid(try fixed(at: offset, byteCount: Int(marker & 0xF) + 1))
    default: throw PropertyListError(reason: .marker(marker), offset: offset)
    }
  }

  private func integer(at offset: Int) throws(PropertyListError) -> PropertyList {
    let byteCount = 1 << Int(bytes[offset] & 0xF)
    guard byteCount == 16 else {
      // Integers of up to four bytes are unsigned; integers of eight bytes are signed.
      return .integer(Int64(bitPattern: try fixed(at: offset, byteCount: byteCount)))
    }
    try requireBytes(offset + 1, byteCount: 16)
    let high = bytes.bigEndian(at: offset + 1, byteCount: 8)
    let low = bytes.bigEndian(at: offset + 9, byteCount: 8)
    let signed = Int64(bitPattern: low)
    switch high {
    case 0: return signed < 0 ? .unsigned(low) : .integer(signed)
    case .max where signed < 0: return .integer(signed)
    default: throw PropertyListError(reason: .integerOutOfRange, offset: offset)
    }
  }

  private mutating func asciiText(at offset: Int) throws(PropertyListError) -> String {
    let text = try run(at: offset, byteCountEach: 1)
    if let invalid = text.firstIndex(where: { $0 >= 0x80 }) {
      throw PropertyListError(reason: .textNotASCII, offset: invalid)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func utf16Text(at offset: Int) throws(PropertyListError) -> String {
    let text = try run(at: offset, byteCountEach: 2)
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map { index in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    guard let string = String(validating: units, as: UTF16.self) else {
      throw PropertyListError(reason: .textNotUTF16, offset: offset)
    }
    return string
  }
}

// MARK: - Bytes

extension BinaryReader {
  /// Returns the big-endian number after a marker.
  private func fixed(at offset: Int, byteCount: Int) throws(PropertyListError) -> UInt64 {
    try requireBytes(offset + 1, byteCount: byteCount)
    return bytes.bigEndian(at: offset + 1, byteCount: byteCount)
  }

  /// Returns the bytes of a string or data, and adds their cost to the budget.
  private mutating func run(
    at offset: Int, byteCountEach: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    let (start, count) = try body(at: offset, byteCountEach: byteCountEach)
    try spend(count * byteCountEach / 64, at: offset)
    return bytes[start..<start + count * byteCountEach]
  }

  /// Returns the start of an object's body and the number of its elements, which are all in the file.
  func body(
    at offset: Int, byteCountEach: Int
  ) throws(PropertyListError) -> (start: Int, count: Int) {
    var start = offset + 1
    var count = UInt64(bytes[offset] & 0xF)
    if count == 0xF {
      try requireBytes(start, byteCount: 1)
      guard 0x10...0x13 ~= bytes[start] else {
        throw PropertyListError(reason: .marker(bytes[start]), offset: start)
      }
      let byteCount = 1 << Int(bytes[start] & 0xF)
      count = try fixed(at: start, byteCount: byteCount)
      start += 1 + byteCount
    }
    guard count <= UInt64((trailer.tableOffset - start) / byteCountEach) else {
      throw PropertyListError(reason: .count(count), offset: offset)
    }
    return (start, Int(count))
  }

  private func requireBytes(_ start: Int, byteCount: Int) throws(PropertyListError) {
    guard byteCount <= trailer.tableOffset - start else {
      throw PropertyListError(reason: .truncated, offset: start)
    }
  }
}
