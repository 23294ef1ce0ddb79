import Migrations

/// What output says of a value instead of the value.
///
/// Equal values have equal marks within a run, so that one can see which rows agree; nobody can look
/// a mark up in a list of likely values, or compare it with those of another run.
package struct ValueMark: Hashable, Sendable {
  /// What kind of value it is.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// No value.
    case null

    case integer
    case real
    case text
    case blob

    /// A password, a token or the like, of which nothing more is said.
    case secret
  }

  /// A value in the open, as far as it is no secret.
  package enum Revealed: Hashable, Sendable {
    case integer(Int64)
    case real(Double)

    /// A text; bytes that are text, and UUIDs, as text.
    case text(String)
  }

  /// What kind of value it is.
  package let kind: Kind

  /// The bytes of a text (in UTF-8) or a blob; none for other kinds.
  package let byteCount: Int?

  /// Eight hexadecimal digits, the same for equal values of a run; none for no value and for secrets.
  ///
  /// Numbers are equal however they are stored, bytes whether they are a text or a blob.
  /// Of two values that differ, one pair in four thousand million has equal digits.
  package let digits: String?

  /// The value, where it was asked for and is no secret.
  package let revealed: Revealed?

  package static let null = ValueMark(kind: .null, byteCount: nil, digits: nil, revealed: nil)
  package static let secret = ValueMark(kind: .secret, byteCount: nil, digits: nil, revealed: nil)
}

extension ValueMark: CustomStringConvertible {
  /// The mark in words, such as `text, 12 bytes, #3f2a90c1`.
  package var description: String {
    let size = byteCount.map { "\($0) byte\($0 == 1 ? "" : "s")" }
    return [kind.rawValue, size, digits.map { "#" + $0 }].compactMap(\.self).joined(separator: ", ")
  }
}
