/// A feature of a model whose hash and archive the tool can read but not make.
package struct UnsupportedFeature: Hashable, Sendable {
  /// The kind of an unsupported feature.
  package enum Kind: Hashable, Sendable {
    /// Triggers compute the attribute, and their SQL isn't known.
    case derivedAttribute

    /// The attribute has type 2200, whose format in the store is unknown (StoreFormat.md §5.2).
    case codableAttribute
  }

  package let kind: Kind

  /// The name of the entity that declares the attribute.
  package let entityName: String

  /// The name of the attribute; a leaf's name follows its composite's name and a dot.
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
  /// The derived attributes, which a migration keeps as they are.
  package var derivedAttributes: [UnsupportedFeature] {
    unsupportedFeatures.filter { $0.kind == .derivedAttribute }
  }

  /// The features that the tool can't write, ordered by entity and attribute.
  ///
  /// - Complexity: O(*n*) in the number of attributes.
  package var unsupportedFeatures: [UnsupportedFeature] {
    entities.flatMap { entity in
      entity.attributes.flatMap { $0.unsupportedFeatures(in: entity.name, path: $0.name) }
    }
  }
}

extension Model {
  /// The R-trees as `Entity.index`, for which Core Data makes virtual tables (`StoreFormat.md` §7).
  ///
  /// No hash depends on them.
  package var spatialIndexes: [String] {
    entities.flatMap { entity in
      entity.indexes.filter(\.isSpatial).map { "\(entity.name).\($0.name)" }
    }
  }
}

extension FetchIndex {
  /// Whether the index is an R-tree.
  package var isSpatial: Bool { elements.contains { $0.collationType == 1 } }
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
