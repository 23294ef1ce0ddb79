/// What became of a fixture's store, and how that differs from what its folder says.
package struct FixtureReport: Hashable, Sendable {
  /// The folder's path.
  package let folder: String

  /// The app.
  package let app: String

  /// The versions before and after the migration; equal if there was nothing to do.
  package let from: String
  package let to: String

  /// The rows that the migrated store has.
  package let rows: Int64

  /// The number of all differences.
  package let differenceCount: Int

  /// The first differences, in the order of the store.
  package let differences: [FixtureDifference]

  /// A Boolean value indicating whether the store became what the folder says.
  package var isPassed: Bool { differenceCount == 0 }
}

/// One difference between the expected rows and those of the migrated store.
package struct FixtureDifference: Hashable, Sendable {
  /// What differs.
  package enum Change: String, CaseIterable, Hashable, Sendable {
    /// The expected row or property isn't there.
    case missing

    /// A row or property is there that isn't expected.
    case unexpected

    /// The value isn't the expected one.
    case changed
  }

  /// What differs.
  package let change: Change

  /// The row's entity; none where the versions of the stores differ.
  package let entity: String?

  /// The row's key.
  package let key: Int64?

  /// The property, as `expected.txt` names it; none where a whole row differs.
  package let property: String?

  /// The expected value, as `expected.txt` has it: a value of a row.
  package let expected: String?

  /// The value found, in the same form.
  package let found: String?
}
