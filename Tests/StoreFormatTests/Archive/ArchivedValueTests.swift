import PropertyList
import StoreFormat
import StoreModel
import Testing

@Suite struct ArchivedValueTests {
  @Test(
    arguments: [
      .null, .boolean(true), .integer(-7), .real(0.25), .string("a"), .string("a longer text"),
      .data([1, 2]), .date(-541_232_580), .uuid(Array(0..<16)), .url("https://example.org/a?b"),
      .decimal("0"), .array([.string("one"), .string("two"), .null]),
      .dictionary(["a": .array([]), "b": .dictionary([:])]),
    ] as [ModelValue])
  func `a value is the same after it was archived`(value: ModelValue) throws {
    let binary = KeyedArchive(value: value).propertyList.binary()
    #expect(try KeyedArchive(PropertyList(binary: binary)).modelValue == value)
  }

  @Test(arguments: [
    "0", "1", "-1", "10", "0.1", "-0.001", "12.5", "65535", "65536", "123456789012345678",
    "99999999999999999999999999999999999999", "340282366920938463463374607431768211455",
    "-340282366920938463463374607431768211.455", "1000000000000000000000000000000000000000000",
  ])
  func `a decimal number keeps its digits`(text: String) throws {
    #expect(try KeyedArchive(value: .decimal(text)).modelValue == .decimal(text))
  }

  @Test(arguments: [
    ("007", "7"), ("1.50", "1.5"), ("-0", "0"), ("+3", "3"), (".5", "0.5"), ("5.", "5"),
  ])
  func `a decimal number comes back in its usual spelling`(text: String, usual: String) throws {
    #expect(try KeyedArchive(value: .decimal(text)).modelValue == .decimal(usual))
  }

  @Test(arguments: [
    "", "-", ".", "1e5", "one", "1.2.3", "340282366920938463463374607431768211456",
  ])
  func `what is no decimal number is archived as not a number`(text: String) throws {
    #expect(try KeyedArchive(value: .decimal(text)).modelValue == nil)
  }

  /// The members that `NSKeyedArchiver` writes for 12.5, in little-endian and big-endian order.
  @Test(arguments: [(1, [125, 0]), (2, [0, 125])] as [(Int64, [UInt8])])
  func `the mantissa of a decimal number is read in its byte order`(
    order: Int64, word: [UInt8]
  ) throws {
    var editor = ArchiveEditor(KeyedArchive(value: .decimal("1")))
    try editor.set(editor.root, "NS.mantissa", .data(word + Array(repeating: 0, count: 14)))
    try editor.set(editor.root, "NS.mantissa.bo", .integer(order))
    try editor.set(editor.root, "NS.exponent", .integer(-1))
    #expect(try editor.archive().modelValue == .decimal("12.5"))
  }

  @Test func `mutable texts, data and URLs without a base are read`() throws {
    var editor = ArchiveEditor(KeyedArchive(value: .array([.null, .null])))
    let text = editor.addClass("NSMutableString", "NSString", "NSObject")
    let data = editor.addClass("NSMutableData", "NSData", "NSObject")
    let elements = [
      editor.add(.dictionary(["$class": text, "NS.string": .string("permanent")])),
      editor.add(.dictionary(["$class": data, "NS.data": .data([7])])),
    ]
    try editor.set(editor.root, "NS.objects", .array(elements))
    #expect(try editor.archive().modelValue == .array([.string("permanent"), .data([7])]))
  }

  @Test func `a value of a class of its own is nothing`() throws {
    var editor = ArchiveEditor(KeyedArchive(value: .uuid(Array(0..<16))))
    let color = editor.addClass("UIColor", "NSObject")
    try editor.set(editor.root, "$class", color)
    #expect(try editor.archive().modelValue == nil)
  }
}
