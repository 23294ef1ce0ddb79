import StoreModel

/// Names the columns of entity tables and puts them in order.
struct TableNaming {
  let model: Model
  let numbering: EntityNumbering

  /// A column with its name, and what decides its place.
  private struct Placed {
    let column: Column
    let group: Int
  }

  func table(root: String) -> Table {
    var names = UniqueNames(reserving: ["Z_PK", "Z_ENT", "Z_OPT"])
    var placed: [Placed] = []
    var ordering: [Placed] = []
    for entityName in numbering.tree(of: root) {
      guard let entity = model[entityName] else { continue }
      placed += attributeColumns(of: entity, names: &names)
      placed += foreignKeyColumns(of: entity, names: &names)
      placed += inverselessColumns(pointingTo: entity, names: &names)
      ordering += orderingColumns(of: entity, names: &names)
    }
    // The sort is stable: within a group, the order in which the properties were met stays.
    let ordered = (placed + ordering).enumerated()
      .sorted { ($0.element.group, $0.offset) < ($1.element.group, $1.offset) }
      .map(\.element.column)
    let system = [
      Column(name: "Z_PK", declaredType: "INTEGER", content: .primaryKey),
      Column(name: "Z_ENT", declaredType: "INTEGER", content: .entityNumber),
      Column(name: "Z_OPT", declaredType: "INTEGER", content: .optimisticLock),
    ]
    return Table(name: "Z" + root.uppercased(), rootEntity: root, columns: system + ordered)
  }

  private func attributeColumns(of entity: Entity, names: inout UniqueNames) -> [Placed] {
    var columns: [Placed] = []
    for attribute in entity.attributes where !attribute.isTransient {
      for leaf in attribute.leaves {
        let (path, leaf) = (leaf.path, leaf.attribute)
        guard let type = leaf.type.declaredType, !leaf.isTransient else { continue }
        let content = Column.Content.attribute(
          entity: entity.name, path: path, type: leaf.type)
        let name = names.claim("Z" + leaf.name.uppercased())
        columns.append(
          Placed(
            column: Column(name: name, declaredType: type, content: content),
            group: leaf.type.columnGroup))
      }
    }
    return columns
  }

  private func foreignKeyColumns(of entity: Entity, names: inout UniqueNames) -> [Placed] {
    var columns: [Placed] = []
    for relationship in entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      let base = relationship.name.uppercased()
      let key = Column(
        name: names.claim("Z" + base), declaredType: "INTEGER",
        content: .foreignKey(entity: entity.name, relationship: relationship.name))
      columns.append(Placed(column: key, group: 0))
      let destination = relationship.destinationName
      guard hasSubentities(destination), let number = numbering.number(of: destination) else {
        continue
      }
      let entityKey = Column(
        name: names.claim("Z\(number)_\(base)"), declaredType: "INTEGER",
        content: .entityKey(entity: entity.name, relationship: relationship.name))
      columns.append(Placed(column: entityKey, group: 0))
    }
    return columns
  }

  private func inverselessColumns(pointingTo entity: Entity, names: inout UniqueNames) -> [Placed] {
    var columns: [Placed] = []
    for sourceName in numbering.names {
      guard let source = model[sourceName], let number = numbering.number(of: sourceName) else {
        continue
      }
      for relationship in source.relationships
      where relationship.isToMany && relationship.inverseName == nil && !relationship.isTransient
        && relationship.destinationName == entity.name
      {
        let column = Column(
          name: names.claim("Z\(number)\(relationship.name.uppercased())"), declaredType: "INTEGER",
          content: .inverselessKey(source: sourceName, relationship: relationship.name))
        columns.append(Placed(column: column, group: 0))
      }
    }
    return columns
  }

  /// The columns of places in ordered to-many relationships: with the row, after other integers.
  private func orderingColumns(of entity: Entity, names: inout UniqueNames) -> [Placed] {
    var columns: [Placed] = []
    for relationship in entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      guard let inverse = inverse(of: relationship), inverse.isToMany, inverse.isOrdered else {
        continue
      }
      let column = Column(
        name: names.claim("Z_FOK_" + relationship.name.uppercased()), declaredType: "INTEGER",
        content: .ordering(entity: entity.name, relationship: relationship.name))
      columns.append(Placed(column: column, group: 0))
    }
    return columns
  }

  private func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.inverseName else { return nil }
    return model.relationship(named: name, of: relationship.destinationName)?.relationship
  }

  private func hasSubentities(_ entity: String) -> Bool {
    model.entities.contains { $0.superentityName == entity }
  }
}

/// Names in one table, told apart by numbers: `ZNAME`, `ZNAME1`, `ZNAME2`.
///
/// See `StoreFormat.md` §5.4.
struct UniqueNames {
  private var taken: Set<String>

  init(reserving names: Set<String> = []) {
    taken = names
  }

  /// Returns the name, with the first number that is free if it is taken.
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
