import StoreModel
import Migrations
import RowRewriting
package import StoreProof

/// Something that isn't as it was when a plan was made.
package enum PlanMove: Hashable, Sendable {
  /// Another version of the tool made the plan.
  case tool(String)

  /// The file of a migration is another, is gone or is new.
  case migration(String)

  /// The schema of a version is another.
  case schema(String)

  /// The store is at another version.
  case version(found: String, planned: String)

  /// Rows that the plan was made from.
  case rows(EntityChange)

  /// More rows of a table than can be told one by one; the numbers are its rows then and now.
  case manyRows(entity: String, before: Int64, after: Int64)

  /// The plan says other numbers than a run makes of the same rows: it was edited.
  case numbers

  /// The file isn't as it was written.
  case edited
}

extension PlanMove: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tool(let name): "it was created by \(name), this is outbox-migrate \(toolVersion)"
    case .migration(let name): "the file of migration '\(name)' has changed"
    case .schema(let name): "the schema of '\(name)' has changed"
    case .version(let found, let planned): "the store is at \(found), no longer at \(planned)"
    case .rows(let change): change.sentence
    case .manyRows(let entity, let before, let after):
      "too many \(entity) rows changed to count them (\(counted(before, "row", "rows")) then, "
        + "\(after) now)"
    case .edited: "it was edited after it was created"
    case .numbers: "its numbers don't match the store's rows"
    }
  }
}
