import Testing

@testable import MigrationMonitoring

@Suite struct FleetLimitsTests {
  @Test func `a run is compared with its limits`() {
    let limits = FleetLimits(maximumDuration: .seconds(5), minimumSuccessRate: 99.5)
    #expect(limits.areGiven)
    #expect(!limits.isTooSlow(.seconds(5)) && limits.isTooSlow(.milliseconds(5_001)))
    #expect(!limits.isTooLittle(done: 199, of: 200) && limits.isTooLittle(done: 198, of: 200))
    #expect(!limits.isTooLittle(done: 0, of: 0))
    let none = FleetLimits(maximumDuration: nil, minimumSuccessRate: nil)
    #expect(!none.areGiven && !none.isTooSlow(.seconds(1_000)) && !none.isTooLittle(done: 0, of: 9))
  }
}
