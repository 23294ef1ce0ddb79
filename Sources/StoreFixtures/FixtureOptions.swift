/// What a fixture is to be like.
package struct FixtureOptions: Hashable, Sendable {
  /// The number of outbox rows; the other entities have numbers of rows that go with it.
  package var rows: Int

  /// The number from which everything random follows.
  package var seed: UInt64

  /// The number of user profiles, each with an id of its own.
  package var userCount: Int

  /// A Boolean value indicating whether one payload in a hundred is NULL.
  ///
  /// The model says that there always is one.
  ///
  /// The framework writes no such rows, and a check of the store names them; stores that were
  /// repaired by hand have some. Without them those payloads are empty.
  package var hasLostPayloads: Bool

  package init(
    rows: Int = 100, seed: UInt64 = 1, userCount: Int = 1, hasLostPayloads: Bool = true
  ) {
    self.rows = rows
    self.seed = seed
    self.userCount = userCount
    self.hasLostPayloads = hasLostPayloads
  }
}
