import StoreModel

/// Declares an attribute as a stored property.
struct AttributeText {
  let attribute: Attribute

  /// Whether a uniqueness constraint is of this attribute alone, and is written at it.
  let isUnique: Bool

  /// A name for a type that is declared for the attribute; nothing else has it.
  let typeName: String

  let names: TypeNames

  /// The property; `nil` if the attribute is transient and has no type.
  var property: StoredProperty? {
    guard attribute.type != .undefined, attribute.type != .objectID else { return nil }
    var property = StoredProperty(
      name: SwiftIdentifier.spelled(attribute.name),
      type: baseType + (attribute.isOptional ? "?" : ""))
    property.macros = macro.map { [$0] } ?? []
    if attribute.type == .composite {
      let composite = CompositeText(attribute: attribute, typeName: typeName, names: names)
      property.nestedType = composite.declaration
    } else if attribute.type == .transformable, !TransformableType(attribute, names).isKnown {
      property.notes.append(
        "The class of the value isn't in the model: replace \(names["NSObject"]) by the app's.")
    }
    if let value = attribute.defaultValue, value != .null {
      property.defaultValue = defaultValue(value)
      if property.defaultValue == nil {
        property.notes.append(
          "The model's default value is left out: it can't be written in Swift.")
      }
    }
    if attribute.otherFlags != 0 {
      property.notes.append("The model's flags \(attribute.otherFlags) are left out: not hashed.")
    }
    return property
  }

  private var baseType: String {
    switch attribute.type {
    case .composite:
      switch CompositeKind(attribute) {
      case .resolvedColor: "\(names["Color"]).Resolved"
      case .rawEnum, .caseEnum, .structure: typeName
      }
    case .transformable: TransformableType(attribute, names).text
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
      .boolean, .date, .binary, .uuid, .uri, .objectID, .codable:
      names[attribute.type.swiftName]
    }
  }

  private var macro: String? {
    var arguments: [String] = []
    if isUnique { arguments.append(".unique") }
    if attribute.isTransient { arguments.append(".ephemeral") }
    if attribute.allowsExternalStorage { arguments.append(".externalStorage") }
    if attribute.isPreservedAfterDeletion { arguments.append(".preserveValueOnDeletion") }
    if attribute.type == .transformable,
      let transformer = TransformableType(attribute, names).transformer
    {
      arguments.append(".transformable(by: \(transformer.swiftLiteral))")
    }
    if let name = attribute.renamingIdentifier {
      arguments.append("originalName: \(name.swiftLiteral)")
    }
    if let modifier = attribute.versionHashModifier {
      arguments.append("hashModifier: \(modifier.swiftLiteral)")
    }
    return arguments.isEmpty ? nil : "@\(names["Attribute"])(\(arguments.joined(separator: ", ")))"
  }

  private func defaultValue(_ value: ModelValue) -> String? {
    switch attribute.type {
    case .composite:
      CompositeText(attribute: attribute, typeName: typeName, names: names).expression(value)
    case .transformable: TransformableType(attribute, names).expression(value)
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
      .boolean, .date, .binary, .uuid, .uri, .objectID, .codable:
      DefaultLiteral(names: names).expression(value, of: attribute.type)
    }
  }
}

extension AttributeType {
  /// The Swift type of the values.
  var swiftName: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .undefined, .transformable, .objectID, .composite, .codable: "Any"
    }
  }
}
