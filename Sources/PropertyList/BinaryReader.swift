/// One pass over the objects of a binary property list, from the outermost one inwards.
struct BinaryReader {
  let bytes: [UInt8]
  let trailer: BinaryTrailer
  let budget: Int

  /// How many values have been handed out, shared ones as often as they were.
  private var spent = 0
  private var states: [State]

  private enum State {
    case unread
    case reading
    case read(PropertyList, cost: Int, height: Int)
  }

  init(bytes: [UInt8], trailer: BinaryTrailer, budget: Int) {
    self.bytes = bytes
    self.trailer = trailer
    self.budget = budget
    // There is a byte of the file for each of them: the trailer was checked.
    states = Array(repeating: .unread, count: trailer.objectCount)
  }
}

extension BinaryReader {
  /// The object of a number, which the trailer's table gives the place of.
  mutating func object(
    _ number: Int, depth: Int, referredAt place: Int
  ) throws(PropertyListError) -> PropertyList {
    switch states[number] {
    case .reading:
      throw PropertyListError(reason: .cycle(object: number), offset: place)
    case .read(let value, let cost, let height):
      // What was read nearer to the surface may reach too deep from here.
      try checkDepth(depth + height - 1, at: place)
      try spend(cost, at: place)
      return value
    case .unread:
      try checkDepth(depth, at: place)
      states[number] = .reading
      let before = spent
      let (value, height) = try unread(number, depth: depth)
      states[number] = .read(value, cost: spent - before, height: height)
      return value
    }
  }

  private func checkDepth(_ depth: Int, at place: Int) throws(PropertyListError) {
    guard depth <= PropertyList.deepestNesting else {
      throw PropertyListError(reason: .tooDeep(PropertyList.deepestNesting), offset: place)
    }
  }

  private mutating func spend(_ cost: Int, at place: Int) throws(PropertyListError) {
    guard cost <= budget - spent else {
      throw PropertyListError(reason: .tooLarge(budget), offset: place)
    }
    spent += cost
  }

  private mutating func unread(
    _ number: Int, depth: Int
  ) throws(PropertyListError) -> (PropertyList, height: Int) {
    let entry = trailer.tableOffset + number * trailer.offsetByteCount
    let place = bytes.bigEndian(at: entry, byteCount: trailer.offsetByteCount)
    guard place >= UInt64(BinaryTrailer.header.count), place < UInt64(trailer.tableOffset) else {
      throw PropertyListError(reason: .offsetOutOfRange(object: number), offset: entry)
    }
    let offset = Int(place)
    try spend(1, at: offset)
    switch bytes[offset] >> 4 {
    case 0xA, 0xC, 0xD: return try container(at: offset, depth: depth)
    default: return (try scalar(at: offset), 1)
    }
  }
}

// MARK: - Containers

extension BinaryReader {
  private mutating func container(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> (PropertyList, height: Int) {
    let marker = bytes[offset] >> 4
    let width = trailer.referenceByteCount
    let (start, count) = try body(at: offset, byteCountEach: marker == 0xD ? 2 * width : width)
    if marker == 0xD { return try dictionary(at: start, count: count, depth: depth) }

    // Refused before room is made for it: each element costs at least one.
    guard count <= budget - spent else {
      throw PropertyListError(reason: .tooLarge(budget), offset: offset)
    }
    var elements: [PropertyList] = []
    elements.reserveCapacity(count)
    var height = 0
    for index in 0..<count {
      let element = try referred(at: start + index * width, depth: depth)
      elements.append(element.value)
      height = max(height, element.height)
    }
    return (marker == 0xA ? .array(elements) : .set(elements), height + 1)
  }

  private mutating func dictionary(
    at start: Int, count: Int, depth: Int
  ) throws(PropertyListError) -> (PropertyList, height: Int) {
    let width = trailer.referenceByteCount
    guard count <= (budget - spent) / 2 else {
      throw PropertyListError(reason: .tooLarge(budget), offset: start)
    }
    var entries: [String: PropertyList] = [:]
    entries.reserveCapacity(count)
    var height = 0
    for index in 0..<count {
      let place = start + index * width
      guard case .string(let key) = try referred(at: place, depth: depth).value else {
        throw PropertyListError(reason: .keyNotString, offset: place)
      }
      let element = try referred(at: place + count * width, depth: depth)
      height = max(height, element.height)
      guard entries.updateValue(element.value, forKey: key) == nil else {
        throw PropertyListError(reason: .duplicateKey, offset: place)
      }
    }
    return (.dictionary(entries), height + 1)
  }

  private mutating func referred(
    at place: Int, depth: Int
  ) throws(PropertyListError) -> (value: PropertyList, height: Int) {
    let reference = bytes.bigEndian(at: place, byteCount: trailer.referenceByteCount)
    guard reference < UInt64(trailer.objectCount) else {
      throw PropertyListError(
        reason: .reference(reference, of: trailer.objectCount), offset: place)
    }
    let number = Int(reference)
    let value = try object(number, depth: depth + 1, referredAt: place)
    guard case .read(_, _, let height) = states[number] else {
      preconditionFailure("an object that was handed out is marked as read")
    }
    return (value, height)
  }
}

// MARK: - Scalars

extension BinaryReader {
  private mutating func scalar(at offset: Int) throws(PropertyListError) -> PropertyList {
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
    // Longer ones exist on paper only: an archive has no more objects than a file has bytes.
    case 0x80...0x87:
      return .uid(try fixed(at: offset, byteCount: Int(marker & 0xF) + 1))
    default: throw PropertyListError(reason: .marker(marker), offset: offset)
    }
  }

  private func integer(at offset: Int) throws(PropertyListError) -> PropertyList {
    let byteCount = 1 << Int(bytes[offset] & 0xF)
    guard byteCount == 16 else {
      // Up to four bytes are unsigned, eight are signed.
      return .integer(Int64(bitPattern: try fixed(at: offset, byteCount: byteCount)))
    }
    try checkRoom(offset + 1, byteCount: 16)
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
    if let stranger = text.firstIndex(where: { $0 >= 0x80 }) {
      throw PropertyListError(reason: .textNotASCII, offset: stranger)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func utf16Text(at offset: Int) throws(PropertyListError) -> String {
    let text = try run(at: offset, byteCountEach: 2)
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map { place in
      UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    }
    guard let string = String(validating: units, as: UTF16.self) else {
      throw PropertyListError(reason: .textNotUTF16, offset: offset)
    }
    return string
  }
}

// MARK: - Bytes

extension BinaryReader {
  /// The number in the bytes behind a marker.
  private func fixed(at offset: Int, byteCount: Int) throws(PropertyListError) -> UInt64 {
    try checkRoom(offset + 1, byteCount: byteCount)
    return bytes.bigEndian(at: offset + 1, byteCount: byteCount)
  }

  /// The bytes of text or data, paid for by their number.
  private mutating func run(
    at offset: Int, byteCountEach: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    let (start, count) = try body(at: offset, byteCountEach: byteCountEach)
    try spend(count * byteCountEach / 64, at: offset)
    return bytes[start..<start + count * byteCountEach]
  }

  /// Where the body of an object begins, and how many elements it has: all of them are there.
  private func body(
    at offset: Int, byteCountEach: Int
  ) throws(PropertyListError) -> (start: Int, count: Int) {
    var start = offset + 1
    var count = UInt64(bytes[offset] & 0xF)
    if count == 0xF {
      try checkRoom(start, byteCount: 1)
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

  private func checkRoom(_ start: Int, byteCount: Int) throws(PropertyListError) {
    guard byteCount <= trailer.tableOffset - start else {
      throw PropertyListError(reason: .truncated, offset: start)
    }
  }
}
