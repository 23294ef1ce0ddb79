package import StoreModel

/// An attribute whose values are stored in another form from one version to the next.
package struct AttributeChange: Hashable, Sendable {
  /// The attribute, in the names of the source.
  package let source: PropertyPath

  /// The attribute, in the names of the target.
  package let path: PropertyPath

  /// The attribute in the source.
  package let old: Attribute

  /// The attribute in the target.
  package let new: Attribute
}
