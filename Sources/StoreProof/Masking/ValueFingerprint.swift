/// A fingerprint: what output shows of a value in place of the value.
///
/// Equal values of a store have equal fingerprints, in every run. Without the store, a fingerprint
/// can't be found in a list of likely values, or compared with those of another store.
package struct ValueFingerprint: Hashable, Sendable {
  /// The kind of a value.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// There is no value.
    case null

    case integer
    case real
    case text
    case blob

    /// A password, a token or another secret, of which nothing else is shown.
    case secret
  }

  /// A value in plain text, without secrets.
  package enum Revealed: Hashable, Sendable {
    case integer(Int64)
    case real(Double)

    /// A text; bytes that are text, and UUIDs, are shown as text.
    case text(String)
  }

  /// The kind of the value.
  package let kind: Kind

  /// The number of bytes of a text (in UTF-8) or a blob; `nil` for other kinds.
  package let byteCount: Int?

  /// Eight hexadecimal digits, the same for equal values of a store; `nil` for NULL and for secrets.
  ///
  /// Numbers are equal however they are stored, and bytes are equal whether they are a text or a
  /// blob. Two different values have equal digits in one case of four thousand million.
  package let digits: String?

  /// The value, if it was requested and isn't a secret.
  package let revealed: Revealed?

  package static let null = ValueFingerprint(
    kind: .null, byteCount: nil, digits: nil, revealed: nil)
  package static let secret = ValueFingerprint(
    kind: .secret, byteCount: nil, digits: nil, revealed: nil)
}

extension ValueFingerprint: CustomStringConvertible {
  /// The fingerprint in words, such as `text, 12 bytes, #3f2a90c1`.
  package var description: String {
    let size = byteCount.map { "\($0) byte\($0 == 1 ? "" : "s")" }
    return [kind.rawValue, size, digits.map { "#" + $0 }].compactMap(\.self).joined(separator: ", ")
  }
}
