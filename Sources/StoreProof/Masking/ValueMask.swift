import OutboxFormat
import Platform
package import SQLite
package import StoreFormat
package import StoreModel

/// Replaces values by fingerprints, which show only kinds, lengths and which values are equal.
///
/// A fingerprint is a hash with a key that only someone with the store can compute; see
/// "Fingerprints" in `Durability.md`. If an attribute has few distinct values, such as a Boolean,
/// equality reveals much to someone who knows some of the rows.
package struct ValueMask: Sendable {
  /// Whether fingerprints include their values, unless these are secrets.
  package let showsValues: Bool

  private let key: [UInt8]

  /// Creates a mask whose key is the hash of the stores' UUIDs, in any order, each once.
  ///
  /// A store keeps its UUID when it is copied, edited, migrated or rolled back. If a store has no
  /// UUID, the key is random, and the fingerprints match no other mask's.
  package init(of stores: [StoreDescription], showsValues: Bool = false) {
    let uuids = stores.map { $0.metadata.flatMap { uuidBytes($0.uuid) } }
    let known = Set(uuids.compactMap { $0.map(uuidText) })
    // The prefix keeps the key apart from any other hash of the UUID.
    let key =
      uuids.contains(nil)
      ? (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      : sha256(
        Array((["outbox-migrate fingerprints"] + known.sorted()).joined(separator: "\n").utf8))
    self.init(key: key, showsValues: showsValues)
  }

  /// Creates a mask with a given key.
  package init(key: [UInt8], showsValues: Bool = false) {
    self.key = key
    self.showsValues = showsValues
  }

  /// Returns the fingerprint of a value.
  ///
  /// - Parameters:
  ///   - value: The value, as it is stored.
  ///   - name: The attribute as `Entity.attribute`, by which secrets are recognised.
  ///   - type: The attribute's type, by which UUIDs are distinguished from other bytes.
  /// - Returns: The fingerprint, with the value if the mask shows values and this isn't a secret.
  /// - Complexity: O(n) in the number of bytes.
  package func fingerprint(of value: Value, named name: String, type: AttributeType? = nil)
    -> ValueFingerprint
  {
    fingerprint(of: value, isSecret: SecretNames.occur(in: name), type: type)
  }

  /// Returns the fingerprint of a value whose attribute's name was checked for secrets already.
  package func fingerprint(of value: Value, isSecret: Bool, type: AttributeType?)
    -> ValueFingerprint
  {
    let kind = ValueFingerprint.Kind(value.storageClass)
    if kind == .null { return .null }
    if isSecret { return .secret }
    return ValueFingerprint(
      kind: kind, byteCount: value.bytes?.count, digits: digits(of: value),
      revealed: showsValues ? ValueFingerprint.Revealed(value, type: type) : nil)
  }

  /// Returns a fingerprint's digits, which don't depend on how a number or bytes are stored.
  ///
  /// Only eight digits of the hash are shown: from a whole hash, anyone could compute the hash of a
  /// longer value that begins with this one (length extension).
  private func digits(of value: Value) -> String {
    var hash = SHA256()
    hash.update(key)
    // The first byte keeps integers, real numbers and bytes apart.
    switch value {
    case .null: break
    case .integer(let number): hash.update([1] + bytes(of: UInt64(bitPattern: number)))
    case .real(let number):
      // A real number without a fraction equals the integer.
      guard let whole = Int64(exactly: number) else {
        hash.update([2] + bytes(of: number.bitPattern))
        break
      }
      hash.update([1] + bytes(of: UInt64(bitPattern: whole)))
    case .text(let bytes), .blob(let bytes):
      hash.update([3])
      hash.update(bytes)
    }
    return Hexadecimal.encode(Array(hash.finalize().prefix(4)))
  }

  private func bytes(of number: UInt64) -> [UInt8] {
    stride(from: UInt64(0), to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension ValueFingerprint.Kind {
  package init(_ storageClass: StorageClass) {
    self =
      switch storageClass {
      case .null: .null
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
  }
}
