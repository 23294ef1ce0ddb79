import OutboxFormat
import Platform
package import SQLite
package import StoreModel
import Migrations

/// Turns values into marks that tell equal ones and nothing else.
///
/// A mark is a hash under a key that is drawn at random for each mask and kept nowhere. What marks do
/// tell: kinds, lengths, and which values are equal. Where an attribute has few values, such as a
/// Boolean, equality tells much to whoever knows some of the rows.
package struct ValueMask: Sendable {
  /// A Boolean value indicating whether marks come with their values, as far as these are no secrets.
  package let showsValues: Bool

  private let key: [UInt8]

  /// Makes a mask whose marks fit no other's.
  package init(showsValues: Bool = false) {
    self.init(key: (0..<32).map { _ in UInt8.random(in: .min ... .max) }, showsValues: showsValues)
  }

  /// Makes a mask with a given key.
  package init(key: [UInt8], showsValues: Bool = false) {
    self.key = key
    self.showsValues = showsValues
  }

  /// Returns the mark of a value.
  ///
  /// - Parameters:
  ///   - value: The value, as it is stored.
  ///   - name: The attribute as `Entity.attribute`: it tells secrets.
  ///   - type: The attribute's type: it tells UUIDs from other bytes.
  /// - Returns: The mark, with the value if the mask shows values and this is no secret.
  /// - Complexity: O(n) in the number of bytes.
  package func mark(of value: Value, named name: String, type: AttributeType? = nil) -> ValueMark {
    mark(of: value, isSecret: SecretNames.occur(in: name), type: type)
  }

  /// Returns the mark of a value of an attribute whose name has been looked at already.
  package func mark(of value: Value, isSecret: Bool, type: AttributeType?) -> ValueMark {
    let kind = ValueMark.Kind(value.storageClass)
    if kind == .null { return .null }
    if isSecret { return .secret }
    return ValueMark(
      kind: kind, byteCount: value.bytes?.count, digits: digits(of: value),
      revealed: showsValues ? ValueMark.Revealed(value, type: type) : nil)
  }

  /// The hash of a number, however it is stored, or of bytes, whether they are a text or not.
  ///
  /// Only eight digits of it are shown, so that no longer value's hash follows from them.
  private func digits(of value: Value) -> String {
    var hash = SHA256()
    hash.update(key)
    switch value {
    case .null: break
    case .integer(let number): hash.update([1] + bytes(of: UInt64(bitPattern: number)))
    case .real(let number):
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

extension ValueMark.Kind {
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
