package import SQLite
import StoreFormat
package import StoreModel

/// When a value says nothing: there is none, it is empty, or the default.
package struct Silence: Hashable, Sendable {
  /// The default; none where there is none, or where it isn't known.
  package let usual: Value?

  /// A Boolean value indicating whether 0 is what stands where there is nothing to say.
  ///
  /// A mandatory number without default always has a value, of which 0 is the least that can be said.
  let isZeroSilent: Bool

  /// A Boolean value indicating whether the value is an archive, which may be of an empty collection.
  let isArchive: Bool
}

extension Silence {
  package init(of attribute: Attribute?, in whole: Attribute?) {
    usual = attribute.flatMap { leaf in whole?.storedDefault(of: leaf) }
    isZeroSilent = attribute?.isOptional != true && whole?.isOptional != true && usual == nil
    isArchive = attribute?.type == .transformable
  }

  /// Returns whether losing a value loses nothing.
  package func covers(_ value: Value) -> Bool {
    if value == usual { return true }
    switch value {
    case .null: return true
    case .text(let bytes): return bytes.isEmpty
    case .blob(let bytes):
      return bytes.isEmpty || isArchive && KeyedArchive.holdsEmptyCollection(bytes)
    case .integer(let number): return isZeroSilent && number == 0
    case .real(let number): return isZeroSilent && number == 0
    }
  }
}
