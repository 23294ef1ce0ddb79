package import JSONText
import Platform

extension SchemaFile {
  /// The text of the schema file, one property on each line.
  ///
  /// Default values are left out. Parsing the text gives an equal schema.
  package var text: String { json.text(.pretty(inlineWidth: 240)) + "\n" }

  /// The schema as JSON.
  package var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("format_version", .int(Self.formatVersion)), .init("app", .string(app)),
      .init("version", .string(version)),
    ]
    if let note { members.append(.init("note", .string(note))) }
    members.append(.init("identifiers", .array(model.versionIdentifiers.map { .string($0) })))
    if model.dialect != .swiftData {
      members.append(.init("dialect", .string(model.dialect.rawValue)))
    }
    if !hasDefaultConfigurations {
      let sorted = model.configurations.sorted { $0.key.precedes($1.key) }
      members.append(
        .init(
          "configurations",
          .object(sorted.map { .init($0.key, .array($0.value.map { .string($0) })) })))
    }
    members.append(.init("entities", .array(model.entities.map(\.schema))))
    if let capture {
      let hashes = VersionHashes(model)
      members.append(
        .init(
          "hashes",
          .object(
            model.entities.map { entity in
              .init(entity.name, .string(Hexadecimal.encode(hashes.entities[entity.name] ?? [])))
            })))
      members.append(.init("model_cache", .string(base64Encoded(capture.modelCache))))
    }
    return .object(members)
  }

  private var hasDefaultConfigurations: Bool {
    let defaults: [String: [String]] =
      model.dialect == .coreData ? [:] : ["default": model.entities.map(\.name)]
    return model.configurations == defaults
  }
}

extension Entity {
  fileprivate var schema: JSONValue {
    var members: [JSONValue.Member] = [.init("name", .string(name))]
    members.add("class", className)
    members.add("abstract", isAbstract)
    members.add("parent", superentityName)
    members.add("attributes", attributes.map { $0.schema })
    members.add("relationships", relationships.map { $0.schema })
    members.add(
      "fetched",
      properties.compactMap { if case .fetched(let name) = $0 { .string(name) } else { nil } })
    members.add("unique", uniquenessConstraints.map { .array($0.map { .string($0) }) })
    members.add("indexes", indexes.map(\.schema))
    members.add("compound_indexes", compoundIndexes.map { .array($0.map { .string($0) }) })
    members.add("renamed_from", renamingIdentifier)
    members.add("hash_modifier", versionHashModifier)
    if !userInfo.isEmpty { members.append(.init("info", userInfo.json)) }
    return .object(members)
  }
}

extension FetchIndex {
  fileprivate var schema: JSONValue {
    .object([
      .init("name", .string(name)),
      .init(
        "elements",
        .array(
          elements.map { element in
            var members: [JSONValue.Member] = [.init("property", .string(element.propertyName))]
            members.add("descending", !element.isAscending)
            if element.collationType != 0 {
              members.append(.init("kind", .int(Int64(element.collationType))))
            }
            return .object(members)
          })),
    ])
  }
}

extension Attribute {
  fileprivate var schema: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("type", .string(type.name)),
    ]
    members.add("optional", isOptional)
    members.add("transient", isTransient)
    members.add("read_only", isReadOnly)
    members.add("indexed", isIndexed)
    members.add("derived", isDerived)
    if let defaultValue { members.append(.init("default", defaultValue.json)) }
    members.add("class", valueClassName == type.valueClassName ? nil : valueClassName)
    members.add("transformer", valueTransformerName)
    members.add("external", allowsExternalStorage)
    members.add("preserved", isPreservedAfterDeletion)
    if otherFlags != 0 { members.append(.init("flags", .int(Int64(otherFlags)))) }
    members.add("renamed_from", renamingIdentifier)
    members.add("hash_modifier", versionHashModifier)
    if !userInfo.isEmpty { members.append(.init("info", userInfo.json)) }
    members.add("elements", elements.map { $0.schema })
    return .object(members)
  }
}

extension Relationship {
  fileprivate var schema: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("to", .string(destinationName)),
    ]
    members.add("inverse", inverseName)
    members.add("many", isToMany)
    if maxCount != 0 && maxCount != 1 { members.append(.init("max", .int(Int64(maxCount)))) }
    if minCount != 0 { members.append(.init("min", .int(Int64(minCount)))) }
    members.add("ordered", isOrdered)
    members.add("optional", isOptional)
    members.add("transient", isTransient)
    if deleteRule != .nullify { members.append(.init("delete", .string(deleteRule.name))) }
    members.add("renamed_from", renamingIdentifier)
    members.add("hash_modifier", versionHashModifier)
    if !userInfo.isEmpty { members.append(.init("info", userInfo.json)) }
    return .object(members)
  }
}

extension [JSONValue.Member] {
  fileprivate mutating func add(_ key: String, _ text: String?) {
    if let text { append(.init(key, .string(text))) }
  }

  fileprivate mutating func add(_ key: String, _ flag: Bool) {
    if flag { append(.init(key, .bool(true))) }
  }

  fileprivate mutating func add(_ key: String, _ values: [JSONValue]) {
    if !values.isEmpty { append(.init(key, .array(values))) }
  }
}
