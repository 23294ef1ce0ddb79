import Processes
import Testing

@Suite struct EnvironmentTests {
  @Test func `a variable that isn't set is nil`() {
    #expect(environment("PATH") != nil)
    #expect(environment("OUTBOX_MIGRATE_NO_SUCH_VARIABLE") == nil)
  }
}
