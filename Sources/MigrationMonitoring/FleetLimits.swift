/// The limits within which a run over many stores counts as done.
package struct FleetLimits: Hashable, Sendable {
  /// The longest time that a store may take.
  package let maximumDuration: Duration?

  /// The smallest part of the stores that must be done, in percent.
  package let minimumSuccessRate: Double?

  package init(maximumDuration: Duration?, minimumSuccessRate: Double?) {
    self.maximumDuration = maximumDuration
    self.minimumSuccessRate = minimumSuccessRate
  }

  /// Whether there is a limit.
  package var areGiven: Bool { maximumDuration != nil || minimumSuccessRate != nil }

  /// Returns whether a store took too long.
  package func isTooSlow(_ duration: Duration) -> Bool {
    maximumDuration.map { duration > $0 } ?? false
  }

  /// Returns whether too few stores are done; a run without stores is within the limit.
  package func isTooLittle(done: Int, of count: Int) -> Bool {
    minimumSuccessRate.map { Self.successRate(done: done, of: count) < $0 } ?? false
  }

  /// Returns the part of the stores that is done, in percent; 100 without stores.
  package static func successRate(done: Int, of count: Int) -> Double {
    count == 0 ? 100 : Double(done) / Double(count) * 100
  }
}
