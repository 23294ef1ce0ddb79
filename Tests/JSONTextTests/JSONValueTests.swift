import JSONText
import TestSupport
import Testing

@Suite struct JSONValueTests {
  private let document: JSONValue = [
    "from": "V6",
    "note": nil,
    "steps": [
      ["rename": "Event.payload", "to": "metadata"],
      ["add": "Event.priority", "default": 0, "optional": false],
    ],
    "empty": [:],
    "none": [],
  ]

  @Test func `a document is written compactly`() {
    #expect(
      document.text() == #"{"from":"V6","note":null,"steps":["#
        + #"{"rename":"Event.payload","to":"metadata"},"#
        + #"{"add":"Event.priority","default":0,"optional":false}],"empty":{},"none":[]}"#)
  }

  @Test func `what fits stays on one line`() {
    #expect(
      document.text(.pretty(inlineWidth: 65)) == """
        {
          "from": "V6",
          "note": null,
          "steps": [
            { "rename": "Event.payload", "to": "metadata" },
            { "add": "Event.priority", "default": 0, "optional": false }
          ],
          "empty": {},
          "none": []
        }
        """)
    let short: JSONValue = ["a": [1, 2], "b": ["c": 0.5]]
    #expect(short.text(.pretty) == #"{ "a": [1, 2], "b": { "c": 0.5 } }"#)
  }

  @Test func `with no width every item has a line`() {
    let value: JSONValue = ["b": [1, [], [:]], "a": ["y": 1, "x": 2]]
    #expect(
      value.text(.pretty(inlineWidth: 0), keys: .sorted) == """
        {
          "a": {
            "x": 2,
            "y": 1
          },
          "b": [
            1,
            [],
            {}
          ]
        }
        """)
  }

  @Test func `the width counts indentation, key, scalars and the comma after`() {
    let value: JSONValue = [["é": ["ab", "cd"]], 1]
    // `  { "é": ["ab", "cd"] },` has 24 columns.
    let isOnOneLine = value.text(.pretty(inlineWidth: 24)).contains(#"  { "é": ["ab", "cd"] },"#)
    #expect(isOnOneLine)
    #expect(!value.text(.pretty(inlineWidth: 23)).contains(#"{ "é""#))
    #expect(value.text(.pretty(inlineWidth: 25)).contains("\n"))
    #expect(value.text(.pretty(inlineWidth: 26)) == #"[{ "é": ["ab", "cd"] }, 1]"#)
  }

  @Test(arguments: [
    ("\"\\/", #""\"\\/""#), ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
    ("\u{0}\u{B}\u{1F}", #""\u0000\u000b\u001f""#), ("\u{7F}é🙂\u{2028}", "\"\u{7F}é🙂\u{2028}\""),
  ])
  func `a string escapes what it must`(_ string: String, _ text: String) throws {
    #expect(JSONValue.string(string).text() == text)
    #expect(try JSONNode(parsing: text).string == string)
  }

  @Test(
    arguments: [
      (0.1, "0.1"), (5, "5.0"), (-0.0, "-0.0"), (1e100, "1e+100"),
      (.leastNonzeroMagnitude, "5e-324"),
      (.infinity, "null"), (.nan, "null"),
    ] as [(Double, String)])
  func `a double is as short as reads back the same`(_ double: Double, _ text: String) throws {
    #expect(JSONValue.double(double).text() == text)
    if double.isFinite {
      #expect(try JSONNode(parsing: text).double.bitPattern == double.bitPattern)
    }
  }

  @Test func `what is written reads back the same in every style`() throws {
    let seed = printedSeed()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let value = randomValue(depth: 4, using: &generator)
      let width = Int.random(in: 0...60, using: &generator)
      for style in [JSONStyle.compact, .pretty, .pretty(inlineWidth: width)] {
        let text = value.text(style)
        #expect(try written(JSONNode(parsing: text)) == value, "seed \(seed), round \(round)")
        if style == .compact { #expect(isMinimal(text), "seed \(seed), round \(round)") }
      }
    }
  }

  private func isMinimal(_ text: String) -> Bool {
    var converter = PayloadConverter()
    return converter.convert(Array("[\(text)]".utf8).span) == .identical
  }

  private func randomValue(
    depth: Int, using generator: inout SeededGenerator
  ) -> JSONValue {
    let count = Int.random(in: 0..<4, using: &generator)
    switch Int.random(in: depth > 0 ? 0..<8 : 3..<8, using: &generator) {
    case 0, 1:
      return .array((0..<count).map { _ in randomValue(depth: depth - 1, using: &generator) })
    case 2:
      return .object(
        (0..<count).map { .init("é\($0)\n", randomValue(depth: depth - 1, using: &generator)) })
    case 3: return nil
    case 4: return .bool(Bool.random(using: &generator))
    case 5: return .int(Int64.random(in: .min ... .max, using: &generator))
    case 6:
      return .double(Double(bitPattern: UInt64.random(in: 0..<0x7FF0 << 48, using: &generator)))
    default:
      return .string(["", "a \"b\" \\ c", "日本🙂\u{0}"].randomElement(using: &generator) ?? "")
    }
  }

  /// Converts a node to a value for writing.
  private func written(_ node: JSONNode) throws -> JSONValue {
    switch node.value {
    case .null: nil
    case .bool(let bool): .bool(bool)
    case .number(let spelling):
      try Int64(spelling).map { .int($0) } ?? .double(node.double)
    case .string(let string): .string(string)
    case .array(let elements): .array(try elements.map(written))
    case .object(let members):
      .object(try members.map { .init($0.key, try written($0.node)) })
    }
  }
}
