import StoreModel

/// Determines the names of join tables and their columns.
///
/// See `StoreFormat.md` §6.4. The column with an entity's key is named after the relationship that
/// points to the entity. Of a pair, the side visited first names the table and has the first column.
/// Equal names get numbers, in the order in which the owners of the relationships are visited. Real
/// stores have `Z_23USERS` for `Reaction.users` and `Z_23USERS1` for `SystemMessage.users`. If a
/// relationship is its own inverse, the second column is `REFLEXIVE`.
struct JoinTableNaming {
  let model: Model
  let numbering: EntityNumbering
  let existing: Set<String>

  /// A relationship of a many-to-many pair.
  private struct End: Hashable {
    let entity: String
    let relationship: Relationship
  }

  var joinTables: [JoinTable] {
    let columns = keyColumns
    var done: Set<[String]> = []
    var tables: [JoinTable] = []
    for end in ends {
      guard let other = opposite(of: end) else { continue }
      let pair = [end, other].map { $0.entity + "." + $0.relationship.name }.sorted()
      guard done.insert(pair).inserted else { continue }
      let (first, second) = ordered(end, other)
      guard let number = numbering.number(of: first.entity) else { continue }
      tables.append(
        JoinTable(
          name: "Z_\(number)\(first.relationship.name.uppercased())",
          first: side(first, column: columns[first] ?? ""),
          second: side(second, column: first == second ? "REFLEXIVE" : columns[second] ?? "")))
    }
    return tables
  }

  /// The names of all entities, without regard to case, but none before its super-entity.
  private var visited: [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for name in numbering.names.sorted(by: EntityNumbering.areInOrder) {
      for visited in model.chain(from: name).reversed() where seen.insert(visited).inserted {
        names.append(visited)
      }
    }
    return names
  }

  /// All ends, in the order in which their entities are visited, then by relationship name.
  private var ends: [End] {
    visited.flatMap { name in
      (model[name]?.relationships ?? [])
        .filter { $0.isToMany && !$0.isTransient }
        .map { End(entity: name, relationship: $0) }
        .filter { opposite(of: $0) != nil }
    }
  }

  private var keyColumns: [End: String] {
    var columns: [End: String] = [:]
    var names = UniqueNames()
    for end in ends {
      guard let other = opposite(of: end), let number = numbering.number(of: other.entity) else {
        continue
      }
      columns[other] = names.claim("Z_\(number)\(end.relationship.name.uppercased())")
    }
    return columns
  }

  private func opposite(of end: End) -> End? {
    guard let name = end.relationship.inverseName,
      let inverse = model.relationship(named: name, of: end.relationship.destinationName),
      inverse.relationship.isToMany
    else { return nil }
    return End(entity: inverse.entity, relationship: inverse.relationship)
  }

  /// Orders two ends, of which the left one is visited first.
  ///
  /// Within one entity, the side that names the store's table is the first.
  private func ordered(_ left: End, _ right: End) -> (End, End) {
    guard left.entity == right.entity, let number = numbering.number(of: right.entity) else {
      return (left, right)
    }
    let rightName = "Z_\(number)\(right.relationship.name.uppercased())"
    return existing.contains(rightName) ? (right, left) : (left, right)
  }

  private func side(_ end: End, column: String) -> JoinTable.Side {
    // The destinations of the other end are this end's rows, so the other end determines the order.
    let isOrdered = opposite(of: end)?.relationship.isOrdered ?? false
    return JoinTable.Side(
      entity: end.entity, relationship: end.relationship.name, keyColumn: column,
      orderingColumn: isOrdered ? "Z_FOK_" + column.trimmingPrefix("Z_") : nil)
  }
}
