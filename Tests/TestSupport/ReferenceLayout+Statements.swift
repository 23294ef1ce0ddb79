import StoreModel

extension ReferenceLayout {
  /// A join table (§6.4).
  package struct Join: Hashable {
    package let table: String
    package let columns: [String]

    /// The entities whose keys the first two columns hold.
    package let entities: [String]

    /// The relationships of these entities.
    package let links: [String]

    package var statement: String {
      let columns = columns.map { "\($0) INTEGER" } + ["PRIMARY KEY (\(keys))"]
      return "CREATE TABLE \(table) ( \(columns.joined(separator: ", ")) )"
    }

    package var indexStatement: String {
      """
      CREATE INDEX \(table)_\(columns[1])_INDEX ON \(table) (\(columns[1]), \(columns[0]))
      """
    }

    private var keys: String { columns.prefix(2).joined(separator: ", ") }
  }

  /// The statements of the entities' tables, in the order of their numbers.
  package var tableStatements: [String] {
    roots.map { root in
      let columns = (cells[root] ?? []).map { "\($0.name) \($0.type)" }
      return "CREATE TABLE \(table(root)) ( \(columns.joined(separator: ", ")) )"
    }
  }

  /// Returns the join tables; of a pair within one entity, the side that a store has names them.
  package func joins(in store: Set<String>) -> [Join] {
    // §6.4: by name, a super-entity before its first visited sub-entity.
    var visited: [String] = []
    for name in names.sorted(by: { $0.lowercased() < $1.lowercased() }) {
      visited += ancestry(name).reversed().filter { !visited.contains($0) }
    }
    var counts: [String: Int] = [:]
    var columns: [[String]: String] = [:]
    for entity in visited {
      for (link, owner, _) in pairs(of: entity) {
        let name = "Z_\(number(owner))\(link.name.uppercased())"
        let count = counts[name, default: 0]
        counts[name] = count + 1
        columns[[entity, link.name]] = count == 0 ? name : "\(name)\(count)"
      }
    }
    var done: Set<[String]> = []
    var joins: [Join] = []
    for entity in visited {
      for (link, owner, back) in pairs(of: entity) where !done.contains([entity, link.name]) {
        let table = "Z_\(number(entity))\(link.name.uppercased())"
        // §6.4: no rule says which side of a pair within one entity names its table.
        if owner == entity, back.name != link.name, !store.contains(table) { continue }
        done.formUnion([[entity, link.name], [owner, back.name]])
        let isReflexive = owner == entity && back.name == link.name
        let own = columns[[entity, link.name]] ?? ""
        let keys =
          isReflexive ? [own, "REFLEXIVE"] : [columns[[owner, back.name]] ?? "", own]
        let sides = isReflexive ? [(link, owner)] : [(back, entity), (link, owner)]
        let orders = sides.filter { $0.0.isOrdered }.map { side, destination in
          "Z_FOK_\(number(destination))\(side.name.uppercased())"
        }
        joins.append(
          Join(
            table: table, columns: keys + orders, entities: [entity, owner],
            links: [link.name, back.name]))
      }
    }
    return joins
  }

  /// Returns an entity's own many-to-many relationships, the owners of the inverses, and these.
  private func pairs(of entity: String) -> [(Relationship, owner: String, back: Relationship)] {
    (model[entity]?.relationships ?? []).compactMap { link in
      guard link.maxCount != 1, !link.isTransient, let (owner, back) = inverse(link),
        back.maxCount != 1
      else { return nil }
      return (link, owner, back)
    }
  }

  /// The statements of all indexes on the entities' tables, by the lower-case name (§7).
  ///
  /// Of several of one name, one is there.
  package var indexStatements: [String: [String]] {
    var found: [String: [String]] = [:]
    func add(_ name: String, _ rest: String, isUnique: Bool = false) {
      found[name.lowercased(), default: []]
        .append("CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(rest)")
    }
    for entity in names.compactMap({ model[$0] }) {
      let table = table(entity.name)
      for constraint in entity.uniquenessConstraints {
        let columns = constraint.map { ordered(column($0, entity.name), isAscending: true) }
        add(
          "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))",
          "\(table) (\(columns.joined(separator: ", ")))", isUnique: true)
      }
    }
    for entity in names.compactMap({ model[$0] }) {
      // A relationship's column has an index of its own.
      let links = Set(ancestry(entity.name).flatMap { model[$0]?.relationships.map(\.name) ?? [] })
      for index in entity.indexes
      where index.elements.count > 1 || !links.contains(index.elements[0].propertyName) {
        let columns = index.elements.map {
          ordered(column($0.propertyName, entity.name), isAscending: $0.isAscending)
        }
        add(
          "Z_\(entity.name)_\(index.name)",
          "\(table(entity.name)) (\(columns.joined(separator: ", ")))")
      }
    }
    for root in roots {
      let table = table(root)
      if tree(root).count > 1 { add("\(table)_Z_ENT_INDEX", "\(table) (Z_ENT)") }
      // Entity keys and ordering columns have no index.
      for cell in cells[root] ?? [] where [.key, .holder].contains(cell.role) {
        add("\(table)_\(cell.name)_INDEX", "\(table) (\(cell.name))")
      }
    }
    return found
  }

  private func ordered(_ column: String, isAscending: Bool) -> String {
    "\(column) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
  }

  private func column(_ property: String, _ entity: String) -> String {
    cells(of: property, in: entity).first?.name ?? "?"
  }
}
