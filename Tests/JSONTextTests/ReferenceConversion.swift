import Foundation

/// A slow reference for the payload conversion, with scalars and recursion.
enum ReferenceConversion {
  /// Returns the class and the metadata of a payload.
  static func convert(_ payload: [UInt8]) -> (String, [UInt8]?) {
    if payload.isEmpty { return ("empty", nil) }
    guard let text = String(validating: payload, as: UTF8.self) else { return base64(payload) }
    var parser = ReferenceParser(text: Array(text.unicodeScalars))
    guard parser.document() else { return base64(payload) }
    let metadata = Array(String(String.UnicodeScalarView(parser.kept)).utf8)
    return (metadata == payload ? "identical" : "normalised", metadata)
  }

  private static func base64(_ payload: [UInt8]) -> (String, [UInt8]?) {
    ("base64", Array(Data(payload).base64EncodedString().utf8))
  }
}

/// A parser with the rules of RFC 8259; each rule collects what it matches, without whitespace.
struct ReferenceParser {
  var text: [Unicode.Scalar]
  var next = 0
  var depth = 0
  var kept: [Unicode.Scalar] = []

  mutating func document() -> Bool {
    whitespace()
    guard object() || array() else { return false }
    whitespace()
    return next == text.count
  }

  mutating func value() -> Bool {
    object() || array() || string() || number() || word("true") || word("false") || word("null")
  }

  mutating func object() -> Bool {
    list("{", "}") { parser in
      guard parser.string() else { return false }
      parser.whitespace()
      guard parser.take(":") else { return false }
      parser.whitespace()
      return parser.value()
    }
  }

  mutating func array() -> Bool { list("[", "]") { parser in parser.value() } }

  mutating func list(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, item: (inout Self) -> Bool
  ) -> Bool {
    guard depth < 512, take(open) else { return false }
    depth += 1
    defer { depth -= 1 }
    whitespace()
    if take(close) { return true }
    repeat {
      whitespace()
      guard item(&self) else { return fail() }
      whitespace()
    } while take(",")
    return take(close) || fail()
  }

  mutating func string() -> Bool {
    guard take("\"") else { return false }
    while next < text.count {
      if take("\"") { return true }
      if take("\\") {
        if take("u") {
          for _ in 0..<4 { guard takeAny(of: "0123456789abcdefABCDEF") else { return fail() } }
        } else if !takeAny(of: "\"\\/bfnrt") {
          return fail()
        }
      } else if text[next].value >= 0x20 {
        _ = take(text[next])
      } else {
        return fail()
      }
    }
    return fail()
  }

  mutating func number() -> Bool {
    let isNegative = take("-")
    if !take("0") {
      guard takeAny(of: "123456789") else { return isNegative ? fail() : false }
      while takeAny(of: "0123456789") {}
    }
    if take(".") { guard digits() else { return fail() } }
    if takeAny(of: "eE") {
      _ = takeAny(of: "+-")
      guard digits() else { return fail() }
    }
    return true
  }

  mutating func digits() -> Bool {
    guard takeAny(of: "0123456789") else { return false }
    while takeAny(of: "0123456789") {}
    return true
  }

  mutating func word(_ word: String) -> Bool {
    guard text[next...].starts(with: word.unicodeScalars) else { return false }
    for scalar in word.unicodeScalars { _ = take(scalar) }
    return true
  }

  mutating func whitespace() {
    while next < text.count, " \t\n\r".unicodeScalars.contains(text[next]) { next += 1 }
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next < text.count, text[next] == scalar else { return false }
    kept.append(scalar)
    next += 1
    return true
  }

  mutating func takeAny(of scalars: String) -> Bool {
    next < text.count && scalars.unicodeScalars.contains(text[next]) && take(text[next])
  }

  /// Stops parsing, so that no other rule matches.
  mutating func fail() -> Bool {
    next = text.count
    return false
  }
}
