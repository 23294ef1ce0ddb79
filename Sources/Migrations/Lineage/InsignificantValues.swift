package import SQLite
import StoreFormat
package import StoreModel

/// The insignificant values of an attribute: NULL, an empty value, and the default.
package struct InsignificantValues: Hashable, Sendable {
  /// The default, or `nil` if there isn't one or it isn't known.
  package let usual: Value?

  /// Whether 0 is insignificant.
  ///
  /// A mandatory number without default always has a value, and 0 is the minimal one.
  let isZeroInsignificant: Bool

  /// Whether values are archives; an archived empty collection is insignificant.
  let isArchive: Bool
}

extension InsignificantValues {
  /// NULL, an empty text, and no bytes.
  package static let empty = Self(usual: nil, isZeroInsignificant: false, isArchive: false)

  package init(of attribute: Attribute?, in whole: Attribute?) {
    usual = attribute.flatMap { leaf in whole?.storedDefault(of: leaf) }
    isZeroInsignificant = attribute?.isOptional != true && whole?.isOptional != true && usual == nil
    isArchive = attribute?.type == .transformable
  }

  /// Returns whether a value is insignificant, so that dropping it isn't a loss.
  package func covers(_ value: Value) -> Bool {
    if value == usual { return true }
    switch value {
    case .null: return true
    case .text(let bytes): return bytes.isEmpty
    case .blob(let bytes):
      return bytes.isEmpty || isArchive && KeyedArchive.holdsEmptyCollection(bytes)
    case .integer(let number): return isZeroInsignificant && number == 0
    case .real(let number): return isZeroInsignificant && number == 0
    }
  }
}
