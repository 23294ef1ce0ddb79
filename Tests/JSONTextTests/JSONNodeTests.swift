import JSONText
import TestSupport
import Testing

@Suite struct JSONNodeTests {
  @Test func `every value and key knows its place`() throws {
    let text = "{\n  \"é🙂\": [1.0,\r\n    true],\r\"b\": { \"c\": null }\n}\n"
    let node = try JSONNode(parsing: text, file: "a.json")
    #expect(node.position == TextPosition(line: 1, column: 1))
    let members = try node.object.members
    #expect(members.map(\.key) == ["é🙂", "b"])
    #expect(members.map(\.position.description) == ["2:3", "4:1"])
    #expect(members.map(\.node.position.description) == ["2:9", "4:6"])
    let elements = try members[0].node.array
    #expect(elements.map(\.position.description) == ["2:10", "3:5"])
    #expect(elements.map(\.value) == [.number("1.0"), .bool(true)])
    let inner = try node.object.required("b").object
    #expect(inner.members.map(\.position.description) == ["4:8"])
    #expect(try inner.required("c").isNull)
  }

  @Test(
    arguments: [
      ("0", .number("0")), ("-12.50E+3", .number("-12.50E+3")), ("1e400", .number("1e400")),
      ("12345678901234567890", .number("12345678901234567890")), (" true ", .bool(true)),
      ("\"\"", .string("")), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", .string("\"\\/\u{8}\u{C}\n\r\t")),
      ("\"\\u0000\\u00e9\\uFFFF\"", .string("\u{0}é\u{FFFF}")),
      ("\"\\ud83d\\uDE42!\"", .string("🙂!")), ("[]", .array([])), ("{ }", .object([])),
    ] as [(String, JSONNode.Value)])
  func `a value reads as what it says`(_ text: String, _ value: JSONNode.Value) throws {
    #expect(try JSONNode(parsing: text).value == value)
  }

  @Test(arguments: [
    ("", "1:1: error: the text is empty; expected a value"),
    (" \n ", "2:2: error: the text is empty; expected a value"),
    (
      "\u{FEFF}{}",
      "1:1: error: the text starts with a byte order mark; save it as UTF-8 without one"
    ),
    ("{} {}", "1:4: error: unexpected text after the JSON value; remove it"),
    ("{}\n// end", "2:1: error: JSON has no comments; remove it"),
    ("[\n  1,\n  /* no */ 2]", "3:3: error: JSON has no comments; remove it"),
    ("[1,\n2,\n]", "2:2: error: trailing comma; remove it"),
    ("{\"a\":1,}", "1:7: error: trailing comma; remove it"),
    ("[1 2]", "1:4: error: expected ',' or ']', not '2'"),
    ("{\"a\" 1}", "1:6: error: expected ':', not '1'"),
    ("{a: 1}", "1:2: error: expected a key in double quotes, not 'a'"),
    ("{“a”: 1}", "1:2: error: expected a key in double quotes, not '“'"),
    ("{'a': 1}", "1:2: error: expected a key in double quotes, not '''"),
    ("[1", "1:3: error: expected ',' or ']', but the text ends"),
    ("{\"a\":", "1:6: error: expected a value, but the text ends"),
    ("[\"é", "1:4: error: expected '\"', but the text ends"),
    ("[\u{0}]", "1:2: error: expected a value, not a control character"),
    ("[nul]", "1:2: error: expected a value, not 'n'"),
    ("[truex]", "1:6: error: expected ',' or ']', not 'x'"),
    ("[01]", "1:2: error: not a JSON number; write it like -12, 0.5 or 1e9"),
    ("[1.]", "1:2: error: not a JSON number; write it like -12, 0.5 or 1e9"),
    ("[-x]", "1:2: error: not a JSON number; write it like -12, 0.5 or 1e9"),
    ("[0x1F]", "1:2: error: not a JSON number; write it like -12, 0.5 or 1e9"),
    ("[.5]", "1:2: error: expected a value, not '.'"),
    ("[+1]", "1:2: error: expected a value, not '+'"),
    ("[NaN]", "1:2: error: expected a value, not 'N'"),
    ("[\"a\tb\"]", "1:4: error: a control character in a string; write it as '\\u0009'"),
    ("[\"\u{1F}\"]", "1:3: error: a control character in a string; write it as '\\u001f'"),
    ("[\"\\x\"]", "1:3: error: not an escape; write a backslash as '\\\\'"),
    ("[\"\\u12\"]", "1:3: error: not an escape; write a backslash as '\\\\'"),
    (
      "[\"\\ud800\"]",
      "1:3: error: unpaired surrogate; write both halves, as in '\\ud83d\\ude00'"
    ),
    (
      "[\"\\udc00\"]",
      "1:3: error: unpaired surrogate; write both halves, as in '\\ud83d\\ude00'"
    ),
    (
      "[\"\\ud800\\n\"]",
      "1:3: error: unpaired surrogate; write both halves, as in '\\ud83d\\ude00'"
    ),
    (
      "[\"\\ud800\\ud800\"]",
      "1:3: error: unpaired surrogate; write both halves, as in '\\ud83d\\ude00'"
    ),
    ("{\"a\":1,\n\"b\":2,\n\"\\u0061\":3}", "3:1: error: key 'a' appears twice; first on line 1"),
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "1:8: error: key 'e\u{301}' appears twice; first on line 1"),
  ])
  func `a mistake has a place and a sentence`(_ text: String, _ description: String) {
    let error = #expect(throws: JSONError.self) { try JSONNode(parsing: text) }
    #expect(error?.description == description)
  }

  @Test(
    arguments: [
      ([0x22, 0xC0, 0xAF, 0x22], "1:2"), ([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], "1:3"),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2"), ([0x22, 0xE2, 0x82], "1:2"),
      ([0x5B, 0xFF, 0x5D], "1:2"),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 have a place`(_ bytes: [UInt8], _ place: String) {
    let error = #expect(throws: JSONError.self) { try JSONNode(parsing: bytes) }
    #expect(
      error?.description == "\(place): error: the bytes are not UTF-8; save the text as UTF-8")
  }

  @Test(arguments: [[0xFF, 0xFE, 0x7B, 0x00], [0xFE, 0xFF, 0x00, 0x7B], [0xEF, 0xBB, 0xBF]])
  func `a byte order mark of any encoding is an error`(_ bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) { try JSONNode(parsing: bytes) }
    #expect(error?.reason == .byteOrderMark)
  }

  @Test func `512 levels are read and 513 are not`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSONNode(parsing: nested(512)).array.count == 1)
    #expect(try JSONNode(parsing: "[\(nested(511)),\(nested(511))]").array.count == 2)
    let error = #expect(throws: JSONError.self) { try JSONNode(parsing: nested(513)) }
    #expect(error?.description == "1:513: error: nested too deeply; the limit is 512 levels")
  }

  @Test func `a text past the size limit is not read`() throws {
    #expect(try JSONNode(parsing: Array("[1]".utf8), maximumByteCount: 3).array.count == 1)
    let error = #expect(throws: JSONError.self) {
      try JSONNode(parsing: Array("[1] ".utf8), file: "big.json", maximumByteCount: 3)
    }
    #expect(error?.description == "big.json:1:1: error: the text has 4 bytes; the limit is 3")
  }

  @Test func `a long line is read in one go`() throws {
    let text = "[" + String(repeating: "\"0123456789\",", count: 100_000) + "0]"
    let elements = try JSONNode(parsing: text).array
    #expect(elements.count == 100_001)
    #expect(elements.last?.position == TextPosition(line: 1, column: 1_300_002))
  }

  @Test func `the reader takes the lists that the converter takes`() throws {
    let seed = printedSeed()
    var random = RandomJSON(seed: seed)
    for round in 0..<1000 {
      let document = random.document()
      for bytes in [document, random.mutated(document)] {
        let context = "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))"
        do throws(JSONError) {
          let node = try JSONNode(parsing: bytes)
          let isList = (try? node.array) != nil || (try? node.object) != nil
          #expect(isJSON(bytes) == isList, "\(context)")
        } catch {
          switch error.reason {
          case .unpairedSurrogate, .duplicateKey: break
          default: #expect(!isJSON(bytes), "\(context): \(error)")
          }
        }
      }
    }
  }
}
