import JSONText
import OutboxFormat
import Platform
package import SQLite
package import StoreModel

extension ValueFingerprint.Revealed {
  /// Reveals a value without its secrets; `nil` if nothing may be shown.
  ///
  /// Bytes are shown if they are text or a UUID, dates in ISO 8601. In JSON, the values of secret keys are replaced.
  /// Any other text that mentions a secret isn't shown.
  package init?(_ value: Value, type: AttributeType?) {
    switch value {
    case .null: return nil
    case .integer(let number) where type == .date:
      self = Self(dateAt: Double(number)) ?? .integer(number)
    case .real(let number) where type == .date: self = Self(dateAt: number) ?? .real(number)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .blob(let bytes) where type == .uuid && bytes.count == 16: self = .text(uuidText(bytes))
    case .text(let bytes), .blob(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self),
        let shown = text.withoutSecrets
      else { return nil }
      self = .text(shown)
    }
  }

  /// Reveals a date as text; `nil` if it isn't in the years 1 to 9999.
  private init?(dateAt seconds: Double) {
    guard let date = Timestamp(secondsSince2001: seconds) else { return nil }
    self = .text(date.nanoseconds == 0 ? date.text : date.text(fractionDigits: 6))
  }
}

extension String {
  /// The text without its secrets; `nil` if they can't be separated from the rest.
  fileprivate var withoutSecrets: String? {
    if let first = utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let node = try? JSONNode(parsing: self)
    {
      let (json, hasSecrets) = node.withoutSecrets
      return hasSecrets ? json.text() : self
    }
    if SecretNames.occur(in: self) { return nil }
    // A migration writes bytes that aren't JSON as Base64, which can contain a secret.
    if let bytes = base64Decoded(self),
      SecretNames.occur(in: String(decoding: bytes, as: UTF8.self))
    {
      return nil
    }
    return self
  }
}

extension JSONNode {
  /// The document with `secret` in place of each secret, and whether there was one.
  fileprivate var withoutSecrets: (json: JSONValue, hasSecrets: Bool) {
    switch value {
    case .null: return (.null, false)
    case .bool(let bool): return (.bool(bool), false)
    case .number(let text):
      return (Int64(text).map { .int($0) } ?? .double(Double(text) ?? .nan), false)
    case .string(let text):
      let shown = text.withoutSecrets
      return (.string(shown ?? "secret"), shown != text)
    case .array(let nodes):
      let parts = nodes.map(\.withoutSecrets)
      return (.array(parts.map(\.json)), parts.contains(where: \.hasSecrets))
    case .object(let members):
      let parts = members.map { member in
        SecretNames.occur(in: member.key) ? (.string("secret"), true) : member.node.withoutSecrets
      }
      let shown = zip(members, parts).map { JSONValue.Member($0.key, $1.json) }
      return (.object(shown), parts.contains(where: \.hasSecrets))
    }
  }
}
