import StoreModel

extension Model {
  /// Returns the model with other properties or constraints in one entity.
  func editing(_ name: String, _ edit: (inout [Property], inout [[String]]) -> Void) -> Model {
    let entities = entities.map { entity in
      guard entity.name == name else { return entity }
      var properties = entity.properties
      var constraints = entity.uniquenessConstraints
      edit(&properties, &constraints)
      return Entity(
        name: entity.name, className: entity.className, isAbstract: entity.isAbstract,
        superentityName: entity.superentityName, properties: properties,
        uniquenessConstraints: constraints, indexes: entity.indexes,
        compoundIndexes: entity.compoundIndexes, renamingIdentifier: entity.renamingIdentifier,
        versionHashModifier: entity.versionHashModifier, userInfo: entity.userInfo)
    }
    return Model(
      entities: entities, versionIdentifiers: versionIdentifiers, configurations: configurations,
      dialect: dialect)
  }

  /// Returns the model with one attribute edited.
  func editing(_ entity: String, _ name: String, _ edit: (inout Attribute) -> Void) -> Model {
    editing(entity) { properties, _ in
      properties = properties.map { property in
        guard case .attribute(var attribute) = property, attribute.name == name else {
          return property
        }
        edit(&attribute)
        return .attribute(attribute)
      }
    }
  }

  /// Returns the declared attribute of an entity.
  func attribute(_ name: String, of entity: String) -> Attribute? {
    if case .attribute(let attribute) = self[entity]?[name] { attribute } else { nil }
  }
}

extension Attribute {
  /// Returns the attribute under another name.
  func named(_ name: String) -> Attribute {
    Attribute(
      name: name, type: type, isOptional: isOptional, isTransient: isTransient,
      isReadOnly: isReadOnly, isDerived: isDerived, defaultValue: defaultValue,
      valueClassName: valueClassName, valueTransformerName: valueTransformerName,
      allowsExternalStorage: allowsExternalStorage,
      isPreservedAfterDeletion: isPreservedAfterDeletion, otherFlags: otherFlags,
      elements: elements, versionHashModifier: versionHashModifier, userInfo: userInfo)
  }

  /// A value of the type for rows that get their own in a stage; `nil` if the type has no plain value.
  var provisionalValue: ModelValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(0)
    case .double, .float: .real(0)
    case .decimal: .decimal("0")
    case .string: .string("")
    case .boolean: .boolean(false)
    case .date: .date(0)
    case .uuid: .uuid([UInt8](repeating: 0, count: 16))
    case .binary: .data([])
    case .uri, .composite, .undefined, .transformable, .objectID, .codable: nil
    }
  }
}
