import SQLite
import StoreModel

/// The result of a formula for one row, as far as an attribute's type says what it may be.
struct FormulaResult {
  let kind: StorageClass

  /// The bits of an integer or real number; the number of bytes of a text or blob.
  private let word: UInt64

  /// Whether the result isn't a text, or is one in UTF-8.
  private let isUTF8: Bool

  /// Reads the result in a column of a row.
  init(_ row: borrowing Statement, at place: Int) {
    kind = row.type(at: place)
    switch kind {
    case .null, .text: word = 0
    case .integer: word = UInt64(bitPattern: row.int64(at: place))
    case .real: word = row.double(at: place).bitPattern
    case .blob: word = UInt64(row.byteCount(at: place))
    }
    isUTF8 = kind != .text || row.withBytes(at: place) { $0.isUTF8 }
  }

  /// Reads the argument of a function's call.
  init(_ call: borrowing FunctionCall) {
    (kind, word) = (call.type, call.word)
    isUTF8 = kind != .text || call.withBytes { $0.isUTF8 }
  }

  private var integer: Int64 { Int64(bitPattern: word) }
  private var real: Double { Double(bitPattern: word) }

  /// Returns why an attribute can't hold the result; `nil` if it can.
  ///
  /// - Parameters:
  ///   - type: The attribute's type.
  ///   - isOptional: Whether the attribute may be NULL.
  /// - Returns: What is wrong, as `RowError` words it.
  func problem(as type: AttributeType, isOptional: Bool) -> String? {
    problemOfKind(type, isOptional: isOptional)
      ?? (isHeld(by: type)
        ? nil
        : kind == .text
          ? "would be a text by its formula that isn't UTF-8"
          : "would be a number by its formula that \(type.name) doesn't hold")
  }

  private func problemOfKind(_ type: AttributeType, isOptional: Bool) -> String? {
    switch (kind, type) {
    case (.null, _): isOptional ? nil : "would be NULL by its formula, and is mandatory"
    case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64),
      (.integer, .boolean), (.integer, .decimal), (.integer, .date), (.real, .decimal),
      (.real, .date), (.real, .double), (.real, .float), (.text, .string), (.text, .uri),
      (.blob, .binary), (.blob, .transformable):
      nil
    case (.blob, .uuid): word == 16 ? nil : "would be \(word) bytes by its formula, not 16"
    case (.integer, _), (.real, _), (.text, _), (.blob, _):
      "would be \(kind.noun) by its formula, and is \(type.name)"
    }
  }

  /// Returns whether a number is in the range of the type, and a text is UTF-8.
  private func isHeld(by type: AttributeType) -> Bool {
    switch (kind, type) {
    case (.integer, .boolean): (0...1).contains(integer)
    case (.integer, _): type.integerRange?.contains(integer) ?? true
    case (.real, .float): Float(real).isFinite
    case (.real, _): real.isFinite
    case (.text, _): isUTF8
    case (.null, _), (.blob, _): true
    }
  }
}

extension Span<UInt8> {
  fileprivate var isUTF8: Bool {
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }
}

extension StorageClass {
  fileprivate var noun: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "bytes"
    }
  }
}
