/// A part of a model that is described but can't be written.
package struct UnsupportedFeature: Hashable, Sendable {
  /// What is unsupported about an attribute.
  package enum Kind: Hashable, Sendable {
    /// The attribute is computed by triggers, whose text isn't known.
    case derivedAttribute

    /// The attribute is of type 2200, whose form in the file isn't known (StoreFormat.md §5.2).
    case codableAttribute
  }

  package let kind: Kind

  /// The entity that declares the attribute.
  package let entityName: String

  /// The attribute; for a leaf of a composite, the composite's name and a dot go before.
  package let attributeName: String

  package init(kind: Kind, entityName: String, attributeName: String) {
    self.kind = kind
    self.entityName = entityName
    self.attributeName = attributeName
  }
}

extension UnsupportedFeature: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .derivedAttribute: "'\(entityName).\(attributeName)' is a derived attribute"
    case .codableAttribute:
      "'\(entityName).\(attributeName)' is an attribute of type Codable (2200)"
    }
  }
}

extension Model {
  /// What this model has that can't be written, ordered by entity and attribute.
  ///
  /// - Complexity: O(n) in the number of attributes.
  package var unsupportedFeatures: [UnsupportedFeature] {
    entities.flatMap { entity in
      entity.attributes.flatMap { $0.unsupportedFeatures(in: entity.name, path: $0.name) }
    }
  }
}

extension Attribute {
  fileprivate func unsupportedFeatures(in entity: String, path: String) -> [UnsupportedFeature] {
    var found: [UnsupportedFeature] = []
    func add(_ kind: UnsupportedFeature.Kind) {
      found.append(UnsupportedFeature(kind: kind, entityName: entity, attributeName: path))
    }
    if isDerived { add(.derivedAttribute) }
    if type == .codable { add(.codableAttribute) }
    return found
      + elements.flatMap { $0.unsupportedFeatures(in: entity, path: "\(path).\($0.name)") }
  }
}
