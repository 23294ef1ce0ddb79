import PropertyList
import Testing

@Suite struct PropertyListHostileTests {
  @Test(
    arguments: [
      (
        [[0x50]], 1,
        "byte 26: invalid trailer: number of the top object"
      ),
      ([[0xA1, 0]], 0, "byte 9: object 0 contains itself"),
      ([[0xA1, 1], [0xD1, 2, 0], [0x50]], 0, "byte 12: object 0 contains itself"),
      ([[0xA1, 7]], 0, "byte 9: reference to object 7 of 1"),
      ([[0xA5, 0]], 0, "byte 8: a count of 5 exceeds the size of the property list"),
      (
        [[0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], 0,
        "byte 8: a count of 9223372036854775807 exceeds the size of the property list"
      ),
      (
        [[0xDF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], 0,
        "byte 8: a count of 18446744073709551615 exceeds the size of the property list"
      ),
      ([[0x5F, 0x14, 0]], 0, "byte 9: invalid object marker 0x14"),
      ([[0x5F]], 0, "byte 9: the property list is truncated"),
      ([[0x13, 0]], 0, "byte 9: the property list is truncated"),
      ([[0x14, 0]], 0, "byte 9: the property list is truncated"),
      (
        [[0x14, 1] + Array(repeating: 0, count: 15)], 0, "byte 8: an integer doesn't fit in 64 bits"
      ),
      (
        [[0x14] + Array(repeating: 0xFF, count: 8) + Array(repeating: 0, count: 8)], 0,
        "byte 8: an integer doesn't fit in 64 bits"
      ),
      (
        [[0x88] + Array(repeating: 0, count: 9)], 0,
        "byte 8: invalid object marker 0x88"
      ),
      ([[0xB0]], 0, "byte 8: invalid object marker 0xb0"),
      ([[0x52, 0x61, 0xE9]], 0, "byte 10: an ASCII string contains other bytes"),
      ([[0x61, 0xD8, 0x3D]], 0, "byte 8: a string isn't well-formed UTF-16"),
      ([[0x62, 0xDE, 0x00, 0xD8, 0x3D]], 0, "byte 8: a string isn't well-formed UTF-16"),
      ([[0xD1, 1, 1], [0x10, 1]], 0, "byte 9: a dictionary key isn't a string"),
      (
        [[0xD2, 1, 2, 1, 1], [0x51, 0x61], [0x51, 0x61]], 0,
        "byte 10: a dictionary has a duplicate key"
      ),
    ] as [([[UInt8]], UInt8, String)])
  func `a wrong list is refused at the byte that is wrong`(
    objects: [[UInt8]], top: UInt8, problem: String
  ) {
    let error = #expect(throws: PropertyListError.self) {
      try PropertyList(binary: list(objects, top: top))
    }
    #expect(error?.description == problem)
  }

  /// Changes the trailer of a list with one object.
  ///
  /// It starts at byte 10, and positions count from there.
  @Test(arguments: [
    (6, 0, "byte 16: invalid trailer: offset size"),
    (6, 9, "byte 16: invalid trailer: offset size"),
    (7, 0, "byte 17: invalid trailer: reference size"),
    (8, 0xFF, "byte 18: invalid trailer: number of objects"),
    (15, 2, "byte 18: invalid trailer: number of objects"),
    (15, 0, "byte 18: invalid trailer: number of objects"),
    (24, 0x80, "byte 34: invalid trailer: position of the offset table"),
    (31, 8, "byte 34: invalid trailer: position of the offset table"),
    (31, 10, "byte 34: invalid trailer: position of the offset table"),
    (-1, 7, "byte 9: object 0 is outside the property list"),
    (-1, 9, "byte 9: object 0 is outside the property list"),
    (-10, 0, "byte 0: not a binary property list; it doesn't start with 'bplist00'"),
  ])
  func `a wrong trailer is refused`(position: Int, byte: UInt8, problem: String) {
    var hostile = list([[0x09]])
    hostile[10 + position] = byte
    let error = #expect(throws: PropertyListError.self) { try PropertyList(binary: hostile) }
    #expect(error?.description == problem)
  }

  @Test func `a list cut anywhere is refused`() {
    let whole = bytes(metadata)
    for count in 0..<whole.count {
      #expect(throws: PropertyListError.self) { try PropertyList(binary: Array(whole[..<count])) }
    }
  }

  @Test func `sharing upon sharing is refused instead of unfolded`() {
    // Each of nine arrays contains the next one ten times: 10⁹ values in 150 bytes.
    var laughs = (1...9).map { [0xAA] + Array(repeating: UInt8($0), count: 10) }
    laughs.append([0x51, 0x61])
    let error = #expect(throws: PropertyListError.self) { try PropertyList(binary: list(laughs)) }
    #expect(error?.reason == .tooLarge(16_777_216))
    #expect(error.map { "\($0)".hasSuffix("expands to more than 16777216 values") } == true)
  }

  @Test(arguments: 1...4)
  func `the budget is what a list unfolds to`(levels: Int) throws {
    var objects = (0..<levels).map { [0xA3] + Array(repeating: UInt8($0 + 1), count: 3) }
    objects.append([0x09])
    let value = try PropertyList(binary: list(objects))
    let count = unfolded(value)
    #expect(try PropertyList(binary: list(objects), budget: count) == value)
    let error = #expect(throws: PropertyListError.self) {
      try PropertyList(binary: list(objects), budget: count - 1)
    }
    #expect(error?.reason == .tooLarge(count - 1))
  }

  @Test func `a list may be nested as deep as the limit and no deeper`() throws {
    let limit = PropertyList.deepestNesting
    let deepest = nested(limit)
    #expect(try PropertyList(binary: deepest.binary()) == deepest)

    let error = #expect(throws: PropertyListError.self) {
      try PropertyList(binary: chain(limit + 1, visitedFromWithin: false))
    }
    #expect(error?.reason == .tooDeep(limit))
    #expect(error.map { "\($0)".hasSuffix("nested deeper than 512 levels") } == true)
  }

  @Test func `what was read near the surface counts with its own depth`() {
    let limit = PropertyList.deepestNesting
    let error = #expect(throws: PropertyListError.self) {
      try PropertyList(binary: chain(4 * limit, visitedFromWithin: true))
    }
    #expect(error?.reason == .tooDeep(limit))
  }

  @Test func `what writers never make can't be written`() async {
    await #expect(processExitsWith: .failure) {
      _ = nested(PropertyList.deepestNesting + 1).binary()
    }
  }
}

/// Returns the number of values in a value, including itself.
private func unfolded(_ value: PropertyList) -> Int {
  switch value {
  case .array(let elements), .set(let elements): 1 + elements.map(unfolded).reduce(0, +)
  case .dictionary(let entries): 1 + entries.count + entries.values.map(unfolded).reduce(0, +)
  default: 1
  }
}

private func nested(_ depth: Int) -> PropertyList {
  (1..<depth).reduce(PropertyList.boolean(true)) { value, _ in .array([value]) }
}

/// Nested arrays, with references of two bytes.
///
/// The outermost array refers to the next one, or to all others from the innermost on.
private func chain(_ depth: Int, visitedFromWithin: Bool) -> [UInt8] {
  func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
  let inner = Array((1..<depth).reversed())
  var objects = [
    visitedFromWithin ? [0xAF, 0x11] + two(depth - 1) + inner.flatMap(two) : [0xA1] + two(1)
  ]
  for number in 1..<depth - 1 { objects.append([0xA1] + two(number + 1)) }
  objects.append([0x09])

  var bytes = Array("bplist00".utf8)
  var offsets: [UInt8] = []
  for object in objects {
    offsets += two(bytes.count)
    bytes += object
  }
  let table = bytes.count
  bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 2]
  bytes += [0, 0, 0, 0, 0, 0] + two(depth) + [0, 0, 0, 0, 0, 0, 0, 0]
  bytes += [0, 0, 0, 0, 0, 0] + two(table)
  return bytes
}
