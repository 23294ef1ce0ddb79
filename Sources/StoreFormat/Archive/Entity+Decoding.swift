import StoreModel

extension ModelDecoder {
  mutating func entity(
    _ outline: Outline, among outlines: [String: Outline]
  ) throws(ArchiveError) -> Entity {
    let object = outline.object
    return Entity(
      name: outline.name,
      className: try object.text("NSClassNameForEntity"),
      isAbstract: try object.isTrue("NSIsAbstract"),
      superentityName: outline.superentityName,
      properties: try ownProperties(outline, among: outlines),
      uniquenessConstraints: try lists(object.object("NSUniqueTuples")),
      indexes: try indexes(object.object("NSFetchIndexDescriptions")),
      compoundIndexes: try lists(object.object("NSCompoundIndexes")),
      renamingIdentifier: try object.text("NSRenamingIdentifier"),
      versionHashModifier: try object.text("NSVersionHashModifier"),
      userInfo: try budget.dictionary(object.object("NSUserInfo")))
  }

  /// Returns the properties that no ancestor declares.
  ///
  /// The archive repeats inherited properties, as copies or as proxies for the original
  /// (StoreFormat.md §11).
  private mutating func ownProperties(
    _ outline: Outline, among outlines: [String: Outline]
  ) throws(ArchiveError) -> [Property] {
    let ancestors = try ancestors(of: outline, among: outlines)
    try budget.spend(ancestors.count * outline.properties.count)
    var names: Set<String> = []
    var properties: [Property] = []
    for (key, object) in outline.properties {
      if ancestors.contains(where: { $0.propertyNames.contains(key) }) { continue }
      guard let property = try property(object, key: key, of: outline.name) else { continue }
      guard names.insert(property.name).inserted else {
        throw .duplicate("\(outline.name).\(property.name)")
      }
      properties.append(property)
    }
    return properties
  }

  private mutating func ancestors(
    of outline: Outline, among outlines: [String: Outline]
  ) throws(ArchiveError) -> [Outline] {
    var ancestors: [Outline] = []
    var below = outline
    while let name = below.superentityName {
      guard let above = outlines[name] else { throw .unknownEntity(name, namedBy: below.name) }
      try budget.spend()
      ancestors.append(above)
      guard ancestors.count < outlines.count else {
        throw .inheritanceCycle(entity: outline.name)
      }
      below = above
    }
    return ancestors
  }

  /// Returns lists of names: uniqueness constraints or compound indexes.
  ///
  /// A name is a text or, in archives of old systems, a property description.
  private mutating func lists(_ object: ArchivedObject?) throws(ArchiveError) -> [[String]] {
    var lists: [[String]] = []
    for list in try budget.elements(of: object) {
      var names: [String] = []
      for element in try budget.elements(of: list) {
        if let name = element.text, !name.utf8.contains(0) {
          names.append(name)
        } else if let name = try element.text("NSPropertyName") {
          names.append(name)
        } else {
          throw .unexpected("object \(element.number)", wanted: "the name of a property")
        }
      }
      lists.append(names)
    }
    return lists
  }

  private mutating func indexes(_ object: ArchivedObject?) throws(ArchiveError) -> [FetchIndex] {
    var indexes: [FetchIndex] = []
    for index in try budget.elements(of: object) {
      guard let name = try index.text("NSIndexName") else {
        throw .unexpected("object \(index.number)", wanted: "an index with a name")
      }
      var elements: [FetchIndex.Element] = []
      let parts = try budget.elements(of: index.object("NSIndexElements"))
      for part in parts {
        // An element without a property is an expression, which the model can't represent.
        guard let property = try part.text("NSPropertyName") else { break }
        elements.append(
          FetchIndex.Element(
            propertyName: property, isAscending: try part.isTrue("NSAscending"),
            collationType: try number(part, "NSFetchIndexElementType")))
      }
      if elements.count == parts.count {
        indexes.append(FetchIndex(name: name, elements: elements))
      }
    }
    return indexes
  }

  /// Returns the integer of a key, or 0 if the key is missing.
  func number(_ object: ArchivedObject, _ key: String) throws(ArchiveError) -> Int {
    Int(clamping: try object.integer(key) ?? 0)
  }
}
