import PropertyList
import Testing

@Suite struct PropertyListReadingTests {
  @Test(
    arguments: [
      ([0x00], .null),
      ([0x22, 0x3F, 0xC0, 0, 0], .float(1.5)),
      ([0x11, 0, 7], .integer(7)),
      ([0x14] + Array(repeating: 0, count: 15) + [7], .integer(7)),
      ([0x14] + Array(repeating: 0xFF, count: 16), .integer(-1)),
      ([0x82, 1, 0, 0], .uid(65_536)),
      ([0x4F, 0x11, 0, 1, 9], .data([9])),
      ([0xC0], .set([])),
    ] as [([UInt8], PropertyList)])
  func `forms that other writers choose are read`(object: [UInt8], value: PropertyList) throws {
    #expect(try PropertyList(binary: list([object])) == value)
  }

  @Test func `null, sets and floats are written and read`() throws {
    let value = PropertyList.array([.null, .set([.float(0.1), .real(0.1)]), .array([.null])])
    #expect(try PropertyList(binary: value.binary()) == value)
  }

  @Test func `a smaller unsigned number is read as an integer`() throws {
    #expect(try PropertyList(binary: PropertyList.unsigned(7).binary()) == .integer(7))
  }

  @Test func `strings are kept apart by their scalars, although they are equal`() throws {
    let value = PropertyList.array([.string("\u{e9}"), .string("e\u{301}")])
    let read = try PropertyList(binary: value.binary())
    let scalars = read.arrayValue?.map { $0.stringValue?.unicodeScalars.count }
    #expect(scalars == [1, 2])
  }

  @Test func `values are asked for by type`() {
    let value = PropertyList.dictionary([
      "text": .string("a"), "numbers": .array([.integer(1), .real(2.5), .float(0.5)]),
      "big": .unsigned(.max), "bytes": .data([1]), "date": .date(3), "yes": .boolean(true),
      "uid": .uid(4),
    ])
    #expect(value["text"]?.stringValue == "a")
    #expect(value["numbers"]?[0]?.integerValue == 1)
    #expect(value["numbers"]?.arrayValue?.map(\.doubleValue) == [1, 2.5, 0.5])
    #expect(value["numbers"]?[3] == nil)
    #expect(value["big"]?.doubleValue == 18_446_744_073_709_551_616)
    #expect(value["bytes"]?.dataValue == [1])
    #expect(value["date"] == .date(3))
    #expect(value["yes"]?.booleanValue == true)
    #expect(value["uid"]?.uidValue == 4)
    #expect(value.dictionaryValue?.count == 7)
    #expect(value["none"] == nil)
    #expect(value["text"]?["text"] == nil)
    #expect(value["yes"]?.integerValue == nil)
    #expect(value["text"]?.doubleValue == nil)
  }
}
