package import StoreDiagnosis

/// What a repair did to a store, or would do.
package struct RepairReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The app's name, and the version that the store is at afterwards.
  package let app: String
  package let version: String

  /// How the version was found.
  package let evidence: ModelEvidence

  /// What was mended, in the order in which it was done.
  package let mends: [Mend]

  /// What couldn't be saved.
  package let losses: [RepairLoss]

  /// What became of the rows of each table that was read.
  package let ledger: [TableAccount]

  /// What is still wrong afterwards, the most important first.
  package let left: [Diagnosis.Cause]

  /// The path of the snapshot of the store before; `nil` if the store wasn't replaced.
  package let snapshot: String?

  /// Sentences about what an interrupted earlier run left, and about what to know.
  package let notes: [String]

  /// The duration, in milliseconds.
  package let durationMilliseconds: Int64

  /// Whether nothing is wrong with the store afterwards.
  package var isWhole: Bool { left.isEmpty }
}

/// How the version of a store was found.
package enum ModelEvidence: String, CaseIterable, Hashable, Sendable {
  /// The store's metadata has the hashes of the version.
  case hashes

  /// The model in the store's cache fits its tables.
  case cache

  /// The version is the only one that has the store's tables.
  case tables

  /// The user named the version.
  case given
}

/// Something that was mended.
package struct Mend: Hashable, Sendable {
  /// The kinds of mends; raw values are stable codes for scripts.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The metadata was written.
    case metadata

    /// The model cache was written.
    case modelCache = "model-cache"

    /// The entities in `Z_PRIMARYKEY` were written.
    case entityNumbers = "entity-numbers"

    /// A table was created.
    case table

    /// A column was created.
    case column

    /// An index was created.
    case index

    /// The highest keys in `Z_PRIMARYKEY` were corrected.
    case maximumKeys = "maximum-keys"

    /// Rows got the number of their entity.
    case rowEntities = "row-entities"

    /// Mandatory attributes got a value.
    case values

    /// Links to missing rows were removed.
    case links

    /// Links got the entity number of their destination.
    case linkEntities = "link-entities"

    /// Rows of a join table without one of their ends were removed.
    case joinRows = "join-rows"

    /// Rows of a damaged table were saved.
    case savedRows = "saved-rows"

    /// Rows that had the key of another got one of their own, or were its doubles.
    case doubledKeys = "doubled-keys"
  }

  package let kind: Kind

  /// The table, the column, the entity or the property that was mended.
  package let name: String

  /// The number of rows or links; 0 if it isn't about rows.
  package let count: Int64

  /// The keys of the first ten rows; empty if it isn't about rows that have keys.
  package let keys: [Int64]

  /// What was done in a sentence: lowercase, without a final period, without values of rows.
  package let sentence: String
}

/// Values or rows that a repair couldn't save.
package struct RepairLoss: Hashable, Sendable {
  /// The entity, or the property as `Entity.property`; else the table.
  package let name: String

  /// The number of rows or values; `nil` if it can't be known.
  package let count: Int64?

  /// The keys of the first ten rows that are known.
  package let keys: [Int64]

  /// What is lost in a sentence: lowercase, without a final period, without values of rows.
  package let sentence: String
}

/// What became of the rows of a table.
package struct TableAccount: Hashable, Sendable {
  /// The table's name.
  package let table: String

  /// The entity of the table's rows; `nil` for other tables.
  package let entity: String?

  /// The number of rows before.
  package internal(set) var rows: Int64 = 0

  /// The number of rows in which every value is the same afterwards.
  package internal(set) var unchanged: Int64 = 0

  /// The number of rows in which a value is another.
  package internal(set) var changed: Int64 = 0

  /// The number of rows that were removed.
  package internal(set) var removed: Int64 = 0

  /// The number of rows that a damaged page had, as far as it is known.
  package internal(set) var lost: Int64 = 0
}
