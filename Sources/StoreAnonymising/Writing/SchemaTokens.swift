/// The parts of a statement of a schema that could be somebody's data.
struct SchemaTokens: Hashable, Sendable {
  /// Keywords, names and types, as written.
  private(set) var words: [String] = []

  /// What is between double quotes, grave accents or brackets: names, or texts in place of names.
  private(set) var quotedNames: [String] = []

  /// What is between single quotes.
  private(set) var texts: [String] = []

  /// Numbers of all kinds.
  private(set) var numbers: [String] = []

  /// Divides a statement.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  init(_ sql: String) {
    let ends: [UInt8: UInt8] = [0x22: 0x22, 0x60: 0x60, 0x5B: 0x5D, 0x27: 0x27]
    var rest = Array(sql.utf8)[...]
    while let byte = rest.first {
      if let end = ends[byte] {
        let text = Self.quoted(&rest, until: end)
        if byte == 0x27 { texts.append(text) } else { quotedNames.append(text) }
      } else if byte.isOfName {
        let token = rest.prefix { $0.isOfName || (byte.isDigit && $0 == 0x2E) }
        rest = rest.dropFirst(token.count)
        let text = String(decoding: token, as: UTF8.self)
        if byte.isDigit { numbers.append(text) } else { words.append(text) }
      } else {
        rest = rest.dropFirst()
      }
    }
  }

  /// Takes a quoted part, in which the doubled end stands for itself.
  private static func quoted(_ rest: inout ArraySlice<UInt8>, until end: UInt8) -> String {
    rest = rest.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == end {
        guard rest.first == end, end != 0x5D else { break }
        rest = rest.dropFirst()
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte can be part of a name without quotes.
  fileprivate var isOfName: Bool { isOfWord || self == 0x5F || self == 0x24 }
}
