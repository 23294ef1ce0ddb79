/// Collects the objects of a binary property list, numbered in order of appearance.
struct BinaryWriter {
  private var objects: [Object] = []
  private var numbers: [Scalar: Int] = [:]

  private enum Object {
    case scalar([UInt8])
    case container(marker: UInt8, count: Int, references: [Int])
  }

  /// The encoded bytes of a scalar, which distinguish types and canonically equivalent strings.
  private struct Scalar: Hashable {
    let bytes: [UInt8]
  }
}

extension BinaryWriter {
  /// Adds a value with everything it contains, and returns its number.
  @discardableResult
  mutating func add(_ value: PropertyList, depth: Int) -> Int {
    precondition(depth <= PropertyList.deepestNesting, "a property list is nested too deeply")
    switch value {
    case .array(let elements):
      return addContainer(0xA0, count: elements.count, elements, depth: depth)
    case .set(let elements):
      return addContainer(0xC0, count: elements.count, elements, depth: depth)
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let elements = sorted.map { PropertyList.string($0.key) } + sorted.map(\.value)
      return addContainer(0xD0, count: entries.count, elements, depth: depth)
    default:
      return addScalar(Self.scalar(value))
    }
  }

  private mutating func addContainer(
    _ marker: UInt8, count: Int, _ elements: [PropertyList], depth: Int
  ) -> Int {
    let number = objects.count
    objects.append(.container(marker: marker, count: count, references: []))
    let references = elements.map { add($0, depth: depth + 1) }
    objects[number] = .container(marker: marker, count: count, references: references)
    return number
  }

  private mutating func addScalar(_ bytes: [UInt8]) -> Int {
    if let number = numbers[Scalar(bytes: bytes)] { return number }
    numbers[Scalar(bytes: bytes)] = objects.count
    objects.append(.scalar(bytes))
    return objects.count - 1
  }
}

extension BinaryWriter {
  /// Returns the encoded list; the first object is the top object.
  func finish() -> [UInt8] {
    var bytes = BinaryTrailer.header
    var offsets: [Int] = []
    let referenceByteCount = Self.byteCount(of: UInt64(objects.count))
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let scalar):
        bytes += scalar
      case .container(let marker, let count, let references):
        bytes += Self.head(marker, count: count)
        for reference in references {
          bytes.append(bigEndian: UInt64(reference), byteCount: referenceByteCount)
        }
      }
    }
    let table = bytes.count
    let offsetByteCount = Self.byteCount(of: UInt64(table))
    for offset in offsets { bytes.append(bigEndian: UInt64(offset), byteCount: offsetByteCount) }

    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetByteCount), UInt8(referenceByteCount)]
    bytes.append(bigEndian: UInt64(objects.count), byteCount: 8)
    bytes.append(bigEndian: 0, byteCount: 8)
    bytes.append(bigEndian: UInt64(table), byteCount: 8)
    return bytes
  }
}

extension BinaryWriter {
  private static func scalar(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .null: [0x00]
    case .boolean(let value): [value ? 0x09 : 0x08]
    case .integer(let value): integer(UInt64(bitPattern: value))
    case .unsigned(let value) where value <= UInt64(Int64.max): integer(value)
    // Eight-byte integers are signed, so larger numbers take sixteen bytes.
    case .unsigned(let value): [0x14, 0, 0, 0, 0, 0, 0, 0, 0] + bigEndian(value, byteCount: 8)
    case .float(let value): [0x22] + bigEndian(UInt64(value.bitPattern), byteCount: 4)
    case .real(let value): [0x23] + bigEndian(value.bitPattern, byteCount: 8)
    case .date(let value): [0x33] + bigEndian(value.bitPattern, byteCount: 8)
    case .data(let value): head(0x40, count: value.count) + value
    case .string(let value): text(value)
    case .uid(let value):
      [0x80 | UInt8(byteCount(of: value) - 1)] + bigEndian(value, byteCount: byteCount(of: value))
    case .array, .set, .dictionary: preconditionFailure("a container isn't a scalar")
    }
  }

  private static func integer(_ number: UInt64) -> [UInt8] {
    let byteCount = byteCount(of: number)
    return [0x10 | UInt8(byteCount.trailingZeroBitCount)] + bigEndian(number, byteCount: byteCount)
  }

  private static func text(_ string: String) -> [UInt8] {
    let utf8 = Array(string.utf8)
    if utf8.allSatisfy({ $0 < 0x80 }) { return head(0x50, count: utf8.count) + utf8 }
    let units = Array(string.utf16)
    return head(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static func head(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 0xF ? [marker | UInt8(count)] : [marker | 0xF] + integer(UInt64(count))
  }

  /// Returns the smallest of 1, 2, 4 and 8 bytes that can represent a number.
  private static func byteCount(of number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: number, byteCount: byteCount)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt64, byteCount: Int) {
    for index in (0..<byteCount).reversed() {
      append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
    }
  }
}
