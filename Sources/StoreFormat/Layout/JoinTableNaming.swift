import StoreModel

/// Determines the names of join tables and their columns.
///
/// See `StoreFormat.md` §6.4. The column with an entity's key is named after the relationship that
/// points to the entity. Equal names get numbers, in the order of the entity's relationships. Real
/// stores have `Z_23USERS` for `reactions` and `Z_23USERS1` for `systemMessages`.
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
          second: side(second, column: columns[second] ?? "")))
    }
    return tables
  }

  /// All ends, ordered by entity number and relationship name.
  private var ends: [End] {
    numbering.names.flatMap { name in
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
      guard let number = numbering.number(of: end.entity),
        let inverse = end.relationship.inverseName
      else { continue }
      columns[end] = names.claim("Z_\(number)\(inverse.uppercased())")
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

  /// Orders two ends by entity number; within one entity, by the table name that the store has.
  private func ordered(_ left: End, _ right: End) -> (End, End) {
    let (leftNumber, rightNumber) = (
      numbering.number(of: left.entity) ?? 0, numbering.number(of: right.entity) ?? 0
    )
    if leftNumber != rightNumber { return leftNumber < rightNumber ? (left, right) : (right, left) }
    let rightName = "Z_\(rightNumber)\(right.relationship.name.uppercased())"
    return existing.contains(rightName) ? (right, left) : (left, right)
  }

  private func side(_ end: End, column: String) -> JoinTable.Side {
    // The destinations of the other end are this end's rows, so the other end determines the order.
    let isOrdered = opposite(of: end)?.relationship.isOrdered ?? false
    return JoinTable.Side(
      entity: end.entity, relationship: end.relationship.name, keyColumn: column,
      orderingColumn: isOrdered ? "Z_FOK_" + column.dropFirst(2) : nil)
  }
}
