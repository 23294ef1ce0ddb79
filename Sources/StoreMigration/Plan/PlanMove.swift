import StoreModel
import Migrations
package import StoreProof

/// Something that changed since a plan was created, which makes the plan stale.
package enum PlanMove: Hashable, Sendable {
  /// Another version of the tool created the plan.
  case tool(String)

  /// The file of a migration changed, is missing or is new.
  case migration(String)

  /// The schema of a version changed.
  case schema(String)

  /// The store is at another version.
  case version(found: String, planned: String)

  /// Rows that the plan was created from changed.
  case rows(EntityChange)

  /// Too many rows of a table changed to count them; the numbers are its rows then and now.
  case manyRows(entity: String, before: Int64, after: Int64)

  /// The plan's numbers differ from those of a run on the same rows: the plan was edited.
  case numbers

  /// The file was edited: its content doesn't match its seal.
  case edited
}

extension PlanMove: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tool(let name): "it was created by \(name), but this is outbox-migrate \(toolVersion)"
    case .migration(let name): "the file of migration '\(name)' has changed"
    case .schema(let name): "the schema of '\(name)' has changed"
    case .version(let found, let planned): "the store is at \(found), no longer at \(planned)"
    case .rows(let change): change.sentence
    case .manyRows(let entity, let before, let after):
      "too many \(entity) rows changed to count them (\(counted(before, "row", "rows")) then, "
        + "\(after.grouped) now)"
    case .edited: "it was edited after it was created"
    case .numbers: "its numbers don't match the store's rows"
    }
  }
}
