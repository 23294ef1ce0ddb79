import Foundation
import Testing

/// Whatever unsynced changes of a run are lost, the store is whole, and the next run heals the rest.
///
/// `Scripts/power-loss` records runs, makes the states that a loss of power can leave, and judges
/// each. This is a small part of them; `make torture` explores all commands that write.
@Suite struct PowerLossExplorationTests {
  @Test func `the store is whole after a loss of power`() throws {
    guard let tool = Programs.tool, Programs.areTraced else {
      print("skipped: a run's calls can't be recorded here")
      return
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = root.appending(path: "Scripts/power-loss").path
    let ending = try Programs.run([script, tool, "--quick"])
    print(ending.output)
    #expect(ending.status == 0, "\(ending.output)\(ending.message)")
    // The last line counts what was judged: `20 states, 0 failed`.
    let counts = try #require(ending.output.split(separator: "\n").last)
    #expect(try #require(Int(counts.prefix { $0.isNumber })) > 0)
  }
}
