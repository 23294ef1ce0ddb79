import SQLite
import Migrations
import RowRewriting

extension Planner {
  /// Returns the blockers for links to or from rows whose entity the migration removes.
  func strandedLinks(
    of program: StoreProgram, _ connection: borrowing Connection
  ) throws -> [PlanBlocker] {
    try program.strandedLinks(of: route.source.model, connection).map { links in
      PlanBlocker(
        code: "stranded-links",
        message:
          "'\(links.relationship)' links rows with those of an entity that the migration removes: "
          + "\(links.rows.text); remove these links in the app's old version, or keep the entity",
        entity: links.rows.entity, keys: links.rows.keys, rows: links.rows.count,
        exitStatus: .verificationFailed)
    }
  }
}
