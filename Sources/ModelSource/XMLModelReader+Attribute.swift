import JSONText
import XMLText
import StoreModel

extension XMLModelReader {
  /// Reads an attribute of an entity, or an element of a composite.
  ///
  /// `path` is its name in messages, `composite` the composites that it is part of.
  mutating func attribute(
    _ element: XMLElement, path: String, in composite: [String] = []
  ) throws(ModelSourceError) -> Attribute {
    attributesLeft -= 1
    guard attributesLeft > 0 else { throw error(element, "the model has too many attributes") }
    let name = try name(element)
    let type = try type(of: element, path)
    var attribute = Attribute(
      name: name, type: type, renamingIdentifier: renaming(of: element))
    if type == .composite {
      attribute.elements = try elements(of: element, path: path, in: composite)
    } else {
      noteUnknown(element, XMLNames.attribute)
    }
    attribute.isOptional = try isTrue(element, "optional")
    attribute.isTransient = try isTrue(element, "transient")
    attribute.isIndexed = try isTrue(element, "indexed")
    attribute.isDerived =
      try isTrue(element, "derived") || element["derivationExpression"] != nil
    if attribute.isDerived {
      note(
        element, "'\(path)' is derived: its expression is ignored, and its entity's hash unknown")
    }
    attribute.defaultValue = defaultValue(of: element, type, path)
    if let name = element["customClassName"], !name.isEmpty { attribute.valueClassName = name }
    attribute.valueTransformerName = element["valueTransformerName"].flatMap {
      $0.isEmpty ? nil : $0
    }
    attribute.allowsExternalStorage = try isTrue(element, "allowsExternalBinaryDataStorage")
    attribute.isPreservedAfterDeletion = try isTrue(element, "preserveAfterDeletion")
    attribute.versionHashModifier = element["versionHashModifier"].flatMap {
      $0.isEmpty ? nil : $0
    }
    attribute.userInfo = userInfo(of: element)
    return attribute
  }

  private func type(
    of element: XMLElement, _ path: String
  ) throws(ModelSourceError) -> AttributeType {
    guard let name = element["attributeType"] else {
      guard try isTrue(element, "transient") else {
        throw error(element, "'\(path)' has no 'attributeType'")
      }
      return .undefined
    }
    guard let type = AttributeType(name: name) else {
      let nearest = nearestName(to: name, among: AttributeType.allCases.map(\.name))
      throw error(
        element,
        "unknown attribute type '\(name)'\(nearest.map { "; did you mean '\($0)'?" } ?? "")")
    }
    return type
  }

  /// Returns the elements of a composite: those in the attribute, or those of the one it names.
  ///
  /// The attribute by which Xcode names a composite isn't known, so any value that is a composite's
  /// name counts.
  private mutating func elements(
    of element: XMLElement, path: String, in outer: [String]
  ) throws(ModelSourceError) -> [Attribute] {
    let own = element.children.filter { $0.name == "attribute" }
    let names = element.attributes.filter { $0.name != "name" && $0.name != "attributeType" }
      .map(\.value)
    let found = names.first { composites[$0] != nil }
    guard !own.isEmpty || found != nil else {
      throw error(element, "the composite of '\(path)' isn't in the model; add it, or remove this")
    }
    guard !outer.contains(where: { $0 == found }), outer.count < 16 else {
      throw error(element, "the composite '\(found ?? path)' contains itself")
    }
    let parts = own.isEmpty ? composites[found ?? ""]?.children ?? [] : own
    var elements: [Attribute] = []
    for part in parts where part.name == "attribute" {
      let name = try name(part)
      guard !elements.contains(where: { $0.name == name }) else {
        throw error(part, "duplicate element '\(path).\(name)'; remove one")
      }
      elements.append(
        try attribute(
          part, path: "\(path).\(name)", in: outer + [found].compactMap(\.self)))
    }
    return elements
  }
}
