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

  mutating func spend(_ cost: Int, at place: Int) throws(PropertyListError) {
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
