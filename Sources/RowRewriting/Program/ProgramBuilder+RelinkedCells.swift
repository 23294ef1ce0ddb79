import Migrations
import SQLite
import StoreFormat
import StoreModel

/// Columns with links that the source has elsewhere.
extension ProgramBuilder {
  /// Returns the cell for a column of a relinked relationship; `nil` for any other column.
  func relinkedCell(
    for column: Column, from table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell? {
    guard let (entity, relationship, isFar) = column.content.link,
      let end = try relinked(relationship, of: entity)
    else { return nil }
    let row = "\(quoteIdentifier(table.name)).Z_PK"
    let isOwner = end.isOwner != isFar
    switch column.content {
    case .ordering, .inverselessOrdering:
      let sql = end.links.position(isOwner: isOwner, of: row)
      return .column(columns.place(of: derived(sql, end), property: relationship))
    case .entityKey:
      let sql = end.links.number(isOwner: isOwner, of: row)
      return .entityNumber(columns.place(of: derived(sql, end), property: column.name))
    default:
      if lineage.entities[entity]?.relationships[relationship]?.match != nil {
        throw .filledLinks(entity: entity, relationship: relationship)
      }
      let rules = isFar ? [] : rules(forLinksOf: relationship, entity)
      let sql = end.links.key(isOwner: isOwner, of: row)
      return .column(columns.place(of: derived(sql, end, rules), property: relationship))
    }
  }

  private func derived(
    _ sql: String, _ end: RelinkedEnd, _ rules: [DerivedColumn.Rule] = []
  ) -> RowProgram.SourceColumn {
    .derived(
      DerivedColumn(
        sql: sql, preparation: end.links.statements, replaced: nil, removedKeys: nil, rules: rules,
        formulas: end.links.formulas))
  }

  private func rules(forLinksOf relationship: String, _ entity: String) -> [DerivedColumn.Rule] {
    guard restored == nil,
      target.relationship(relationship, declaredBy: entity)?.isOptional == false
    else { return [] }
    return [.linked(entityNumbers: sourceNumbers(of: lineage.entities[entity]?.source))]
  }
}

extension Column.Content {
  /// The relationship whose links a column has, and whether its rows are those at the far end.
  fileprivate var link: (entity: String, relationship: String, isFar: Bool)? {
    switch self {
    case .foreignKey(let entity, let name), .entityKey(let entity, let name),
      .ordering(let entity, let name):
      (entity, name, false)
    case .inverselessKey(let entity, let name), .inverselessOrdering(let entity, let name):
      (entity, name, true)
    case .primaryKey, .entityNumber, .optimisticLock, .attribute: nil
    }
  }
}
