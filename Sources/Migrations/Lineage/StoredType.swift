package import StoreModel

/// The type of an attribute's values, and the form in which its column has them.
package struct StoredType: Hashable, Sendable {
  package let type: AttributeType

  /// Whether a byte before each value says if the value is in a file.
  ///
  /// See `StoreFormat.md`, "External data".
  package let isExternal: Bool

  package init(_ type: AttributeType, isExternal: Bool = false) {
    (self.type, self.isExternal) = (type, isExternal)
  }

  package init(of attribute: Attribute) {
    self.init(attribute.type, isExternal: attribute.allowsExternalStorage)
  }

  /// The type as messages name it.
  package var name: String { type.name + (isExternal ? " with external storage" : "") }

  /// Returns whether every value of this type is valid, and stored in the same form, in another.
  package func isCarried(to other: StoredType) -> Bool {
    let widths: [AttributeType] = [.integer16, .integer32, .integer64]
    guard isExternal == other.isExternal else { return false }
    if let place = widths.firstIndex(of: type), let wider = widths.firstIndex(of: other.type) {
      return place <= wider
    }
    return type == other.type || type == .float && other.type == .double
  }
}
