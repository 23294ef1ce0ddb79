import StoreModel

/// Declares an entity as a class.
struct ClassText {
  let entity: Entity
  let model: Model
  let names: TypeNames
  let pairs: InversePairs

  /// The lines of the class.
  var lines: [String] {
    let name = SwiftIdentifier.spelled(entity.name)
    let isFinal = !model.entities.contains { $0.superentityName == entity.name }
    let parent = entity.superentityName.map { ": \(SwiftIdentifier.spelled($0))" } ?? ""
    let types = properties.flatMap { $0.nestedType.isEmpty ? [] : $0.nestedType + [""] }
    let omitted = entity.attributes.filter { $0.type == .undefined || $0.type == .objectID }.map {
      "// '\($0.name)' is left out: it isn't stored, and the model doesn't have its type."
    }
    let stored = omitted + properties.flatMap(\.lines)
    let body = freestanding + types + stored + (stored.isEmpty ? [] : [""]) + initializer
    let rename = entity.renamingIdentifier.map {
      "The model has \($0.swiftLiteral) as an earlier name of the entity: SwiftData can't rename one."
        .commentLines(prefix: "// ")
    }
    return (rename ?? []) + [
      "@\(names["Model"])", "\(isFinal ? "final class" : "class") \(name)\(parent) {",
    ]
      + body.map { $0.indented() } + ["}"]
  }

  /// The entity's own properties, ordered by name, relationships last.
  private var properties: [StoredProperty] {
    var used: Set<String> = []
    let attributes = entity.attributes.compactMap { attribute -> StoredProperty? in
      let typeName = typeName(of: attribute, used)
      if attribute.type == .composite { used.insert(typeName) }
      return AttributeText(
        attribute: attribute, isUnique: isUniqueAlone(attribute.name), typeName: typeName,
        names: names
      ).property
    }
    return attributes + entity.relationships.map(property)
  }

  private func typeName(of attribute: Attribute, _ used: Set<String>) -> String {
    var name = SwiftIdentifier.capitalized(attribute.name)
    while used.contains(name) || names.isUsed(name) { name += "Value" }
    return name
  }

  private func property(of relationship: Relationship) -> StoredProperty {
    let destination = SwiftIdentifier.spelled(relationship.destinationName)
    let type = relationship.isToMany ? "[\(destination)]" : destination
    var property = StoredProperty(
      name: SwiftIdentifier.spelled(relationship.name),
      type: type + (relationship.isOptional ? "?" : ""))
    let inverse = relationship.inverseName.flatMap { name in
      pairs.names(relationship, of: entity)
        ? "\\\(destination).\(SwiftIdentifier.spelled(name))" : nil
    }
    let arguments = relationship.arguments(inverse: inverse)
    // A macro without an inverse keeps SwiftData from inferring one.
    if !arguments.isEmpty || relationship.inverseName == nil {
      let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
      property.macros = ["@\(names["Relationship"])\(list)"]
    }
    if relationship.isToMany && !relationship.isOptional { property.parameterDefault = "[]" }
    return property
  }
}

// MARK: - Uniqueness and indexes

extension ClassText {
  /// Whether all uniqueness constraints can be written at attributes, as iOS 17 requires.
  private var constrainsSingly: Bool {
    entity.uniquenessConstraints.allSatisfy { names in
      names.count == 1 && entity.attributes.contains { $0.name == names[0] }
    }
  }

  private func isUniqueAlone(_ name: String) -> Bool {
    constrainsSingly && entity.uniquenessConstraints.contains([name])
  }

  private var freestanding: [String] {
    let name = SwiftIdentifier.spelled(entity.name)
    let unique = constrainsSingly ? [] : entity.uniquenessConstraints.map(keyPaths)
    let lines = [("Unique", unique), ("Index", indexes)].compactMap { macro, arguments in
      arguments.isEmpty ? nil : "#\(macro)<\(name)>(\(arguments.joined(separator: ", ")))"
    }
    return lines.isEmpty ? [] : lines + [""]
  }

  private var indexes: [String] {
    let covered = Set(entity.indexes.map(\.propertyNames))
    let flagged = entity.attributes.filter { $0.isIndexed && !covered.contains([$0.name]) }
    let isSpatial = entity.indexes.contains { $0.elements.contains { $0.collationType == 1 } }
    let declared = entity.indexes.map { index in
      let paths = keyPaths(index.propertyNames)
      guard isSpatial else { return paths }
      return index.elements.first?.collationType == 1 ? ".rtree(\(paths))" : ".binary(\(paths))"
    }
    return declared
      + flagged.map { isSpatial ? ".binary(\(keyPaths([$0.name])))" : keyPaths([$0.name]) }
  }

  private func keyPaths(_ names: [String]) -> String {
    "[\(names.map { "\\.\(SwiftIdentifier.spelled($0))" }.joined(separator: ", "))]"
  }

  /// Whether a macro or option needs iOS 18.
  var needsSystem18: Bool {
    !freestanding.isEmpty || entity.attributes.contains(where: \.isPreservedAfterDeletion)
  }
}

// MARK: - Initialiser

extension ClassText {
  private var mandatory: [StoredProperty] { properties.filter(\.isMandatory) }

  private var parent: ClassText? {
    entity.superentityName.flatMap { model[$0] }.map {
      ClassText(entity: $0, model: model, names: names, pairs: pairs)
    }
  }

  /// The mandatory properties, inherited ones first.
  private var parameters: [StoredProperty] { (parent?.parameters ?? []) + mandatory }

  private var initializer: [String] {
    let inherited = parent?.parameters ?? []
    let all = parameters.map(\.parameter)
    let isOverride = parent != nil && mandatory.isEmpty
    let head = "\(isOverride ? "override " : "")init("
    let line = "\(head)\(all.joined(separator: ", "))) {"
    let heading =
      line.count <= 96
      ? [line]
      : [head] + all.enumerated().map { "  \($1)\($0 == all.count - 1 ? "" : ",")" } + [") {"]
    let assignments = mandatory.map { "  self.\($0.name) = \($0.name)" }
    let arguments = inherited.map { "\($0.label): \($0.name)" }.joined(separator: ", ")
    return heading + assignments + (parent == nil ? [] : ["  super.init(\(arguments))"]) + ["}"]
  }
}
