import JSONText
import TestSupport
import Testing

/// A payload, the expected result of its conversion, and the rule behind it.
struct PayloadCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let payload: [UInt8]
  let metadata: String?

  init(_ rule: String, _ payload: [UInt8], _ metadata: String?) {
    (testDescription, self.payload, self.metadata) = (rule, payload, metadata)
  }

  init(_ rule: String, _ payload: String, _ metadata: String?) {
    self.init(rule, Array(payload.utf8), metadata)
  }

  init(kept rule: String, _ payload: String) { self.init(rule, payload, payload) }
}

@Suite struct PayloadConverterTests {
  @Test(arguments: [
    PayloadCase(kept: "an empty object", "{}"),
    PayloadCase(kept: "an empty array", "[]"),
    PayloadCase(kept: "duplicate keys", #"{"a":1,"a":2}"#),
    PayloadCase(kept: "keys out of order", #"{"b":1,"a":2}"#),
    PayloadCase(kept: "an empty key", #"{"":0}"#),
    PayloadCase(kept: "a fraction of zero", "[1.0]"),
    PayloadCase(kept: "a number no double holds", "[1e400]"),
    PayloadCase(kept: "twenty digits", "[12345678901234567890]"),
    PayloadCase(kept: "minus zero", "[-0,-0.0e-0]"),
    PayloadCase(kept: "signs of exponents", "[1E+2,1e-2]"),
    PayloadCase(kept: "an escaped slash", #"["\/"]"#),
    PayloadCase(kept: "every short escape", #"["\"\\\/\b\f\n\r\t"]"#),
    PayloadCase(kept: "an escaped NUL", #"["\u0000"]"#),
    PayloadCase(kept: "an unpaired high surrogate", #"["\uD800"]"#),
    PayloadCase(kept: "an unpaired low surrogate", #"["\udFfF\ud800"]"#),
    PayloadCase(kept: "whitespace in strings", "{\" a \":\"  b  \"}"),
    PayloadCase(kept: "DEL in a string", "[\"\u{7F}\"]"),
    PayloadCase(kept: "a byte order mark in a string", "[\"\u{FEFF}\"]"),
    PayloadCase(kept: "line separators in a string", "[\"\u{2028}\"]"),
    PayloadCase(
      kept: "the ends of each UTF-8 length", "[\"\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"]"
    ),
    PayloadCase(kept: "scalars around the surrogates", "[\"\u{D7FF}\u{E000}\"]"),
    PayloadCase(kept: "words", "[true,false,null]"),
    PayloadCase(
      "all four kinds of whitespace", " \t\r\n{ \"a b\"\t:\r1 ,\n\"c\" : [ ] } ",
      #"{"a b":1,"c":[]}"#),
    PayloadCase("whitespace in empty lists", "[ { } , [\n] ]", "[{},[]]"),
    PayloadCase("whitespace at the end", "[1,2]\n", "[1,2]"),
    PayloadCase("whitespace at the start", "\n[1,2]", "[1,2]"),
    PayloadCase("nothing", "", nil),
  ])
  func `JSON text loses its insignificant whitespace and nothing else`(_ example: PayloadCase) {
    var converter = PayloadConverter()
    let expected: PayloadClass =
      switch example.metadata.map({ Array($0.utf8) }) {
      case nil: .empty
      case example.payload: .identical
      default: .normalised
      }
    let conversion = convert(example.payload, using: &converter)
    #expect(conversion.class == expected)
    #expect(conversion.metadata == example.metadata.map { Array($0.utf8) })
    #expect(isJSON(example.payload) == (expected != .empty))
  }

  @Test(arguments: [
    PayloadCase("whitespace only", " \n", "IAo="),
    PayloadCase("a string at the top", #""a""#, "ImEi"),
    PayloadCase("a number at the top", "12", "MTI="),
    PayloadCase("a word at the top", "true", "dHJ1ZQ=="),
    PayloadCase("a byte order mark", "\u{FEFF}{}", "77u/e30="),
    PayloadCase("UTF-16", [0x7B, 0, 0x7D, 0], "ewB9AA=="),
    PayloadCase("text after the value", "{}x", "e314"),
    PayloadCase("a second value", "{} []", "e30gW10="),
    PayloadCase("NUL after the value", [0x7B, 0x7D, 0], "e30A"),
    PayloadCase("one byte", [0xFF], "/w=="),
    PayloadCase("every kind of character", [0xFB, 0xEF, 0xBE], "++++"),
  ])
  func `anything else becomes base64`(_ example: PayloadCase) {
    var converter = PayloadConverter()
    let conversion = convert(example.payload, using: &converter)
    #expect(conversion.class == .base64)
    #expect(conversion.metadata == example.metadata.map { Array($0.utf8) })
    #expect(!isJSON(example.payload))
  }

  @Test(arguments: [
    "{", "[", "}", "]", "[}", "{]", "[1", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[1,",
    "[,]", "[1,]", "[,1]", "[1,,2]", "{,}", "{\"a\":1,}", "{\"a\"}", "{\"a\",1}", "{a:1}", "{1:1}",
    "{'a':1}", "{\"a\":1 \"b\":2}", "[1 2]", "[\"a\" \"b\"]", "[:]", "{\"a\"::1}", "[]]", "{}}",
    "[01]", "[-01]", "[+1]", "[.5]", "[1.]", "[-]", "[1e]", "[1e+]", "[1.e1]", "[0x1]", "[1_0]",
    "[NaN]", "[Infinity]", "[-Infinity]", "[nul]", "[True]", "[truex]", "[tru", "[nulL]", "[fals]",
    "[1] // no", "/* no */[]", "[\u{A0}1]", "[\u{B}]", "[\u{C}]", "[\u{0}]", "[\"a]", "[\"a\\\"]",
    "[\"\t\"]", "[\"\n\"]", "[\"\u{0}\"]", "[\"\u{1F}\"]", "[\"12345678\u{1F}\"]", "[\"\\x\"]",
    "[\"\\u12\"]", "[\"\\u12g4\"]", "[\"\\", "[\"\\u", "[\"\\U0041\"]", "[\"\\'\"]",
  ])
  func `text that breaks the grammar isn't JSON`(_ text: String) {
    #expect(!isJSON(Array(text.utf8)))
    var converter = PayloadConverter()
    #expect(convert(Array(text.utf8), using: &converter).class == .base64)
  }

  @Test(
    arguments: [
      ("a lone continuation", [0x80]), ("a byte never used", [0xFF]),
      ("an overlong slash", [0xC0, 0xAF]),
      ("C1", [0xC1, 0xBF]), ("an overlong of three", [0xE0, 0x9F, 0xBF]),
      ("an overlong of four", [0xF0, 0x8F, 0xBF, 0xBF]), ("a high surrogate", [0xED, 0xA0, 0x80]),
      ("a low surrogate", [0xED, 0xBF, 0xBF]), ("beyond U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
      ("F5", [0xF5, 0x80, 0x80, 0x80]), ("two of two cut", [0xC3]), ("three cut", [0xE2, 0x82]),
      ("four cut", [0xF0, 0x9F, 0x99]), ("a bad third byte", [0xE2, 0x82, 0x41]),
      ("a bad fourth byte", [0xF0, 0x9F, 0x99, 0x41]), ("a bad second byte", [0xE2, 0x41, 0x82]),
    ] as [(String, [UInt8])])
  func `invalid UTF-8 isn't JSON`(_ kind: String, _ bytes: [UInt8]) {
    for padding in 0..<9 {
      let body = Array(repeating: UInt8(ascii: "x"), count: padding) + bytes
      #expect(!isJSON((Array("[\"".utf8) + body + Array("\"]".utf8))), "\(kind)")
      #expect(!isJSON((Array("[\"".utf8) + body)), "\(kind), cut")
    }
  }

  @Test func `512 levels are JSON and 513 are not`() {
    for (open, close) in [("[", "]"), ("{\"\":", "}")] {
      for depth in [1, 63, 64, 65, 511, 512, 513] {
        let core = depth % 2 == 0 ? "[]" : "{}"
        let text =
          String(repeating: open, count: depth - 1) + core
          + String(repeating: close, count: depth - 1)
        #expect(isJSON(Array(text.utf8)) == (depth <= 512), "\(open) \(depth)")
      }
    }
    let wide = "[" + String(repeating: "[{}],", count: 1000) + "0]"
    #expect(isJSON(Array(wide.utf8)))
  }

  @Test func `16 MB are converted as one payload`() {
    let string = String(repeating: "0123456789abcdef", count: 1 << 20)
    var converter = PayloadConverter()
    let compact = Array("{\"a\":\"\(string)\"}".utf8)
    #expect(convert(compact, using: &converter).class == .identical)
    #expect(converter.buffer.isEmpty)
    #expect(converter.convert(Array("{ \"a\": \"\(string)\" }".utf8).span) == .normalised)
    #expect(converter.outputCount == compact.count)
    #expect(converter.buffer.prefix(100) == compact.prefix(100))
    #expect(converter.buffer.prefix(compact.count).suffix(100) == compact.suffix(100))
  }

  @Test func `the keys visited on the way are those of the text, and the class is the same`() {
    let seed = printedSeed()
    var random = RandomJSON(seed: seed)
    var keys = 0
    for _ in 0..<2_000 {
      let document = random.document()
      for payload in [document, random.mutated(document), random.bytes()] {
        let text = payload.span
        var found: [String] = []
        let kind = PayloadClass(of: text) { found.append(described($0)) }
        let same = PayloadClass(of: text)
        #expect(kind == same, "seed \(seed)")
        guard isJSONText(text) else { continue }
        let expected = keysByByte(of: payload)
        #expect(found == expected, "seed \(seed)")
        keys += expected.count
      }
    }
    #expect(keys > 1_000, "seed \(seed)")
  }
}

/// Returns the class and the metadata of a payload.
func convert(
  _ payload: [UInt8], using converter: inout PayloadConverter
) -> (class: PayloadClass, metadata: [UInt8]?) {
  let told = PayloadClass(of: payload.span)
  let made = converter.convert(payload.span)
  #expect(told == made)
  return switch made {
  case .empty: (.empty, nil)
  case .identical: (.identical, payload)
  case let other: (other, converter.withOutput { Array($0) })
  }
}

private func described(_ key: JSONKey) -> String {
  "\(key.name) \(key.hasEscapes) \(key.valueStart) \(key.depth)"
}

/// Returns the keys of a JSON text, byte by byte: the strings before a colon.
private func keysByByte(of text: [UInt8]) -> [String] {
  func afterSpace(_ index: Int) -> Int {
    text[index...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? text.count
  }
  var (keys, index, depth): ([String], Int, Int) = ([], 0, 0)
  while index < text.count {
    if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text[index]) { depth += 1 }
    if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(text[index]) { depth -= 1 }
    guard text[index] == UInt8(ascii: "\"") else {
      index += 1
      continue
    }
    let start = index + 1
    var end = start
    while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
    index = end + 1
    let colon = afterSpace(index)
    guard colon < text.count, text[colon] == UInt8(ascii: ":") else { continue }
    let hasEscapes = text[start..<end].contains(UInt8(ascii: "\\"))
    keys.append("\(start..<end) \(hasEscapes) \(afterSpace(colon + 1)) \(depth)")
  }
  return keys
}

/// Returns whether bytes are JSON text; takes an array, because expectations can't capture a span.
func isJSON(_ bytes: [UInt8]) -> Bool { isJSONText(bytes.span) }

extension Array where Element == UInt8 {
  /// Copies bytes.
  init(_ span: Span<UInt8>) { self = span.indices.map { span[$0] } }
}
