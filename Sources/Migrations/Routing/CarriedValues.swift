package import StoreModel

extension Property {
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
    return StoredType(of: self).isCarried(to: StoredType(of: other))
  }
}
