import Platform
import Processes
import Testing

@Suite struct ProgramTests {
  @Test func `a program's output and status come back`() throws {
    let outcome = try Program.run("/bin/sh", ["-c", "printf '%s' \"$1\"; exit 3", "sh", "a b"])
    #expect(String(decoding: outcome.output, as: UTF8.self) == "a b")
    #expect(outcome.status == 3)
  }

  @Test func `a long output doesn't get stuck`() throws {
    let outcome = try Program.run("/bin/sh", ["-c", "yes | head -c 300000"])
    #expect(outcome.output.count == 300_000 && outcome.status == 0)
  }

  @Test func `a signal shows in the status, as in shells`() throws {
    #expect(try Program.run("/bin/sh", ["-c", "kill -9 $$"]).status == 137)
  }

  @Test func `a program that isn't there is an error`() {
    let error = #expect(throws: SystemError.self) { try Program.run("/no/such/program", []) }
    #expect(error?.isNotFound == true)
  }

  @Test func `this program knows where it is`() throws {
    #expect(try FileSystem.exists(try Program.path))
  }
}
