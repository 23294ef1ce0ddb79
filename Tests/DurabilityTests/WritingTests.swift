import Foundation
import Platform
import TestSupport
import Testing

/// Files that the user names, and output, where a run is killed or the system takes no bytes.
@Suite struct WritingTests {
  @Test(arguments: [
    "fixture create lume V6 new --rows 2", "schema capture default.store --out new",
    "plan default.store --user-id x --out new",
  ])
  func `a file has its name when it is complete`(words: String) throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let folder = try TemporaryDirectory()
    func run(_ words: [String]) throws -> Programs.Ending {
      try Programs.run(words, in: folder.path)
    }
    try #require(
      try run([tool, "fixture", "create", "lume", "V6", "default.store", "--rows", "2"]).status == 0
    )
    let before = try folder.names
    let command = [tool] + words.split(separator: " ").map(String.init)
    let killed = try run(
      ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync"]
        + ["-e", "inject=fsync:signal=SIGKILL"] + command)
    #expect(killed.status != 0)
    #expect(try folder.names.filter { !before.contains($0) } == ["new.outbox-migrate-new"])
    let next = try run(command)
    #expect([0, 2].contains(next.status), "\(next.message)")
    #expect(try folder.names.filter { !before.contains($0) && $0 != "new-wal" } == ["new"])
  }

  @Test func `output that takes no bytes is an error`() throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: no built program, or no strace")
      return
    }
    let ending = try Programs.run(
      ["timeout", "20", "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=write"]
        + ["-e", "inject=write:retval=0", tool, "--version"])
    #expect(ending.status == 74, "\(ending)")
  }
}
