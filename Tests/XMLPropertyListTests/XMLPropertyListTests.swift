import Testing
import TestSupport

@testable import XMLPropertyList

@Suite struct XMLPropertyListTests {
  @Test func `a property list in XML has a binary form`() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>a</key><string>1 &lt; 2</string><key>b</key><true/></dict></plist>
      """
    let binary = binaryPropertyList(fromXML: Array(text.utf8))
    #expect(binary?.starts(with: Array("bplist00".utf8)) == true)
    #expect(binaryPropertyList(fromXML: Array("{ not = xml; }".utf8)) == nil)
    #expect(binaryPropertyList(fromXML: []) == nil)
  }

  @Test(arguments: [
    ("<a/>", 1), ("<a></a>", 1), ("<a><b/><c></c></a>", 2), ("", 0),
    ("<a><!-- </a> <b> --><![CDATA[</a>]]><?x </a>?></a>", 1), ("<a ><b x='1'></b ></a>", 2),
    ("<a>", nil), ("</a>", nil), ("<a></b>", nil), ("<a><b></a></b>", nil), ("<a", nil),
    ("<!DOCTYPE a><a/>", 1),
  ])
  func `elements are counted by level`(text: String, depth: Int?) {
    #expect(xmlNesting(Array(text.utf8), limit: 512) == depth)
  }

  @Test func `no depth ends the process`() {
    for (open, close) in [("<array>", "</array>"), ("<dict><key>k</key>", "</dict>")] {
      for (depth, isRead) in [(500, true), (512, false), (200_000, false)] {
        let text =
          "<plist>" + String(repeating: open, count: depth) + "<true/>"
          + String(repeating: close, count: depth) + "</plist>"
        let binary = binaryPropertyList(fromXML: Array(text.utf8))
        #expect((binary != nil) == isRead, "\(depth) levels")
      }
    }
    let tricky = "<plist>" + String(repeating: "<array><!--</array>-->", count: 200_000)
    #expect(binaryPropertyList(fromXML: Array(tricky.utf8)) == nil)
  }
}
