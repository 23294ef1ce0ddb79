package import Migrations
package import StoreMigration
import StoreModel

/// A migration inferred from two versions, with what is left to decide about a store's rows.
package struct DraftedMigration: Hashable, Sendable {
  /// A decision, and the number of rows that it concerns.
  package struct Decision: Hashable, Sendable {
    package let question: OpenQuestion

    /// The number of rows; `nil` without a store.
    package let rows: Int64?
  }

  /// A pair of properties that may be one, and the number of values that a rename keeps.
  package struct Rename: Hashable, Sendable {
    package let properties: PossibleRename

    /// The number of values; `nil` without a store.
    package let values: Int64?
  }

  /// An entity or a property that the migration drops.
  package struct Drop: Hashable, Sendable {
    /// The entity or property, in the names of the source.
    package let object: String

    /// The number of rows or values that are dropped; `nil` without a store.
    package let count: Int64?
  }

  /// The migration, without the decisions.
  package let migration: Migration

  /// The decisions that remain.
  package let decisions: [Decision]

  /// The renames that names or values suggest; the migration drops and adds these properties.
  package let renames: [Rename]

  /// The entities and properties that the migration drops.
  package let drops: [Drop]

  /// The warnings about the stores' files.
  package let warnings: [PlanWarning]

  /// The text of the migration's file, with a `decide` step for each decision.
  package var text: String {
    migration.text(
      questions: decisions.map { decision in
        guard let rows = decision.rows else { return decision.question }
        return decision.question.adding("it concerns \(counted(rows, "row", "rows"))")
      })
  }
}
