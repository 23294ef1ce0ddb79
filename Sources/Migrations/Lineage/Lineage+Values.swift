import SQLite
import StoreFormat
import StoreModel

extension Lineage {
  /// Replaces the values of an attribute by those of a table.
  mutating func map(
    _ path: PropertyPath, by map: ValueMap, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let cell = try singleCell(of: path, in: context)
    let type = try entity(path.entity, in: context).types[cell.path]?.type
    guard
      case .attribute(let attribute) = try context.targetProperty(path, names),
      let leaf = attribute.leaves.first
    else { throw .wrongValue(path, type: "a value of an attribute", in: context.migration) }
    guard let type else {
      throw .wrongInput(path, type: "unknown", converter: "map", in: context.migration)
    }
    try checkKeys(of: map, type, path, context)
    let forward = try formula(map, over: cell.path, of: type, to: leaf.attribute, path, context)
    let old = Attribute(name: path.property, type: type)
    let back = try formula(
      map.inverse(), over: leaf.cellName(under: path.property), of: leaf.attribute.type, to: old,
      path, context)
    let classes = try classes(of: map, over: cell.path, of: type, path, context)
    try compute(path, by: forward, classes: classes, inverse: back, in: context, names: names)
  }

  /// Throws if two keys of a table are the same value, such as `1` and `1.0`.
  private func checkKeys(
    of map: ValueMap, _ type: AttributeType, _ path: PropertyPath, _ context: StepContext
  ) throws(LineageError) {
    var keys: [String: String] = [:]
    for pair in map.pairs {
      let literal = try key(pair, type, path, context)
      let value = literal == "-0.0" ? "0.0" : literal
      guard let other = keys.updateValue(pair.key, forKey: value) else { continue }
      throw .sameKey(path, other, pair.key, in: context.migration)
    }
  }

  /// Returns the class of a value by a table.
  private func classes(
    of map: ValueMap, over cell: String, of type: AttributeType, _ path: PropertyPath,
    _ context: StepContext
  ) throws(LineageError) -> ValueClasses {
    let name = quoteIdentifier(cell)
    var lines = ""
    for pair in map.pairs { lines += "WHEN \(try key(pair, type, path, context)) THEN 'mapped' " }
    let other =
      switch map.otherwise {
      case .refuse: "refused"
      case .keep: "kept"
      case .value: "else"
      }
    let inner = lines.isEmpty ? "'\(other)'" : "CASE \(name) \(lines)ELSE '\(other)' END"
    return ValueClasses(
      formula: Formula("CASE WHEN \(name) IS NULL THEN 'nil' ELSE \(inner) END"),
      names: ["mapped"] + (other == "refused" ? [] : [other]) + ["nil"],
      refusal: "has a value that 'values' doesn't name")
  }

  private func key(
    _ pair: ValueMap.Pair, _ type: AttributeType, _ path: PropertyPath, _ context: StepContext
  ) throws(LineageError) -> String {
    guard let key = type.literal(of: pair.key) else {
      throw .wrongValue(path, type: type.name, in: context.migration)
    }
    return key
  }

  /// Returns a table as a formula, which is NULL for a value that refuses a row.
  private func formula(
    _ map: ValueMap, over cell: String, of type: AttributeType, to leaf: Attribute,
    _ path: PropertyPath, _ context: StepContext
  ) throws(LineageError) -> Formula {
    let name = quoteIdentifier(cell)
    var lines: [String] = []
    for pair in map.pairs {
      let key = try key(pair, type, path, context)
      lines.append("WHEN \(key) THEN \(try literal(pair.value, leaf, path, context))")
    }
    let otherwise =
      switch map.otherwise {
      case .refuse: "NULL"
      case .keep: name
      case .value(let value): try literal(value, leaf, path, context)
      }
    guard !lines.isEmpty else { return Formula("NULL") }
    return Formula(
      "CASE WHEN \(name) IS NOT NULL THEN CASE \(name) \(lines.joined(separator: " ")) "
        + "ELSE \(otherwise) END END")
  }

  /// Returns a value as the attribute's column stores it, in SQL.
  func literal(
    _ value: ModelValue, _ leaf: Attribute, _ path: PropertyPath, _ context: StepContext
  ) throws(LineageError) -> String {
    if case .string(let text) = value, let literal = leaf.type.literal(of: text) { return literal }
    guard value.fits(leaf.type), let stored = value.stored(as: leaf) else {
      throw .wrongValue(path, type: leaf.type.name, in: context.migration)
    }
    return stored.literal
  }

  /// Adds an attribute with a UUID for each row.
  mutating func addUUID(
    _ path: PropertyPath, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    var entity = try entity(path.entity, in: context)
    guard entity.paths(of: path.property).isEmpty, entity.relationships[path.property] == nil else {
      throw .exists(path.description, in: context.migration)
    }
    guard
      case .attribute(let attribute) = try context.targetProperty(path, names),
      attribute.type == .uuid || attribute.type == .string
    else { throw .wrongValue(path, type: "a UUID or a text", in: context.migration) }
    entity.set(
      path.property, to: .newUUID(path, isText: attribute.type == .string),
      of: StoredType(of: attribute))
    entities[path.entity] = entity
  }

  /// Notes what must hold for the rows of an entity.
  mutating func require(
    _ formula: Formula, of name: String, because reason: String, in context: StepContext,
    names: TargetNames
  ) throws(LineageError) {
    requirements.append(
      try computation(
        formula, of: .boolean, isOptional: false, for: PropertyPath(entity: name, property: name),
        as: .requirement(reason), in: context, names: names))
  }
}

extension AttributeType {
  /// Returns the key of a table as a value of this type in SQL; `nil` if it isn't one.
  fileprivate func literal(of key: String) -> String? {
    switch self {
    case .string, .uri: Value.text(key).literal
    case .integer16, .integer32, .integer64, .boolean: Int64(key).map { Value.integer($0).literal }
    case .double, .float, .decimal: Double(key).map { Value.real($0).literal }
    case .uuid: uuidBytes(key).map { Value.blob($0).literal }
    case .undefined, .date, .binary, .transformable, .objectID, .composite, .codable: nil
    }
  }
}
