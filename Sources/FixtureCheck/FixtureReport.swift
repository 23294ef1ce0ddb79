package import StoreMigration

/// How the migrated store of a fixture differs from what its folder expects.
package struct FixtureReport: Hashable, Sendable {
  /// The folder's path.
  package let folder: String

  /// The app.
  package let app: String

  /// The versions before and after the migration; equal if there was nothing to do.
  package let from: String
  package let to: String

  /// The number of rows in the migrated store.
  package let rows: Int64

  /// The number of all differences.
  package let differenceCount: Int

  /// The first differences, in the order of the store.
  package let differences: [FixtureDifference]

  /// The warnings about the store's files, if its rows were recorded.
  package let warnings: [PlanWarning]

  /// Whether the migrated store is what the folder expects.
  package var isPassed: Bool { differenceCount == 0 }
}

/// A difference between the expected rows and the rows of the migrated store.
package struct FixtureDifference: Hashable, Sendable {
  /// The kind of a difference.
  package enum Change: String, CaseIterable, Hashable, Sendable {
    /// An expected row or property is missing.
    case missing

    /// There is a row or property that isn't expected.
    case unexpected

    /// A value or the version isn't the expected one.
    case changed
  }

  /// The kind of the difference.
  package let change: Change

  /// The row's entity; `nil` if the versions differ.
  package let entity: String?

  /// The row's key; `nil` if the versions differ.
  package let key: Int64?

  /// The property as in `expected.txt`, or `version`; `nil` if a whole row differs.
  package let property: String?

  /// The expected value as in `expected.txt`, unmasked; `nil` if it is missing.
  package let expected: String?

  /// The value found, in the same form; `nil` if it is missing.
  package let found: String?
}
