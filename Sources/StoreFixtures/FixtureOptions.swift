/// What a fixture is to be like.
public struct FixtureOptions: Hashable, Sendable {
  /// The number of outbox rows; the other entities have numbers of rows that go with it.
  public var rows: Int

  /// The number from which everything random follows.
  public var seed: UInt64

  /// The number of user profiles, each with an id of its own.
  public var userCount: Int

  public init(rows: Int = 100, seed: UInt64 = 1, userCount: Int = 1) {
    self.rows = rows
    self.seed = seed
    self.userCount = userCount
  }
}
