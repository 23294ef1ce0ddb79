import JSONText

extension Entity {
  init(schema node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.schemaForm)
    var properties: [Property] = []
    for node in try object.optional("attributes")?.array ?? [] {
      properties.append(.attribute(try Attribute(schema: node)))
    }
    for node in try object.optional("relationships")?.array ?? [] {
      properties.append(.relationship(try Relationship(schema: node)))
    }
    for name in try object.optional("fetched")?.strings ?? [] {
      properties.append(.fetched(name: name))
    }
    var names: Set<String> = []
    for property in properties where !names.insert(property.name).inserted {
      throw node.error("duplicate property '\(property.name)'; remove one")
    }
    self.init(
      name: try object.required("name").schemaName,
      className: try object.optional("class")?.string,
      isAbstract: try object.optional("abstract")?.bool ?? false,
      superentityName: try object.optional("parent")?.string,
      properties: properties,
      uniquenessConstraints: try object.optional("unique")?.lists(among: names) ?? [],
      indexes: try object.optional("indexes")?.array.map { node throws(JSONError) in
        try FetchIndex(schema: node)
      } ?? [],
      compoundIndexes: try object.optional("compound_indexes")?.lists(among: nil) ?? [],
      renamingIdentifier: try object.optional("renamed_from")?.string,
      versionHashModifier: try object.optional("hash_modifier")?.string,
      userInfo: try object.optional("info")?.modelValues ?? [:])
  }
}

extension FetchIndex {
  init(schema node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.schemaForm)
    var elements: [Element] = []
    for node in try object.required("elements").array {
      let element = try node.object(Self.elementForm)
      elements.append(
        Element(
          propertyName: try element.required("property").string,
          isAscending: !(try element.optional("descending")?.bool ?? false),
          collationType: Int(try element.optional("kind")?.integer ?? 0)))
    }
    self.init(name: try object.required("name").schemaName, elements: elements)
  }
}

extension Attribute {
  init(schema node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.schemaForm)
    let typeNode = try object.required("type")
    guard let type = AttributeType(name: try typeNode.string) else {
      throw typeNode.error("unknown type")
    }
    var elements: [Attribute] = []
    for node in try object.optional("elements")?.array ?? [] {
      elements.append(try Attribute(schema: node))
    }
    self.init(
      name: try object.required("name").schemaName, type: type,
      isOptional: try object.optional("optional")?.bool ?? false,
      isTransient: try object.optional("transient")?.bool ?? false,
      isReadOnly: try object.optional("read_only")?.bool ?? false,
      isIndexed: try object.optional("indexed")?.bool ?? false,
      isDerived: try object.optional("derived")?.bool ?? false,
      defaultValue: try object.optional("default")?.modelValue,
      valueClassName: try object.optional("class")?.string,
      valueTransformerName: try object.optional("transformer")?.string,
      allowsExternalStorage: try object.optional("external")?.bool ?? false,
      isPreservedAfterDeletion: try object.optional("preserved")?.bool ?? false,
      otherFlags: Int(try object.optional("flags")?.integer ?? 0),
      elements: elements,
      renamingIdentifier: try object.optional("renamed_from")?.string,
      versionHashModifier: try object.optional("hash_modifier")?.string,
      userInfo: try object.optional("info")?.modelValues ?? [:])
  }
}

extension Relationship {
  init(schema node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.schemaForm)
    let isToMany = try object.optional("many")?.bool ?? false
    self.init(
      name: try object.required("name").schemaName,
      destinationName: try object.required("to").string,
      inverseName: try object.optional("inverse")?.string,
      maxCount: Int(try object.optional("max")?.integer ?? (isToMany ? 0 : 1)),
      minCount: Int(try object.optional("min")?.integer ?? 0),
      deleteRule: try object.optional("delete").map { node throws(JSONError) in
        let name = try node.string
        return DeleteRule.allCases.first { $0.name == name } ?? .nullify
      } ?? .nullify,
      isOrdered: try object.optional("ordered")?.bool ?? false,
      isOptional: try object.optional("optional")?.bool ?? false,
      isTransient: try object.optional("transient")?.bool ?? false,
      renamingIdentifier: try object.optional("renamed_from")?.string,
      versionHashModifier: try object.optional("hash_modifier")?.string,
      userInfo: try object.optional("info")?.modelValues ?? [:])
  }
}

extension Relationship.DeleteRule {
  /// The rule's name in schema files.
  package var name: String {
    switch self {
    case .noAction: "no action"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}

extension JSONNode {
  fileprivate func lists(among known: Set<String>?) throws(JSONError) -> [[String]] {
    var lists: [[String]] = []
    for node in try array {
      let names = try node.strings
      if let known, let unknown = names.first(where: { !known.contains($0) }) {
        let nearest = nearestName(to: unknown, among: known).map { "; did you mean '\($0)'?" }
        throw node.error("unknown property '\(unknown)'\(nearest ?? "")")
      }
      lists.append(names)
    }
    return lists
  }
}
