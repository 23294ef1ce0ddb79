/// Writes JSON documents.
struct JSONWriter {
  private(set) var output: [UInt8] = []
  private let style: JSONStyle
  private let order: JSONKeyOrder

  /// The index in ``output`` of the current line's start.
  private var lineStart = 0

  init(style: JSONStyle, order: JSONKeyOrder) {
    self.style = style
    self.order = order
  }

  mutating func write(_ value: JSONValue) {
    switch style {
    case .compact: _ = writeOnLine(value, limit: .max)
    case .pretty(let width): write(value, level: 0, width: width, isLast: true)
    }
  }

  /// Writes a value on the current line if it fits there with a comma, otherwise on several lines.
  private mutating func write(_ value: JSONValue, level: Int, width: Int, isLast: Bool) {
    let start = output.count
    // A column has at most four bytes. The limit stops early for a list that is far too long.
    let limit = value.isList ? lineStart + 4 * width : .max
    if writeOnLine(value, limit: limit) {
      if !value.isList || columns + (isLast ? 0 : 1) <= width { return }
    }
    output.removeSubrange(start...)
    writeOnLines(value, level: level, width: width)
  }

  /// Writes each item of a list on its own line or lines.
  private mutating func writeOnLines(_ value: JSONValue, level: Int, width: Int) {
    switch value {
    case .array(let elements):
      put(sign: "[")
      for (index, element) in elements.enumerated() {
        if index > 0 { put(sign: ",") }
        breakLine(level: level + 1)
        write(element, level: level + 1, width: width, isLast: index == elements.count - 1)
      }
      breakLine(level: level)
      put(sign: "]")
    case .object(let members):
      put(sign: "{")
      for (index, member) in inOrder(members).enumerated() {
        if index > 0 { put(sign: ",") }
        breakLine(level: level + 1)
        putKey(member.key)
        write(member.value, level: level + 1, width: width, isLast: index == members.count - 1)
      }
      breakLine(level: level)
      put(sign: "}")
    default: break
    }
  }

  /// Writes a value on the current line; returns `false` if it exceeds the limit.
  ///
  /// Part of the value is written then.
  private mutating func writeOnLine(_ value: JSONValue, limit: Int) -> Bool {
    switch value {
    case .null: put("null")
    case .bool(let bool): put(bool ? "true" : "false")
    case .int(let integer): put(String(integer))
    case .double(let double): put(double.isFinite ? double.description : "null")
    case .string(let string): putQuoted(string)
    case .array(let elements):
      put(sign: "[")
      for (index, element) in elements.enumerated() {
        if index > 0 { put(isSpaced ? ", " : ",") }
        guard writeOnLine(element, limit: limit) else { return false }
      }
      put(sign: "]")
    case .object(let members):
      put(isSpaced && !members.isEmpty ? "{ " : "{")
      for (index, member) in inOrder(members).enumerated() {
        if index > 0 { put(isSpaced ? ", " : ",") }
        putKey(member.key)
        guard writeOnLine(member.value, limit: limit) else { return false }
      }
      put(isSpaced && !members.isEmpty ? " }" : "}")
    }
    return output.count <= limit
  }
}

extension JSONWriter {
  private var isSpaced: Bool { style != .compact }

  private func inOrder(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    switch order {
    case .given: members
    case .sorted: members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
  }

  /// The number of Unicode scalars in the current line.
  private var columns: Int {
    var count = output.count - lineStart
    for index in lineStart..<output.count where output[index].isUTF8Continuation { count -= 1 }
    return count
  }

  private mutating func put(_ text: String) { output += text.utf8 }

  private mutating func put(sign: Unicode.Scalar) { output.append(UInt8(ascii: sign)) }

  private mutating func breakLine(level: Int) {
    put(sign: "\n")
    lineStart = output.count
    for _ in 0..<(2 * level) { put(sign: " ") }
  }

  private mutating func putKey(_ key: String) {
    putQuoted(key)
    put(isSpaced ? ": " : ":")
  }

  private mutating func putQuoted(_ string: String) {
    put(sign: "\"")
    // Most strings need no escapes.
    if string.utf8.allSatisfy({ $0.isPlain }) { put(string) } else { putEscaped(string) }
    put(sign: "\"")
  }

  private mutating func putEscaped(_ string: String) {
    for byte in string.utf8 {
      switch byte {
      case let plain where plain.isPlain: output.append(plain)
      case UInt8(ascii: "\""): put("\\\"")
      case UInt8(ascii: "\\"): put("\\\\")
      case 0x08: put("\\b")
      case 0x09: put("\\t")
      case 0x0A: put("\\n")
      case 0x0C: put("\\f")
      case 0x0D: put("\\r")
      case 0..<0x10: put("\\u000\(String(byte, radix: 16))")
      default: put("\\u00\(String(byte, radix: 16))")
      }
    }
  }
}

extension UInt8 {
  /// Whether the byte is written unescaped in a string.
  fileprivate var isPlain: Bool {
    self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}

extension JSONValue {
  /// Whether the value is a nonempty array or object.
  fileprivate var isList: Bool {
    switch self {
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    default: false
    }
  }
}
