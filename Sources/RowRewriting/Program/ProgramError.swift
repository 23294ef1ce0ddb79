package import Migrations

/// The reason why a lineage can't be applied to a store.
package enum ProgramError: Error, Hashable, Sendable {
  /// The rows of one table of the target would come from several tables of the source.
  case mergedTables(entity: String, sources: [String])

  /// The store has no column for a property that is read.
  case missingColumn(entity: String, property: String)

  /// Only the app can make the change.
  case unsupported(UnsupportedChange)

  /// A step fills links of a relationship that another step of the run relinks.
  case filledLinks(entity: String, relationship: String)

  /// A table outside the model, or an index of one, has a name that the target needs.
  case nameTaken(String)

  /// A derived attribute or what it is derived from wouldn't stay as it is.
  case derivedAttribute(String, reason: String)

  /// The target has an R-tree; the value is `Entity.index`.
  case spatialIndex(String)

  /// A table of Core Data has a column that no rule covers.
  case unknownColumn(String, table: String)
}

extension ProgramError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .mergedTables(let entity, let sources):
      "the rows of '\(entity)' would come from \(sources.joined(separator: " and ")); "
        + "keep entities of different roots apart"
    case .missingColumn(let entity, let property):
      "the store has no column for '\(entity).\(property)'; see 'outbox-migrate status'"
    case .unsupported(let change): "\(change); let the app migrate the store"
    case .filledLinks(let entity, let relationship):
      "'\(entity).\(relationship)' is filled by 'backfill' and relinked in one run; "
        + "migrate in two runs, with a version between them"
    case .nameTaken(let name):
      "the store has a table or index '\(name)' that isn't its model's, and the migration makes one of "
        + "that name; rename it first"
    case .derivedAttribute(let name, let reason):
      "'\(name)' is a derived attribute, which a migration keeps only unchanged: \(reason); "
        + "let the app migrate the store"
    case .spatialIndex(let name):
      "the index '\(name)' of the new version is an R-tree, which only Core Data can make; "
        + "let the app migrate the store"
    case .unknownColumn(let column, let table):
      "table '\(table)' has a column '\(column)' that no known system writes; "
        + "let the app migrate the store"
    }
  }
}
