package import StoreModel

extension Model {
  /// Returns, for each entity of this model, the one of an older model that Core Data maps to it.
  ///
  /// It has the same name, or else the name that the renaming identifier states.
  package func origins(in source: Model) -> [String: String] {
    var origins: [String: String] = [:]
    for entity in entities {
      if source[entity.name] != nil {
        origins[entity.name] = entity.name
      } else if let old = entity.renamingIdentifier, source[old] != nil, self[old] == nil {
        origins[entity.name] = old
      }
    }
    return origins
  }
}

extension Property {
  package var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetched: false
    }
  }

  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetched: nil
    }
  }

  var isLink: Bool { if case .relationship = self { true } else { false } }

  /// Returns whether the values, or the link to one row, stay as they are.
  func isCarried(to other: Property?) -> Bool {
    switch (self, other) {
    case (.attribute(let before), .attribute(let after)): before.isCarried(to: after)
    case (.relationship(let before), .relationship(let after)):
      !before.isToMany && !after.isToMany
    default: false
    }
  }
}

extension Attribute {
  /// Returns whether every value of this attribute is valid, and stored in the same form, in
  /// another.
  package func isCarried(to other: Attribute) -> Bool {
    if type == .composite && other.type == .composite {
      return elements.map(\.name) == other.elements.map(\.name)
        && zip(elements, other.elements).allSatisfy { $0.isCarried(to: $1) }
    }
    let widths: Set<AttributeType> = [.integer16, .integer32, .integer64]
    return allowsExternalStorage == other.allowsExternalStorage
      && (type == other.type
        || (widths.contains(type) && widths.contains(other.type)
          && type.rawValue <= other.type.rawValue)
        || (type == .float && other.type == .double))
  }
}
