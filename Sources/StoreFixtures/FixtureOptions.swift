/// Options for creating a fixture.
package struct FixtureOptions: Hashable, Sendable {
  /// The number of outbox rows; the numbers of other rows depend on it.
  package var rows: Int

  /// The seed of all random choices.
  package var seed: UInt64

  /// The number of user profiles, each with its own ID.
  package var userCount: Int

  /// Whether 1% of the payloads are NULL, although the attribute is mandatory; else they are empty.
  ///
  /// Core Data doesn't write such rows, and checks report them. But stores that were repaired by
  /// hand contain some.
  package var hasLostPayloads: Bool

  /// Whether the store mirrors to CloudKit.
  package var isMirrored: Bool

  package init(
    rows: Int = 100, seed: UInt64 = 1, userCount: Int = 1, hasLostPayloads: Bool = true,
    isMirrored: Bool = false
  ) {
    self.rows = rows
    self.seed = seed
    self.userCount = userCount
    self.hasLostPayloads = hasLostPayloads
    self.isMirrored = isMirrored
  }
}
