/// What became of a fixture's store, and how that differs from what its folder says.
public struct FixtureReport: Hashable, Sendable {
  /// The folder's path.
  public let folder: String

  /// The app.
  public let app: String

  /// The versions before and after the migration; equal if there was nothing to do.
  public let from: String
  public let to: String

  /// The rows that the migrated store has.
  public let rows: Int64

  /// The number of all differences.
  public let differenceCount: Int

  /// The first differences, in the order of the store.
  public let differences: [FixtureDifference]

  /// A Boolean value indicating whether the store became what the folder says.
  public var isPassed: Bool { differenceCount == 0 }
}

/// One difference between the expected rows and those of the migrated store.
public struct FixtureDifference: Hashable, Sendable {
  /// What differs.
  public enum Change: String, CaseIterable, Hashable, Sendable {
    /// The expected row or property isn't there.
    case missing

    /// A row or property is there that isn't expected.
    case unexpected

    /// The value isn't the expected one.
    case changed
  }

  /// What differs.
  public let change: Change

  /// The row's entity; none where the versions of the stores differ.
  public let entity: String?

  /// The row's key.
  public let key: Int64?

  /// The property, as `expected.txt` names it; none where a whole row differs.
  public let property: String?

  /// The expected value, as `expected.txt` has it: a value of a row.
  public let expected: String?

  /// The value found, in the same form.
  public let found: String?
}
