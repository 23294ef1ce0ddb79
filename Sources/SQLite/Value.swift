/// A stored value, bit for bit.
///
/// Reals are equal if their bits are equal, so 0.0 and -0.0 differ. Texts are equal if their bytes
/// are equal.
package enum Value: Sendable {
  /// NULL.
  case null

  /// A signed 64-bit integer.
  case integer(Int64)

  /// A floating-point number; SQLite stores NaN as NULL.
  case real(Double)

  /// The bytes of a text, which may be invalid UTF-8.
  case text([UInt8])

  /// Bytes.
  case blob([UInt8])

  /// Creates a text.
  package static func text(_ string: String) -> Value {
    .text(Array(string.utf8))
  }
}

extension Value {
  /// The storage class of the value.
  package var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// Whether the value is NULL.
  package var isNull: Bool { storageClass == .null }

  /// The integer, or `nil` for other storage classes.
  package var int64: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The real, or `nil` for other storage classes.
  package var double: Double? {
    if case .real(let number) = self { number } else { nil }
  }

  /// The text, or `nil` for other storage classes; invalid UTF-8 becomes U+FFFD.
  package var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// The bytes of a text or blob, or `nil` for other storage classes.
  package var bytes: [UInt8]? {
    switch self {
    case .text(let bytes), .blob(let bytes): bytes
    case .null, .integer, .real: nil
    }
  }
}

extension Value: Hashable {
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left == right
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(storageClass)
    switch self {
    case .null: break
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number.bitPattern)
    case .text(let bytes), .blob(let bytes): hasher.combine(bytes)
    }
  }
}

extension Value: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value: ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(stringLiteral value: String) { self = .text(value) }
}
