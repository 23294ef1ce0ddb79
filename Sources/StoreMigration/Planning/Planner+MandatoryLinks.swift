import Migrations
import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// What a migration means for rows without the row that a relationship is to lead to.
extension Planner {
  /// Returns a warning for each to-one relationship that becomes mandatory while rows lack it.
  ///
  /// Stores have such rows, and apps open them (`StoreFormat.md` §5.2); a change of one can't be
  /// saved. No value can be made up for a link, so this isn't refused as a missing attribute is.
  func mandatoryLinkWarnings(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlanWarning] {
    var warnings: [PlanWarning] = []
    for (entity, relationship, source) in newlyMandatoryLinks {
      let rows = try rowsWithout(source, connection)
      guard rows > 0 else { continue }
      warnings.append(
        PlanWarning(
          code: "missing-links", rows: rows,
          message: "'\(entity).\(relationship)' becomes mandatory, and these rows have no "
            + "'\(source.property)'; the app reads them, and can save a change of one only with it")
      )
    }
    return warnings
  }

  /// The to-one relationships that become mandatory, with those of the source that they come from.
  private var newlyMandatoryLinks: [(entity: String, relationship: String, source: PropertyPath)] {
    route.target.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        guard !relationship.isOptional, !relationship.isToMany, !relationship.isTransient,
          let lineage = route.lineage.entities[entity.name], let origin = lineage.source,
          let link = lineage.relationships[relationship.name], link.match == nil,
          let name = link.source?.name,
          case .relationship(let old)? = route.source.model[origin]?[name], old.isOptional,
          !old.isToMany
        else { return nil }
        return (entity.name, relationship.name, PropertyPath(entity: origin, property: name))
      }
    }
  }

  private func rowsWithout(
    _ link: PropertyPath, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let layout = store.layout(of: route.source.model)
    let content = Column.Content.foreignKey(entity: link.entity, relationship: link.property)
    guard let table = layout.table(of: link.entity), let column = table.column(content) else {
      return 0
    }
    let rows = try connection.value(
      """
      SELECT count(*) FROM main.\(quoteIdentifier(table.name))
      WHERE \(quoteIdentifier(column.name)) IS NULL AND \(layout.numbering.condition(below: link.entity))
      """)
    return rows?.int64 ?? 0
  }
}
