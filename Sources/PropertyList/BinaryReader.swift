/// A parser of a binary property list, starting at the top object.
struct BinaryReader {
  let bytes: [UInt8]
  let trailer: BinaryTrailer
  let budget: Int

  /// The number of values returned so far; shared values count each time.
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
    // The trailer has been checked: the file has at least one byte for each object.
    states = Array(repeating: .unread, count: trailer.objectCount)
  }
}

extension BinaryReader {
  /// Returns the object with a number, an index in the trailer's offset table.
  mutating func object(
    _ number: Int, depth: Int, referredAt offset: Int
  ) throws(PropertyListError) -> PropertyList {
    switch states[number] {
    case .reading:
      throw PropertyListError(reason: .cycle(object: number), offset: offset)
    case .read(let value, let cost, let height):
      // A value that was read at a shallow level may exceed the maximum depth here.
      try checkDepth(depth + height - 1, at: offset)
      try spend(cost, at: offset)
      return value
    case .unread:
      try checkDepth(depth, at: offset)
      states[number] = .reading
      let before = spent
      let (value, height) = try unread(number, depth: depth)
      states[number] = .read(value, cost: spent - before, height: height)
      return value
    }
  }

  private func checkDepth(_ depth: Int, at offset: Int) throws(PropertyListError) {
    guard depth <= PropertyList.deepestNesting else {
      throw PropertyListError(reason: .tooDeep(PropertyList.deepestNesting), offset: offset)
    }
  }

  mutating func spend(_ cost: Int, at offset: Int) throws(PropertyListError) {
    guard cost <= budget - spent else {
      throw PropertyListError(reason: .tooLarge(budget), offset: offset)
    }
    spent += cost
  }

  private mutating func unread(
    _ number: Int, depth: Int
  ) throws(PropertyListError) -> (PropertyList, height: Int) {
    let entry = trailer.tableOffset + number * trailer.offsetByteCount
    let position = bytes.bigEndian(at: entry, byteCount: trailer.offsetByteCount)
    guard position >= UInt64(BinaryTrailer.header.count), position < UInt64(trailer.tableOffset)
    else {
      throw PropertyListError(reason: .offsetOutOfRange(object: number), offset: entry)
    }
    let offset = Int(position)
    try spend(1, at: offset)
    switch bytes[offset] >> 4 {
    case 0xA, 0xC, 0xD: return try container(at: offset, depth: depth)
    default: return (try scalar(at: offset), 1)
    }
  }
}

extension BinaryReader {
  private mutating func container(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> (PropertyList, height: Int) {
    let marker = bytes[offset] >> 4
    let width = trailer.referenceByteCount
    let (start, count) = try body(at: offset, byteCountEach: marker == 0xD ? 2 * width : width)
    if marker == 0xD { return try dictionary(at: start, count: count, depth: depth) }

    // Check before reserving memory: each element costs at least one.
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
      let keyOffset = start + index * width
      guard case .string(let key) = try referred(at: keyOffset, depth: depth).value else {
        throw PropertyListError(reason: .keyNotString, offset: keyOffset)
      }
      let element = try referred(at: keyOffset + count * width, depth: depth)
      height = max(height, element.height)
      guard entries.updateValue(element.value, forKey: key) == nil else {
        throw PropertyListError(reason: .duplicateKey, offset: keyOffset)
      }
    }
    return (.dictionary(entries), height + 1)
  }

  private mutating func referred(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> (value: PropertyList, height: Int) {
    let reference = bytes.bigEndian(at: offset, byteCount: trailer.referenceByteCount)
    guard reference < UInt64(trailer.objectCount) else {
      throw PropertyListError(
        reason: .reference(reference, of: trailer.objectCount), offset: offset)
    }
    let number = Int(reference)
    let value = try object(number, depth: depth + 1, referredAt: offset)
    guard case .read(_, _, let height) = states[number] else {
      preconditionFailure("a returned object has the state 'read'")
    }
    return (value, height)
  }
}
