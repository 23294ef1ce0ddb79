package import StoreFormat
import Migrations

extension ProgramBuilder {
  package func action(for table: JoinTable) throws(ProgramError) -> TableAction {
    let end = try relinked(table.first.relationship, of: table.first.entity)
    guard end == nil, let match = sourceJoin(of: table) else {
      if table.first.entity == table.second.entity, restored?.table(named: table.name) == nil {
        throw .unsupported(
          .newSameEntityRelationship(
            PropertyPath(entity: table.first.entity, property: table.first.relationship)))
      }
      if let end { return .rejoin(JoinProgram(table: table, relinked: join(end, to: table))) }
      return .rejoin(
        JoinProgram(
          table: table, sourceTable: nil, sourceColumns: table.columnNames.map { _ in nil }))
    }
    let columns: [String?] =
      [match.first.keyColumn, match.second.keyColumn]
      + (table.first.orderingColumn == nil ? [] : [match.first.orderingColumn])
      + (table.second.orderingColumn == nil ? [] : [match.second.orderingColumn])
    let moved = try movedLinks(between: [match.first.entity, match.second.entity], in: table)
    // An order that goes has a column of its own.
    let isSame = columns == table.columnNames && match.table.columnNames.count == columns.count
    if isSame && match.table.name == table.name && moved == nil {
      return .carry(name: table.name)
    }
    return .rejoin(
      JoinProgram(
        table: table, sourceTable: match.table.name, sourceColumns: columns, moved: moved))
  }

  private func join(_ end: RelinkedEnd, to table: JoinTable) -> RelinkedJoin {
    let owners = [table.first, table.second].enumerated()
      .filter { $1.orderingColumn != nil }.map { end.isOwner ? $0.offset : 1 - $0.offset }
    return RelinkedJoin(links: end.links, isReversed: !end.isOwner, positions: owners)
  }

  private func sourceJoin(
    of table: JoinTable
  ) -> (table: JoinTable, first: JoinTable.Side, second: JoinTable.Side)? {
    let first = sourceSide(of: table.first)
    for candidate in sourceLayout.joinTables {
      if candidate.first.matches(first) {
        return (candidate, candidate.first, candidate.second)
      }
      if candidate.second.matches(first) {
        return (candidate, candidate.second, candidate.first)
      }
    }
    return nil
  }

  private func sourceSide(of side: JoinTable.Side) -> (entity: String, relationship: String)? {
    guard let entity = lineage.entities[side.entity], let source = entity.source,
      let name = entity.relationships[side.relationship]?.source?.name
    else { return nil }
    return (source, name)
  }
}

extension Lineage {
  /// Returns the names of kept join tables within one entity, with the target's entity numbers.
  ///
  /// No known rule says which of the two relationships names the table, so the store's name is
  /// kept.
  func namesOfKeptJoinTables(
    _ source: StoreLayout, _ target: EntityNumbering
  ) -> Set<String> {
    var names: Set<String> = []
    for table in source.joinTables where table.first.entity == table.second.entity {
      for (name, entity) in entities where entity.source == table.first.entity {
        let relationship = entity.relationships.first {
          $0.value.source?.name == table.first.relationship
        }?.key
        guard let relationship, let number = target.number(of: name) else { continue }
        names.insert("Z_\(number)\(relationship.uppercased())")
      }
    }
    return names
  }
}

extension JoinTable.Side {
  package func matches(_ side: (entity: String, relationship: String)?) -> Bool {
    side.map { $0.entity == entity && $0.relationship == relationship } ?? false
  }
}
