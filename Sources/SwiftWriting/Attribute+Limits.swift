import StoreModel

extension Attribute {
  /// Why SwiftData can't declare the attribute, as the rests of sentences.
  var limits: [String] {
    var limits: [String] = []
    if isDerived { limits.append("is a derived attribute; SwiftData has none") }
    if isReadOnly { limits.append("is a read-only attribute; SwiftData has none") }
    switch type {
    case .codable: limits.append("has the type Codable (2200), whose declaration isn't known")
    case .undefined, .objectID:
      if !isTransient { limits.append("has the type \(type.name); SwiftData has none") }
    case .composite: limits += compositeLimits
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
      .binary, .uuid, .uri, .transformable:
      break
    }
    return limits
  }

  private var compositeLimits: [String] {
    if isTransient { return ["is a transient composite attribute; SwiftData has none"] }
    if elements.isEmpty { return ["is a composite attribute without elements"] }
    if Set(elements.map(\.name)).count < elements.count {
      return ["is a composite attribute with two elements of one name"]
    }
    let kind = CompositeKind(self)
    return elements.flatMap { $0.limits(asElementOf: kind) }
  }

  private func limits(asElementOf kind: CompositeKind) -> [String] {
    var limits: [String] = []
    let isDeclared = kind == .structure || kind == .caseEnum
    if isDeclared && (!SwiftIdentifier.isName(name) || ["self", "super", "init"].contains(name)) {
      limits.append("has the element '\(name)', whose name isn't one in Swift")
    }
    switch type {
    case .composite, .transformable, .undefined, .objectID, .codable:
      limits.append("has the element '\(name)' of type \(type.name); a Codable struct has none")
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
      .binary, .uuid, .uri:
      break
    }
    if !isOptional && kind != .resolvedColor {
      limits.append(
        "has the mandatory element '\(name)'; SwiftData makes the elements of a struct optional")
    }
    if isTransient || isReadOnly || isDerived || allowsExternalStorage || isPreservedAfterDeletion
      || versionHashModifier != nil || renamingIdentifier != nil
    {
      limits.append("has the element '\(name)' with options; properties of a struct have none")
    }
    return limits
  }
}
