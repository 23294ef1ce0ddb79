/// A value with its own column: an attribute, or a leaf of a composite attribute.
package struct AttributeLeaf: Hashable, Sendable {
  /// The names from the attribute to the leaf; one name unless the attribute is composite.
  package let path: [String]

  /// The leaf, or the attribute itself.
  package let attribute: Attribute

  /// The name of the value in migration files: `attribute` or `attribute.leaf`.
  package var cellName: String { path.joined(separator: ".") }
}

extension Attribute {
  /// The attribute itself, or the leaves of a composite attribute.
  package var leaves: [AttributeLeaf] {
    guard type == .composite else { return [AttributeLeaf(path: [name], attribute: self)] }
    return elements.flatMap(\.leaves).map {
      AttributeLeaf(path: [name] + $0.path, attribute: $0.attribute)
    }
  }
}
