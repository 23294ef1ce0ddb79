/// The last 32 bytes of a binary property list: the layout of the rest.
struct BinaryTrailer {
  static let byteCount = 32
  static let header = Array("bplist00".utf8)

  let offsetByteCount: Int
  let referenceByteCount: Int
  let objectCount: Int
  let topObject: Int

  /// The offset of the offset table, which is also the end of the objects.
  let tableOffset: Int
}

extension BinaryTrailer {
  /// Reads the trailer, and checks that the offset table fills the space before it.
  init(of bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.starts(with: Self.header) else {
      throw PropertyListError(reason: .notBinary, offset: 0)
    }
    let start = bytes.count - Self.byteCount
    // A list has at least one object and one offset.
    guard start >= Self.header.count + 2 else {
      throw PropertyListError(reason: .truncated, offset: bytes.count)
    }
    offsetByteCount = Int(bytes[start + 6])
    referenceByteCount = Int(bytes[start + 7])
    guard 1...8 ~= offsetByteCount else { throw .trailer("offset size", at: start + 6) }
    guard 1...8 ~= referenceByteCount else { throw .trailer("reference size", at: start + 7) }

    let table = bytes.bigEndian(at: start + 24, byteCount: 8)
    guard table > UInt64(Self.header.count), table < UInt64(start) else {
      throw .trailer("position of the offset table", at: start + 24)
    }
    tableOffset = Int(table)

    let count = bytes.bigEndian(at: start + 8, byteCount: 8)
    let (tableByteCount, overflow) = count.multipliedReportingOverflow(by: UInt64(offsetByteCount))
    guard !overflow, tableByteCount == UInt64(start - tableOffset) else {
      throw .trailer("number of objects", at: start + 8)
    }
    objectCount = Int(count)

    let top = bytes.bigEndian(at: start + 16, byteCount: 8)
    guard top < count else { throw .trailer("number of the top object", at: start + 16) }
    topObject = Int(top)
  }
}

extension PropertyListError {
  fileprivate static func trailer(_ problem: String, at offset: Int) -> PropertyListError {
    PropertyListError(reason: .trailer(problem), offset: offset)
  }
}

extension [UInt8] {
  /// Returns a big-endian number of up to eight bytes.
  ///
  /// - Precondition: The bytes exist.
  func bigEndian(at offset: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in self[offset..<offset + byteCount] { number = number << 8 | UInt64(byte) }
    return number
  }
}
