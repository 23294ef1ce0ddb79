import SQLite
import StoreFormat
import Migrations
import RowRewriting

extension Planner {
  /// Returns the blockers for links to rows whose entity the migration removes.
  ///
  /// Its entity number may be another entity's in the new store, whose proof then fails in `apply`.
  ///
  /// - Complexity: O(*n*) in the rows of tables that lose an entity.
  func strandedLinks(
    of program: StoreProgram, _ connection: borrowing Connection
  ) throws -> [PlanBlocker] {
    if program.droppedEntities.isEmpty { return [] }
    return try program.rewrites.flatMap { table in
      try table.entityNumberColumns.compactMap { column, link in
        let removed = program.droppedEntities.map(String.init).joined(separator: ", ")
        let kept = table.entityNumbers.keys.map(String.init).joined(separator: ", ")
        let rows = try NamedRows(
          table.sourceEntity,
          """
          SELECT Z_PK FROM \(quoteIdentifier(table.sourceTable))
          WHERE \(quoteIdentifier(column)) IN (\(removed)) AND Z_ENT IN (\(kept)) ORDER BY Z_PK
          """, connection)
        guard rows.count > 0 else { return nil }
        return PlanBlocker(
          code: "stranded-links",
          message:
            "'\(link)' links to rows of an entity that the migration removes: \(rows.text); "
            + "set these links to nil in the app's old version, or keep the entity",
          entity: rows.entity, keys: rows.keys, rows: rows.count, exitStatus: .verificationFailed)
      }
    }
  }
}

extension RowProgram {
  /// The source's columns with the entity number of a linked row, and the new names of the links.
  fileprivate var entityNumberColumns: [(column: String, link: String)] {
    zip(table.columns, cells).compactMap { column, cell in
      guard case .entityKey(let entity, let link) = column.content,
        case .entityNumber(let place) = cell, case .named(let name) = sourceColumns[place]
      else { return nil }
      return (name, "\(entity).\(link)")
    }
  }
}
