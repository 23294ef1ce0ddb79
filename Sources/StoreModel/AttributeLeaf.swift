/// A value that has a column of its own: an attribute, or a leaf of a composite one.
package struct AttributeLeaf: Hashable, Sendable {
  /// The names from the attribute down to the leaf; one where the attribute isn't composite.
  package let path: [String]

  /// The leaf, or the attribute itself.
  package let attribute: Attribute

  /// The name under which migrations know the value: `attribute`, or `attribute.leaf`.
  package var cellName: String { path.joined(separator: ".") }
}

extension Attribute {
  /// The values that have a column: the attribute's own, or those of a composite's leaves.
  package var leaves: [AttributeLeaf] {
    guard type == .composite else { return [AttributeLeaf(path: [name], attribute: self)] }
    return elements.flatMap(\.leaves).map {
      AttributeLeaf(path: [name] + $0.path, attribute: $0.attribute)
    }
  }
}
