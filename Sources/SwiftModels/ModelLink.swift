import StoreModel

/// A relationship of a class, before inverses are known.
struct ModelLink {
  var relationship: Relationship

  /// The class that it leads to.
  let destination: SourceType.Index

  /// Whether the property has `@Relationship`.
  let hasMacro: Bool

  /// The property given as `inverse:`, or `nil`.
  let inverse: String?

  let place: SwiftPlace
}
