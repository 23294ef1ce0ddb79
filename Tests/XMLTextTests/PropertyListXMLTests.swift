import JSONText
import Foundation
import PropertyList
import TestSupport
import Testing

@testable import XMLText

@Suite struct PropertyListXMLTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

    """

  private static func list(_ value: String) throws -> PropertyList {
    try PropertyList(xml: Array("\(head)<plist version=\"1.0\">\(value)</plist>".utf8))
  }

  private static func message(_ text: String) -> String? {
    do {
      _ = try PropertyList(xml: Array(text.utf8))
      return nil
    } catch {
      return "\(error.position.line):\(error.position.column): \(error.reason)"
    }
  }

  @Test(
    arguments: [
      ("<true/>", .boolean(true)), ("<false></false>", .boolean(false)),
      ("<integer> -12\n</integer>", .integer(-12)),
      ("<integer>9223372036854775807</integer>", .integer(.max)),
      ("<integer>18446744073709551615</integer>", .unsigned(.max)),
      ("<real>1e-3</real>", .real(0.001)), ("<real>-infinity</real>", .real(-.infinity)),
      ("<date>2001-01-02T00:00:01Z</date>", .date(86_401)),
      ("<data>\n\tAAEC\n\tAw==\n</data>", .data([0, 1, 2, 3])), ("<data/>", .data([])),
      ("<string> a &lt;<!-- b -->&#233;<![CDATA[<c/>]]></string>", .string(" a <é<c/>")),
      ("<string/>", .string("")), ("<array/>", .array([])),
      (
        "<dict><key>a</key><array><true/></array></dict>",
        .dictionary(["a": .array([.boolean(true)])])
      ),
    ] as [(String, PropertyList)])
  func `each type is read`(text: String, value: PropertyList) throws {
    #expect(try Self.list(text) == value)
  }

  @Test(arguments: [
    ("", "1:1: the text isn't XML: no element found"),
    ("<plist/>", "1:1: expected one element in 'plist'"),
    ("<plist><true/><true/></plist>", "1:1: expected one element in 'plist'"),
    ("<plist>a<true/></plist>", "1:1: expected one element in 'plist'"),
    ("<list><true/></list>", "1:1: expected the element 'plist', not 'list'"),
    ("<plist><null/></plist>", "1:8: a property list has no element 'null'"),
    ("<plist><true>1</true></plist>", "1:8: the text isn't one of the type 'true'"),
    ("<plist><string>a<b/></string></plist>", "1:8: 'string' can't contain elements"),
    ("<plist><integer>1 2</integer></plist>", "1:8: the text isn't one of the type 'integer'"),
    (
      "<plist><integer>99999999999999999999</integer></plist>",
      "1:8: the text isn't one of the type 'integer'"
    ),
    ("<plist><real/></plist>", "1:8: the text isn't one of the type 'real'"),
    (
      "<plist><date>2001-02-30T00:00:00Z</date></plist>",
      "1:8: the text isn't one of the type 'date'"
    ),
    ("<plist><data>AAE</data></plist>", "1:8: the text isn't one of the type 'data'"),
    ("<plist><array>a</array></plist>", "1:8: there is text between the elements"),
    ("<plist><dict>\n<key>a</key></dict></plist>", "2:1: the key has no value"),
    ("<plist><dict>\n<true/></dict></plist>", "2:1: expected the element 'key', not 'true'"),
    (
      "<plist><dict><key>a</key><true/>\n<key>a</key><true/></dict></plist>",
      "2:1: the key occurs twice"
    ),
    (
      "<plist><dict><key><true/></key><true/></dict></plist>",
      "1:14: expected the element 'key', not 'key'"
    ),
  ])
  func `what isn't a property list is refused`(text: String, message: String) {
    #expect(Self.message(text) == message)
  }

  @Test(arguments: [
    "<!DOCTYPE plist [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><plist><string>&c;</string></plist>",
    "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><string>&a;</string></plist>",
    "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\" [<!ENTITY % a SYSTEM \"x\"> %a;]><plist><true/></plist>",
    "<!DOCTYPE plist [<!ATTLIST plist a CDATA \"b\">]><plist><true/></plist>",
  ])
  func `no declaration is read`(text: String) {
    let column = text.prefix { $0 != "[" }.count + 1
    #expect(
      Self.message(text)
        == "1:\(column): declarations in the document type aren't allowed; remove them")
  }

  @Test func `an entity that a document type could declare is refused`() {
    let text = "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><string>&a;</string></plist>"
    #expect(Self.message(text)?.contains("efined") == true, "\(Self.message(text) ?? "read")")
  }

  @Test func `no depth and no number of elements ends the process`() throws {
    for (open, close) in [("<array>", "</array>"), ("<dict><key>k</key>", "</dict>")] {
      for (depth, isRead) in [(248, true), (249, false), (200_000, false)] {
        let text =
          String(repeating: open, count: depth) + "<true/>" + String(repeating: close, count: depth)
        #expect(((try? Self.list(text)) != nil) == isRead, "\(depth) levels")
      }
    }
    let tricky = "<plist>" + String(repeating: "<array><!--</array>-->", count: 200_000)
    #expect(Self.message(tricky)?.contains("nested too deeply; the limit is 250 levels") == true)
    let many =
      "<plist><array>" + String(repeating: "<true/>", count: 1_000_000) + "</array></plist>"
    #expect(Self.message(many)?.contains("more than 1000000 elements") == true)
    let long = [UInt8](repeating: 7, count: 12 << 20)
    #expect(try Self.list("<data>\(Data(long).base64EncodedString())</data>") == .data(long))
  }

  @Test(arguments: (0..<100).map { UInt64($0) })
  func `Foundation reads and writes the same`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = Value.random(depth: 4, using: &generator)
    let text = try PropertyListSerialization.data(
      fromPropertyList: value.object, format: .xml, options: 0)
    #expect(try PropertyList(xml: Array(text)) == value.list, "seed \(seed)")
  }

  @Test(arguments: (0..<40).map { UInt64($0) })
  func `a damaged list gives a value or an error with its place`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = Value.random(depth: 4, using: &generator)
    let text = try PropertyListSerialization.data(
      fromPropertyList: value.object, format: .xml, options: 0)
    for _ in 0..<60 {
      var damaged = Array(text)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: damaged.indices, using: &generator)
        damaged[place] = UInt8.random(in: 1...127, using: &generator)
      }
      do {
        _ = try PropertyList(xml: damaged).binary()
      } catch {
        #expect(error.position.line > 0 && error.position.column > 0, "seed \(seed)")
      }
    }
  }
}

/// A value as a property list and as Foundation has it.
private struct Value {
  let list: PropertyList
  let object: Any

  static func random(depth: Int, using generator: inout SeededGenerator) -> Value {
    func upTo(_ limit: Int) -> Int { Int.random(in: 0...limit, using: &generator) }
    func text() -> String {
      String((0..<upTo(12)).map { _ in "ab <>&'\"\n\té漢😀".randomElement(using: &generator) ?? "a" })
    }
    switch upTo(depth > 1 ? 8 : 5) {
    case 0:
      let value = Bool.random(using: &generator)
      return Value(list: .boolean(value), object: value)
    case 1:
      let value = Int64.random(in: .min...(.max), using: &generator) >> Int64(upTo(62))
      return Value(list: .integer(value), object: NSNumber(value: value))
    case 2:
      let value = Double.random(in: -1e9...1e9, using: &generator)
      return Value(list: .real(value), object: value)
    case 3:
      let seconds = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator))
      return Value(list: .date(seconds), object: Date(timeIntervalSinceReferenceDate: seconds))
    case 4:
      let bytes = (0..<upTo(80)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return Value(list: .data(bytes), object: Data(bytes))
    case 5:
      let text = text()
      return Value(list: .string(text), object: text)
    case 6, 7:
      let values = (0..<upTo(6)).map { _ in random(depth: depth - 1, using: &generator) }
      return Value(list: .array(values.map(\.list)), object: values.map(\.object))
    default:
      var list: [String: PropertyList] = [:]
      var object: [String: Any] = [:]
      for _ in 0..<upTo(6) {
        let (key, value) = (text(), random(depth: depth - 1, using: &generator))
        (list[key], object[key]) = (value.list, value.object)
      }
      return Value(list: .dictionary(list), object: object)
    }
  }
}
