import JSONText
import Testing

@testable import XMLText

@Suite struct XMLElementTests {
  private static func message(_ text: String) -> String? {
    message(Array(text.utf8))
  }

  private static func message(_ bytes: [UInt8]) -> String? {
    do {
      _ = try XMLElement(parsing: bytes)
      return nil
    } catch {
      return "\(error.position.line):\(error.position.column): \(error.reason)"
    }
  }

  @Test func `elements have their attributes, children and positions`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- <no/> -->
      <a x="1 &lt;&amp;&#65; é"><b
        y='2'
      /><c:d xmlns:c="u" c:z="3">text</c:d></a>
      """
    let root = try XMLElement(parsing: Array(text.utf8))
    #expect(root.name == "a" && root["x"] == "1 <&A é" && root["y"] == nil && !root.hasText)
    #expect(root.children.map(\.name) == ["b", "c:d"])
    #expect(root.children[0].position == TextPosition(line: 3, column: 27))
    #expect(root.children[1].position == TextPosition(line: 5, column: 3))
    #expect(root.children[1]["c:z"] == "3" && root.children[1].hasText)
  }

  @Test(arguments: [
    ("", "1:1: the text isn't XML: no element found"),
    ("<a>\n<b></a>", "2:6: the text isn't XML: mismatched tag"),
    ("<a/><b/>", "1:5: the text isn't XML: junk after document element"),
    ("<a x='&foo;'/>", "1:1: the text isn't XML: undefined entity"),
    (
      "<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>",
      "1:13: a document type declaration isn't allowed; remove it"
    ),
    (
      "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
      "1:40: a document type declaration isn't allowed; remove it"
    ),
  ])
  func `what isn't XML, or has a document type, is refused`(text: String, message: String) {
    #expect(Self.message(text) == message)
  }

  @Test func `deep and large documents are refused, crowded ones are read`() throws {
    let depth = 100_000
    #expect(
      Self.message(String(repeating: "<a>", count: depth))
        == "1:193: nested too deeply; the limit is 64 levels")
    #expect(
      Self.message("<a>" + String(repeating: "<b/>", count: 250_000) + "</a>")?
        .hasSuffix("the text has more than 200000 elements") == true)
    let attributes = (0..<100_000).map { " a\($0)=''" }.joined()
    let crowded = try XMLElement(parsing: Array("<a\(attributes)/>".utf8))
    #expect(crowded.attributes.count == 100_000)
    let long = "<a x='" + String(repeating: "y", count: 9 << 20) + "'/>"
    #expect(Self.message(long)?.contains("the limit is 8388608") == true)
  }

  @Test func `only UTF-8 is read`() {
    let message = "1:1: the bytes are not UTF-8; save the text as UTF-8"
    #expect(Self.message(Array("<a x='".utf8) + [0xE9] + Array("'/>".utf8)) == message)
    #expect(Self.message([0xFF, 0xFE, 0x3C, 0x00]) == message)
    #expect(Self.message(Array("<a x='".utf8) + [0] + Array("'/>".utf8)) != nil)
  }
}
