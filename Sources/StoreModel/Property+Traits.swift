import JSONText

extension Property {
  /// What the property has other than a plain one of its kind, in words.
  package var traits: [String] {
    switch self {
    case .attribute(let attribute): attribute.traits
    case .relationship(let relationship): relationship.traits
    case .fetched: []
    }
  }
}

extension Attribute {
  /// What the attribute has other than a plain one of its type, in words.
  package var traits: [String] {
    [
      isOptional ? "optional" : nil, isTransient ? "transient" : nil,
      isReadOnly ? "read-only" : nil, isDerived ? "derived" : nil,
      allowsExternalStorage ? "external storage" : nil,
      isPreservedAfterDeletion ? "preserved after deletion" : nil,
      versionHashModifier.map { "hash modifier \($0)" },
      defaultValue.map { "default \($0.json.text())" },
    ].compactMap(\.self)
  }
}

extension Relationship {
  fileprivate var traits: [String] {
    [
      isOptional ? "optional" : nil, isTransient ? "transient" : nil, isOrdered ? "ordered" : nil,
      minCount == 0 ? nil : "min \(minCount)", maxCount < 2 ? nil : "max \(maxCount)",
      inverseName.map { "inverse \($0)" },
      deleteRule == .nullify ? nil : "delete \(deleteRule)",
      versionHashModifier.map { "hash modifier \($0)" },
    ].compactMap(\.self)
  }
}
