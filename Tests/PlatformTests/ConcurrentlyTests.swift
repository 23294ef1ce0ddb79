import Platform
import Testing
import TestSupport

@Suite struct ConcurrentlyTests {
  private struct Failure: Error, Hashable { let name: String }

  @Test func `both pieces of work are done and return`() {
    let numbers = Array(0..<100_000)
    let (sum, highest) = concurrently({ numbers.reduce(0, +) }, { numbers.max() })
    #expect(sum == 4_999_950_000)
    #expect(highest == 99_999)
  }

  @Test func `each waits for the other, so they are on two threads`() throws {
    let folder = try TemporaryDirectory()
    let meeting = Meeting(path: folder.path)
    // Each creates the file that the other waits for: on a single thread, neither would return.
    let (first, second) = try concurrently(
      { try meeting.meet(making: "a", awaiting: "b") },
      { try meeting.meet(making: "b", awaiting: "a") })
    #expect(first && second)
  }

  @Test func `the first one's failure is told before the second one's`() {
    #expect(throws: Failure(name: "first")) {
      _ = try concurrently(
        { throw Failure(name: "first") }, { () throws -> Int in throw Failure(name: "second") })
    }
    #expect(throws: Failure(name: "second")) {
      _ = try concurrently({ 1 }, { () throws -> Int in throw Failure(name: "second") })
    }
  }

  /// A directory in which two threads wait for each other.
  private struct Meeting: Sendable {
    let path: String

    func meet(making mine: String, awaiting other: String) throws -> Bool {
      try FileSystem.create("\(path)/\(mine)", [])
      while try !FileSystem.exists("\(path)/\(other)") { pause(for: .milliseconds(1)) }
      return true
    }
  }
}
