import PropertyList
import StoreModel

private let propertyClasses = ["NSPropertyDescription", "NSObject"]
private let attributeClasses = ["NSAttributeDescription"] + propertyClasses
private let compositeClasses = ["NSCompositeAttributeDescription"] + attributeClasses
private let relationshipClasses = ["NSRelationshipDescription"] + propertyClasses
private let fetchedClasses = ["NSFetchedPropertyDescription"] + propertyClasses

extension ModelEncoder {
  mutating func fill(
    _ property: Property, number: Int, of entity: String
  ) throws(ArchiveError) {
    let name = propertyName(property.name, of: entity)
    switch property {
    case .attribute(let attribute):
      try fill(attribute, number: number, name: name, of: entity)
    case .relationship(let relationship):
      try fill(relationship, number: number, name: name, of: entity)
    case .fetched:
      builder.fill(number, fetchedClasses, try common(PropertyTraits(), name: name, of: entity))
    }
  }

  private mutating func fill(
    _ attribute: Attribute, number: Int, name: Int, of entity: String
  ) throws(ArchiveError) {
    var members = try common(PropertyTraits(attribute), name: name, of: entity)
    members["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
    members["NSAttributeValueClassName"] = optionalText(attribute.valueClassName)
    members["NSValueTransformerName"] =
      attribute.valueTransformerName.map { .reference(builder.add($0, from: .transformer($0))) }
      ?? .nilReference
    members["NSDefaultValue"] = defaultValue(of: attribute)
    members["NSFlagsKey"] = .integer(
      Int64(
        attribute.otherFlags
          | (attribute.allowsExternalStorage ? AttributeFlags.externalStorage : 0)
          | (attribute.isPreservedAfterDeletion ? AttributeFlags.preserved : 0)))
    guard attribute.type == .composite || !attribute.elements.isEmpty else {
      return builder.fill(number, attributeClasses, members)
    }
    var elements: [Int] = []
    for element in attribute.elements {
      let elementNumber = builder.reserve()
      try fill(element, number: elementNumber, name: builder.add(element.name), of: entity)
      elements.append(elementNumber)
    }
    members["NSCompositeElements"] = .reference(builder.addArray(elements))
    builder.fill(number, compositeClasses, members)
  }

  private mutating func defaultValue(of attribute: Attribute) -> PropertyList {
    guard let value = attribute.defaultValue else { return .nilReference }
    // The default value of a Float attribute is archived in four bytes if that is exact.
    if attribute.type == .float, case .real(let number) = value, Double(Float(number)) == number {
      return .reference(builder.addShared(.float(Float(number))))
    }
    return .reference(builder.add(value, isMutable: true))
  }

  private mutating func fill(
    _ relationship: Relationship, number: Int, name: Int, of entity: String
  ) throws(ArchiveError) {
    let destination = relationship.destinationName
    var members = try common(PropertyTraits(relationship), name: name, of: entity)
    members["NSDestinationEntity"] = .reference(
      try self.number(ofEntity: destination, namedBy: "\(entity).\(relationship.name)"))
    members["_NSDestinationEntityName"] = .reference(entityName(destination))
    members["NSInverseRelationship"] = .nilReference
    members["_NSInverseRelationshipName"] = .nilReference
    if let inverse = relationship.inverseName {
      let inverseNumber = self.number(ofProperty: inverse, of: destination)
      members["NSInverseRelationship"] = .reference(inverseNumber ?? ArchiveBuilder.null)
      members["_NSInverseRelationshipName"] = .reference(propertyName(inverse, of: destination))
    }
    members["NSMaxCount"] = .integer(Int64(relationship.maxCount))
    members["NSMinCount"] = .integer(Int64(relationship.minCount))
    members["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
    if relationship.isOrdered { members["NSIsOrdered"] = .boolean(true) }
    builder.fill(number, relationshipClasses, members)
  }

  private mutating func common(
    _ traits: PropertyTraits, name: Int, of entity: String
  ) throws(ArchiveError) -> [String: PropertyList] {
    let renaming = traits.renamingIdentifier.map { builder.add($0) } ?? name
    var members: [String: PropertyList] = [
      "NSPropertyName": .reference(name),
      "NSEntity": .reference(try number(ofEntity: entity, namedBy: entity)),
      "NSRenamingIdentifier": .reference(renaming),
      "_P": .integer(traits.summary),
    ]
    if traits.isOptional { members["NSIsOptional"] = .boolean(true) }
    if traits.isTransient { members["NSIsTransient"] = .boolean(true) }
    if traits.isReadOnly { members["NSIsReadOnly"] = .boolean(true) }
    if traits.isIndexed { members["NSIsIndexed"] = .boolean(true) }
    if let modifier = traits.versionHashModifier {
      members["NSVersionHashModifier"] = .reference(builder.add(modifier))
    }
    if !traits.userInfo.isEmpty {
      members["NSUserInfo"] = .reference(builder.addDictionary(traits.userInfo))
    }
    return members
  }
}

/// The traits that attributes and relationships share.
private struct PropertyTraits {
  var isOptional = false
  var isTransient = false
  var isReadOnly = false
  var isIndexed = false
  var isOrdered = false
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: ModelValue] = [:]

  init() {}

  init(_ attribute: Attribute) {
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    isReadOnly = attribute.isReadOnly
    isIndexed = attribute.isIndexed
    renamingIdentifier = attribute.renamingIdentifier
    versionHashModifier = attribute.versionHashModifier
    userInfo = attribute.userInfo
  }

  init(_ relationship: Relationship) {
    isOptional = relationship.isOptional
    isTransient = relationship.isTransient
    isOrdered = relationship.isOrdered
    renamingIdentifier = relationship.renamingIdentifier
    versionHashModifier = relationship.versionHashModifier
    userInfo = relationship.userInfo
  }

  /// The bits of `_P`, as found in real archives: some are set if something exists, others if not.
  var summary: Int64 {
    var bits: Int64 = 0xF1
    if isOptional { bits |= 0x2 }
    if isTransient { bits |= 0x8 }
    if !userInfo.isEmpty { bits &= ~0x40 }
    if versionHashModifier != nil { bits &= ~0x80 }
    if isOrdered { bits |= 0x400 }
    return bits
  }
}
