import StoreModel

extension ModelDecoder {
  /// Returns the property with a key, or `nil` for an expression, which exists only in queries.
  mutating func property(
    _ object: ArchivedObject, key: String, of entity: String
  ) throws(ArchiveError) -> Property? {
    var object = object
    // In archives of old systems, an inherited property is a proxy for its original.
    if let original = try object.object("NSUnderlyingProperty") { object = original }
    let name = try object.text("NSPropertyName") ?? key
    guard name == key else {
      throw .unexpected("the key of '\(entity).\(name)'", wanted: "its name")
    }
    let classes = try object.classNames
    if classes.contains("NSAttributeDescription") {
      return .attribute(try attribute(object, name: name, path: "\(entity).\(name)", depth: 1))
    }
    if classes.contains("NSRelationshipDescription") {
      return .relationship(try relationship(object, name: name, path: "\(entity).\(name)"))
    }
    if classes.contains("NSFetchedPropertyDescription") { return .fetched(name: name) }
    if classes.contains("NSExpressionDescription") { return nil }
    throw .unexpected("'\(entity).\(name)'", wanted: "an attribute or a relationship")
  }

  private mutating func attribute(
    _ object: ArchivedObject, name: String, path: String, depth: Int
  ) throws(ArchiveError) -> Attribute {
    guard depth <= ArchiveBudget.deepestNesting else { throw .tooLarge }
    try budget.spend()
    let typeNumber = try object.integer("NSAttributeType") ?? 0
    guard let type = UInt32(exactly: typeNumber).flatMap(AttributeType.init(rawValue:)) else {
      throw .attributeType(typeNumber, attribute: path)
    }
    let flags = try number(object, "NSFlagsKey")
    var attribute = Attribute(
      name: name, type: type, renamingIdentifier: try object.text("NSRenamingIdentifier"))
    attribute.isOptional = try object.isTrue("NSIsOptional")
    attribute.isTransient = try object.isTrue("NSIsTransient")
    attribute.isReadOnly = try object.isTrue("NSIsReadOnly")
    attribute.isIndexed = try object.isTrue("NSIsIndexed")
    attribute.isDerived = try object.classNames.contains("NSDerivedAttributeDescription")
    if let value = try object.object("NSDefaultValue") {
      attribute.defaultValue = try budget.value(of: value)
    }
    attribute.valueClassName = try object.text("NSAttributeValueClassName")
    attribute.valueTransformerName = try object.text("NSValueTransformerName")
    attribute.allowsExternalStorage = flags & AttributeFlags.externalStorage != 0
    attribute.isPreservedAfterDeletion = flags & AttributeFlags.preserved != 0
    attribute.otherFlags = flags & ~(AttributeFlags.externalStorage | AttributeFlags.preserved)
    attribute.elements = try elements(object, path: path, depth: depth)
    attribute.versionHashModifier = try object.text("NSVersionHashModifier")
    attribute.userInfo = try budget.dictionary(object.object("NSUserInfo"))
    return attribute
  }

  private mutating func elements(
    _ object: ArchivedObject, path: String, depth: Int
  ) throws(ArchiveError) -> [Attribute] {
    var elements: [Attribute] = []
    for element in try budget.elements(of: object.object("NSCompositeElements")) {
      guard let name = try element.text("NSPropertyName") else {
        throw .unexpected("an element of '\(path)'", wanted: "an attribute with a name")
      }
      elements.append(
        try attribute(element, name: name, path: "\(path).\(name)", depth: depth + 1))
    }
    return elements
  }

  private mutating func relationship(
    _ object: ArchivedObject, name: String, path: String
  ) throws(ArchiveError) -> Relationship {
    guard let destination = try destinationName(object) else {
      throw .unexpected("the destination of '\(path)'", wanted: "an entity")
    }
    let rule = try object.integer("NSDeleteRule") ?? 0
    guard let deleteRule = Int(exactly: rule).flatMap(Relationship.DeleteRule.init(rawValue:))
    else {
      throw .deleteRule(rule, relationship: path)
    }
    return Relationship(
      name: name,
      destinationName: destination,
      inverseName: try inverseName(object),
      maxCount: try number(object, "NSMaxCount"),
      minCount: try number(object, "NSMinCount"),
      deleteRule: deleteRule,
      isOrdered: try object.isTrue("NSIsOrdered"),
      isOptional: try object.isTrue("NSIsOptional"),
      isTransient: try object.isTrue("NSIsTransient"),
      renamingIdentifier: try object.text("NSRenamingIdentifier"),
      versionHashModifier: try object.text("NSVersionHashModifier"),
      userInfo: try budget.dictionary(object.object("NSUserInfo")))
  }

  private func destinationName(_ object: ArchivedObject) throws(ArchiveError) -> String? {
    if let name = try object.object("NSDestinationEntity")?.text("NSEntityName") { return name }
    return try object.text("_NSDestinationEntityName")
  }

  private func inverseName(_ object: ArchivedObject) throws(ArchiveError) -> String? {
    if let name = try object.text("_NSInverseRelationshipName") { return name }
    guard var inverse = try object.object("NSInverseRelationship") else { return nil }
    if let original = try inverse.object("NSUnderlyingProperty") { inverse = original }
    return try inverse.text("NSPropertyName")
  }
}

/// The known bits of `NSFlagsKey` (StoreFormat.md §11).
enum AttributeFlags {
  static let externalStorage = 4
  static let preserved = 16
}
