import XMLText
import StoreModel

extension XMLModelReader {
  mutating func entity(_ element: XMLElement) throws(ModelSourceError) -> Entity {
    noteUnknown(element, XMLNames.entity)
    let name = try name(element)
    var properties: [Property] = []
    var names: Set<String> = []
    for child in element.children {
      guard let property = try property(child, of: name) else { continue }
      guard names.insert(property.name).inserted else {
        throw error(child, "duplicate property '\(name).\(property.name)'; remove one")
      }
      properties.append(property)
    }
    var indexes = EntityIndexes()
    indexes.declared = try fetchIndexes(of: element, name)
    indexes.compound = lists(in: element, "compoundIndexes", "compoundIndex", "index")
    indexes.compile(&properties)
    return Entity(
      name: name,
      className: className(element),
      isAbstract: try isTrue(element, "isAbstract"),
      superentityName: element["parentEntity"],
      properties: properties,
      uniquenessConstraints: lists(
        in: element, "uniquenessConstraints", "uniquenessConstraint", "constraint"),
      indexes: indexes.compiled,
      compoundIndexes: indexes.compound,
      renamingIdentifier: renaming(of: element),
      versionHashModifier: element["versionHashModifier"].flatMap { $0.isEmpty ? nil : $0 },
      userInfo: userInfo(of: element))
  }

  /// Returns the name of an entity's class, as stores have it (`ModelsFromSource.md`).
  private func className(_ element: XMLElement) -> String? {
    // A leading point stands for the module that the app is built as.
    guard let name = element["representedClassName"], !name.isEmpty, !name.hasPrefix("."),
      name != "NSManagedObject"
    else { return nil }
    return name
  }

  /// Returns the property that an element declares, or `nil` for another element.
  private mutating func property(
    _ element: XMLElement, of entity: String
  ) throws(ModelSourceError) -> Property? {
    switch element.name {
    case "attribute":
      return .attribute(try attribute(element, path: "\(entity).\(try name(element))"))
    case "relationship": return .relationship(try relationship(element, of: entity))
    case "fetchedProperty": return .fetched(name: try name(element))
    default: return nil
    }
  }

  /// Returns the renaming identifier of an element; `nil` if it has none.
  func renaming(of element: XMLElement) -> String? {
    element["elementID"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns lists of names: uniqueness constraints or compound indexes.
  private func lists(
    in element: XMLElement, _ all: String, _ one: String, _ name: String
  ) -> [[String]] {
    element.children.filter { $0.name == all }.flatMap(\.children).filter { $0.name == one }
      .map { list in list.children.filter { $0.name == name }.compactMap { $0["value"] } }
      .filter { !$0.isEmpty }
  }

  private mutating func relationship(
    _ element: XMLElement, of entity: String
  ) throws(ModelSourceError) -> Relationship {
    noteUnknown(element, XMLNames.relationship)
    let name = try name(element)
    guard let destination = element["destinationEntity"], !destination.isEmpty else {
      throw error(element, "'\(entity).\(name)' has no 'destinationEntity'")
    }
    let isToMany = try isTrue(element, "toMany")
    let maxCount = try integer(element, "maxCount") ?? (isToMany ? 0 : 1)
    let minCount = try integer(element, "minCount") ?? 0
    guard minCount >= 0, maxCount >= 0, maxCount == 0 || minCount <= maxCount else {
      throw error(
        element, "'\(entity).\(name)' has from \(minCount) to \(maxCount) objects; mend the counts")
    }
    guard isToMany || maxCount == 1 else {
      throw error(
        element, "'maxCount' of '\(entity).\(name)' is \(maxCount), but 'toMany' isn't YES")
    }
    return Relationship(
      name: name, destinationName: destination,
      inverseName: element["inverseName"].flatMap { $0.isEmpty ? nil : $0 },
      maxCount: maxCount, minCount: minCount,
      deleteRule: try deleteRule(element),
      isOrdered: try isTrue(element, "ordered"),
      isOptional: try isTrue(element, "optional"),
      isTransient: try isTrue(element, "transient"),
      renamingIdentifier: renaming(of: element),
      versionHashModifier: element["versionHashModifier"].flatMap { $0.isEmpty ? nil : $0 },
      userInfo: userInfo(of: element))
  }

  private func deleteRule(_ element: XMLElement) throws(ModelSourceError) -> Relationship.DeleteRule
  {
    guard let text = element["deletionRule"] else { return .nullify }
    guard let rule = Relationship.DeleteRule.allCases.first(where: { $0.name == text.lowercased() })
    else {
      throw error(
        element,
        "'deletionRule' is '\(text)'; expected Nullify, Cascade, Deny or No Action")
    }
    return rule
  }
}
