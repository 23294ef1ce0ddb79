import StoreModel

/// Determines the columns of entity tables and their order.
struct TableNaming {
  let model: Model
  let numbering: EntityNumbering

  /// The to-many relationships without an inverse, by destination.
  private let inverseless: [String: [Inverseless]]

  private let superentities: Set<String>

  private struct Inverseless {
    let source: String
    let number: Int
    let relationship: Relationship
  }

  /// The columns of a table, by group: see ``AttributeType/columnGroup``.
  private struct Draft {
    var names = UniqueNames(reserving: ["Z_PK", "Z_ENT", "Z_OPT"])
    var groups = [[Column]](repeating: [], count: AttributeType.columnGroupCount)
    var ordering: [Column] = []
  }

  init(model: Model, numbering: EntityNumbering) {
    self.model = model
    self.numbering = numbering
    var inverseless: [String: [Inverseless]] = [:]
    for source in numbering.names {
      guard let number = numbering.number(of: source) else { continue }
      for case .relationship(let relationship) in model[source]?.properties ?? []
      where relationship.isToMany && relationship.inverseName == nil && !relationship.isTransient {
        inverseless[relationship.destinationName, default: []].append(
          Inverseless(source: source, number: number, relationship: relationship))
      }
    }
    self.inverseless = inverseless
    superentities = Set(model.entities.compactMap(\.superentityName))
  }

  func table(root: String) -> Table {
    var draft = Draft()
    for entityName in numbering.tree(of: root) {
      guard let entity = model[entityName] else { continue }
      let relationships = entity.relationships.filter { !$0.isToMany && !$0.isTransient }
      addAttributeColumns(of: entity, to: &draft)
      addForeignKeyColumns(relationships, of: entity.name, to: &draft)
      addInverselessColumns(pointingTo: entity.name, to: &draft)
      addOrderingColumns(relationships, of: entity.name, to: &draft)
    }
    // Ordering columns follow all other integer columns.
    draft.groups[0] += draft.ordering
    // Within a group, columns keep the order in which they were added.
    let ordered = Array(draft.groups.joined())
    let system = [
      Column(name: "Z_PK", declaredType: "INTEGER", content: .primaryKey),
      Column(name: "Z_ENT", declaredType: "INTEGER", content: .entityNumber),
      Column(name: "Z_OPT", declaredType: "INTEGER", content: .optimisticLock),
    ]
    return Table(name: "Z" + root.uppercased(), rootEntity: root, columns: system + ordered)
  }

  private func addAttributeColumns(of entity: Entity, to draft: inout Draft) {
    for case .attribute(let attribute) in entity.properties where !attribute.isTransient {
      for leaf in attribute.leaves {
        let (path, leaf) = (leaf.path, leaf.attribute)
        guard let type = leaf.type.declaredType, !leaf.isTransient else { continue }
        let content = Column.Content.attribute(
          entity: entity.name, path: path, type: leaf.type)
        let name = draft.names.claim("Z" + leaf.name.uppercased())
        draft.groups[leaf.type.columnGroup].append(
          Column(name: name, declaredType: type, content: content))
      }
    }
  }

  private func addForeignKeyColumns(
    _ relationships: [Relationship], of entity: String, to draft: inout Draft
  ) {
    for relationship in relationships {
      let base = relationship.name.uppercased()
      draft.groups[0].append(
        Column(
          name: draft.names.claim("Z" + base), declaredType: "INTEGER",
          content: .foreignKey(entity: entity, relationship: relationship.name)))
      let destination = relationship.destinationName
      guard superentities.contains(destination), let number = numbering.number(of: destination)
      else { continue }
      draft.groups[0].append(
        Column(
          name: draft.names.claim("Z\(number)_\(base)"), declaredType: "INTEGER",
          content: .entityKey(entity: entity, relationship: relationship.name)))
    }
  }

  private func addInverselessColumns(pointingTo entity: String, to draft: inout Draft) {
    for link in inverseless[entity] ?? [] {
      let name = link.relationship.name
      draft.groups[0].append(
        Column(
          name: draft.names.claim("Z\(link.number)\(name.uppercased())"),
          declaredType: "INTEGER",
          content: .inverselessKey(source: link.source, relationship: name)))
      guard link.relationship.isOrdered else { continue }
      draft.ordering.append(
        Column(
          name: draft.names.claim("Z_FOK_\(link.number)\(name.uppercased())"),
          declaredType: "INTEGER",
          content: .inverselessOrdering(source: link.source, relationship: name)))
    }
  }

  /// Adds the columns for positions in ordered to-many relationships.
  private func addOrderingColumns(
    _ relationships: [Relationship], of entity: String, to draft: inout Draft
  ) {
    for relationship in relationships {
      guard let inverse = inverse(of: relationship), inverse.isToMany, inverse.isOrdered else {
        continue
      }
      draft.ordering.append(
        Column(
          name: draft.names.claim("Z_FOK_" + relationship.name.uppercased()),
          declaredType: "INTEGER",
          content: .ordering(entity: entity, relationship: relationship.name)))
    }
  }

  private func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.inverseName else { return nil }
    return model.relationship(named: name, of: relationship.destinationName)?.relationship
  }
}

/// Makes names unique in a table by appending numbers: `ZNAME`, `ZNAME1`, `ZNAME2`.
///
/// See `StoreFormat.md` §5.4.
struct UniqueNames {
  private var taken: Set<String>

  init(reserving names: Set<String> = []) {
    taken = names
  }

  /// Returns the name, with the first free number if the name is taken.
  mutating func claim(_ name: String) -> String {
    var candidate = name
    var number = 0
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = name + String(number)
    }
    return candidate
  }
}
