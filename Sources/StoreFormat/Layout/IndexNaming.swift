import StoreModel

/// Determines the indexes of a model.
///
/// See `StoreFormat.md` §7.
struct IndexNaming {
  let model: Model
  let numbering: EntityNumbering
  let tables: [Table]
  let joinTables: [JoinTable]

  var indexes: [IndexLayout] {
    Self.united(
      tables.flatMap { table -> [IndexLayout] in
        let tree = numbering.tree(of: table.rootEntity)
        var indexes = keyIndexes(of: table)
        indexes += joinTables.filter { tree.contains($0.first.entity) }.map(Self.index(of:))
        indexes += entityIndex(of: table, tree: tree)
        indexes += tree.flatMap { declaredIndexes(of: $0, table: table) }
        return indexes
      })
  }

  /// The indexes of attributes that a model without fetch indexes marks as indexed.
  var attributeIndexes: [IndexLayout] {
    guard model.entities.allSatisfy(\.indexes.isEmpty),
      model.entities.contains(where: { $0.attributes.contains(where: \.isIndexed) })
    else { return [] }
    return tables.flatMap { table in
      table.columns.compactMap { column in
        guard case .attribute(let entity, let path, _) = column.content, path.count == 1,
          case .attribute(let attribute) = model[entity]?[path[0]], attribute.isIndexed
        else { return nil }
        return plainIndex(on: column.name, of: table)
      }
    }
  }

  /// Returns one index of each name, without regard to case, as SQLite has them.
  ///
  /// A model can describe an index twice, and `A_B` with `c` gives the name of `A` with `B_c`. The
  /// first one stays, unless only another is unique.
  private static func united(_ indexes: [IndexLayout]) -> [IndexLayout] {
    var places: [String: Int] = [:]
    var united: [IndexLayout] = []
    for index in indexes {
      if let place = places[index.name.lowercased()] {
        if index.isUnique && !united[place].isUnique { united[place] = index }
      } else {
        places[index.name.lowercased()] = united.count
        united.append(index)
      }
    }
    return united
  }

  private func keyIndexes(of table: Table) -> [IndexLayout] {
    table.columns.compactMap { column in
      switch column.content {
      case .foreignKey, .inverselessKey: plainIndex(on: column.name, of: table)
      default: nil
      }
    }
  }

  private func entityIndex(of table: Table, tree: [String]) -> [IndexLayout] {
    tree.count > 1 ? [plainIndex(on: "Z_ENT", of: table)] : []
  }

  private func plainIndex(on column: String, of table: Table) -> IndexLayout {
    IndexLayout(
      name: "\(table.name)_\(column)_INDEX", table: table.name, columns: [column], isUnique: false,
      ascending: nil)
  }

  private func declaredIndexes(of entityName: String, table: Table) -> [IndexLayout] {
    guard let entity = model[entityName] else { return [] }
    let unique = entity.uniquenessConstraints.map { names in
      IndexLayout(
        name: "Z_\(entityName)_UNIQUE_\(names.joined(separator: "_"))", table: table.name,
        columns: names.flatMap { columns(of: $0, entity: entityName, table: table) },
        isUnique: true,
        ascending: nil)
    }
    let plain = entity.indexes.filter { !$0.isSpatial && !isForeignKey($0, of: entityName) }
    let fetch = plain.map { index in
      let elements = index.elements.flatMap { element in
        columns(of: element.propertyName, entity: entityName, table: table)
          .map { ($0, element.isAscending) }
      }
      return IndexLayout(
        name: "Z_\(entityName)_\(index.name)", table: table.name, columns: elements.map(\.0),
        isUnique: false, ascending: elements.map(\.1))
    }
    return (fetch + unique.map(\.collated)).filter { !$0.columns.isEmpty }
  }

  /// Returns whether an index covers a single relationship, whose key column has an index anyway.
  ///
  /// Core Data doesn't create a second one. Observed in Accounts3, whose model declares four.
  private func isForeignKey(_ index: FetchIndex, of entity: String) -> Bool {
    guard index.elements.count == 1 else { return false }
    return model.relationship(named: index.elements[0].propertyName, of: entity) != nil
  }

  /// Returns the columns of a property that an entity declares or inherits.
  private func columns(of property: String, entity: String, table: Table) -> [String] {
    for owner in model.chain(from: entity) {
      let columns = table.columns.filter { $0.holds(property: property, of: owner) }
      if !columns.isEmpty { return columns.map(\.name) }
    }
    return []
  }

  private static func index(of table: JoinTable) -> IndexLayout {
    IndexLayout(
      name: "\(table.name)_\(table.second.keyColumn)_INDEX", table: table.name,
      columns: [table.second.keyColumn, table.first.keyColumn], isUnique: false, ascending: nil)
  }
}

extension IndexLayout {
  fileprivate var collated: IndexLayout {
    IndexLayout(
      name: name, table: table, columns: columns, isUnique: isUnique,
      ascending: columns.map { _ in true })
  }
}

extension Column {
  fileprivate func holds(property: String, of entity: String) -> Bool {
    switch content {
    case .attribute(let owner, let path, _): owner == entity && path.first == property
    case .foreignKey(let owner, let name): owner == entity && name == property
    default: false
    }
  }
}
