import PropertyList
import StoreModel

private let entityClasses = ["NSEntityDescription", "NSObject"]
private let indexClasses = ["NSFetchIndexDescription", "NSObject"]
private let indexElementClasses = ["NSFetchIndexElementDescription", "NSObject"]

extension ModelEncoder {
  mutating func fill(_ entity: Entity) throws(ArchiveError) {
    let number = try number(ofEntity: entity.name, namedBy: entity.name)
    let name = entityName(entity.name)
    var members: [String: PropertyList] = [
      "NSEntityName": .reference(name),
      "NSClassNameForEntity": optionalText(entity.className),
      "NSManagedObjectModel": rootReference,
      "NSProperties": try properties(of: entity),
      "NSSubentities": try subentities(of: entity),
      "NSRenamingIdentifier": .reference(entity.renamingIdentifier.map { builder.add($0) } ?? name),
      "NSUserInfo": .reference(builder.addDictionary(entity.userInfo)),
      "NSVersionHashModifier": optionalText(entity.versionHashModifier),
      "NSSuperentity": .nilReference,
    ]
    if let above = entity.superentityName {
      members["NSSuperentity"] = .reference(try self.number(ofEntity: above, namedBy: entity.name))
    }
    if entity.isAbstract { members["NSIsAbstract"] = .boolean(true) }
    // SwiftData always writes the constraints; Core Data only if there are any.
    if model.dialect != .coreData || !entity.uniquenessConstraints.isEmpty {
      members["NSUniqueTuples"] = names(entity.uniquenessConstraints, of: entity)
    }
    if !entity.indexes.isEmpty || !entity.compoundIndexes.isEmpty {
      members["NSFetchIndexDescriptions"] = indexes(of: entity, number: number)
      members["NSCompoundIndexes"] = names(entity.compoundIndexes, of: entity)
    }
    builder.fill(number, entityClasses, members)
  }

  private mutating func properties(of entity: Entity) throws(ArchiveError) -> PropertyList {
    var entries: [(key: Int, value: Int)] = []
    for property in properties[entity.name, default: []] {
      guard let number = number(ofProperty: property.name, of: entity.name) else { continue }
      try fill(property, number: number, of: entity.name)
      entries.append((key: propertyName(property.name, of: entity.name), value: number))
    }
    return .reference(builder.addDictionary(entries))
  }

  private mutating func subentities(of entity: Entity) throws(ArchiveError) -> PropertyList {
    var entries: [(key: Int, value: Int)] = []
    for below in model.entities where below.superentityName == entity.name {
      let number = try number(ofEntity: below.name, namedBy: entity.name)
      entries.append((key: entityName(below.name), value: number))
    }
    return .reference(builder.addDictionary(entries))
  }

  private mutating func names(_ lists: [[String]], of entity: Entity) -> PropertyList {
    let arrays = lists.map { list in
      builder.addArray(list.map { propertyName($0, of: entity.name) })
    }
    return .reference(builder.addArray(arrays))
  }

  private mutating func indexes(of entity: Entity, number: Int) -> PropertyList {
    let indexes = entity.indexes.map { index in
      let indexNumber = builder.reserve()
      let elements = index.elements.map { element in
        var members: [String: PropertyList] = [
          "NSPropertyName": .reference(propertyName(element.propertyName, of: entity.name)),
          "NSFetchIndexElementType": .integer(Int64(element.collationType)),
          "NSFetchIndexDescription": .reference(indexNumber),
        ]
        if element.isAscending { members["NSAscending"] = .boolean(true) }
        return builder.add(indexElementClasses, members)
      }
      builder.fill(
        indexNumber, indexClasses,
        [
          "NSIndexName": .reference(builder.add(index.name)),
          "NSIndexElements": .reference(builder.addArray(elements, isMutable: false)),
          "NSPartialIndexPredicate": .nilReference,
          "NSEntity": .reference(number),
        ])
      return indexNumber
    }
    return .reference(builder.addArray(indexes))
  }

  /// Returns a reference to a new text, or to `nil`.
  mutating func optionalText(_ text: String?) -> PropertyList {
    text.map { .reference(builder.add($0)) } ?? .nilReference
  }
}
