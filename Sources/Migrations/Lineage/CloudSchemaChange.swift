package import StoreModel

/// A change of a model that a production schema of CloudKit can't follow.
///
/// Such a schema keeps its record types and fields. See `StoreFormat.md` §8.1.
package struct CloudSchemaChange: Hashable, Sendable {
  /// The kinds of changes; raw values are stable codes for scripts.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case renamed
    case removed
    case typeChanged = "type-changed"
  }

  package let kind: Kind

  /// The entity or property, in the names before the change.
  package let object: String

  /// The new name or type; `nil` for what is removed.
  package let newName: String?

  /// What changes, in words.
  package var words: String {
    switch kind {
    case .renamed: "\(object) is renamed to \(newName ?? "")"
    case .removed: "\(object) is removed"
    case .typeChanged: "\(object) becomes \(newName ?? "")"
    }
  }

  /// What follows for the records in the cloud.
  package var consequence: String {
    switch kind {
    case .renamed:
      "a production schema can't rename: the cloud gets a new record type or field, without the "
        + "values of the old one"
    case .removed:
      "a production schema can't remove: the record type or field stays in the cloud with its values"
    case .typeChanged:
      "a production schema can't change a field's type: values of the new type can't be uploaded"
    }
  }
}

extension Model {
  /// Returns the changes from this model to another that the cloud can't follow, by entity.
  ///
  /// - Parameters:
  ///   - target: The other model.
  ///   - lineage: The migration between them; `nil` if only equal names are the same.
  /// - Returns: The changes, in the order of this model.
  package func cloudSchemaChanges(to target: Model, by lineage: Lineage?) -> [CloudSchemaChange] {
    let lineage = lineage ?? Lineage(sameNamesOf: self, in: target)
    return entities.flatMap { entity -> [CloudSchemaChange] in
      let successors = lineage.entities.filter { $0.value.source == entity.name }
      guard let name = successors[entity.name] == nil ? successors.keys.min() : entity.name,
        let successor = successors[name]
      else { return [CloudSchemaChange(kind: .removed, object: entity.name, newName: nil)] }
      guard name == entity.name else {
        // To the cloud, it is another record type, and all fields are new.
        return [CloudSchemaChange(kind: .renamed, object: entity.name, newName: name)]
      }
      return entity.properties.compactMap { property in
        change(of: property, in: entity.name, to: target, successor)
      }
    }
  }

  private func change(
    of property: Property, in entity: String, to target: Model, _ lineage: Lineage.EntityLineage
  ) -> CloudSchemaChange? {
    guard let type = cloudType(of: property) else { return nil }
    let object = "\(entity).\(property.name)"
    let others = target.properties(of: entity)
    if let same = others.first(where: { $0.name == property.name }) {
      let new = target.cloudType(of: same)
      return new == nil || new == type
        ? nil : CloudSchemaChange(kind: .typeChanged, object: object, newName: new)
    }
    guard let name = lineage.successor(of: property) else {
      return CloudSchemaChange(kind: .removed, object: object, newName: nil)
    }
    return CloudSchemaChange(kind: .renamed, object: object, newName: name)
  }

  /// Returns the type of a property's field in the cloud; `nil` if it has no field.
  ///
  /// By Apple's table of field types. To-many relationships whose inverse is to-one have no field.
  private func cloudType(of property: Property) -> String? {
    switch property {
    case .fetched: return nil
    case .relationship(let relationship):
      let inverse = relationship.inverseName.flatMap {
        self.relationship(named: $0, of: relationship.destinationName)
      }?.relationship
      let hasField = !relationship.isToMany || inverse?.isToMany != false
      return relationship.isTransient || !hasField ? nil : "a relationship"
    case .attribute(let attribute):
      return attribute.isTransient ? nil : attribute.type.cloudName
    }
  }
}

extension Lineage {
  /// Creates the lineage of the entities that both models have.
  fileprivate init(sameNamesOf source: Model, in target: Model) {
    self.init(identityOf: source)
    entities = entities.filter { target[$0.key] != nil }
  }
}

extension Lineage.EntityLineage {
  /// Returns the name of the property that has a property's values now, or `nil`.
  fileprivate func successor(of property: Property) -> String? {
    switch property {
    case .fetched: nil
    case .relationship(let old):
      relationships.filter { $0.value.source?.name == old.name && $0.key != old.name }.keys.min()
    case .attribute(let old):
      cells.filter { cell in
        cell.key.topName != old.name && cell.value.cells.contains { $0.topName == old.name }
      }.keys.min()?.topName
    }
  }
}

extension String {
  /// The attribute of a path such as `unit.value`.
  fileprivate var topName: String { String(prefix { $0 != "." }) }
}

extension AttributeType {
  /// The type of a field in the cloud.
  fileprivate var cloudName: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "Int64"
    case .double, .float: "Double"
    case .string, .uuid, .uri: "String"
    case .date: "Date/Time"
    case .binary, .transformable: "Bytes"
    case .decimal, .composite, .codable, .objectID, .undefined: name
    }
  }
}
