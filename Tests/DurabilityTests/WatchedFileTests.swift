import Foundation
import Testing

/// Runs end well though SQLite fails on files that got another name while they were open.
///
/// Apple's SQLite does so. `Scripts/watched-files` imitates it with a library that it preloads.
@Suite struct WatchedFileTests {
  @Test func `calls on a file that was linked or replaced may fail`() throws {
    guard let tool = Programs.tool else {
      print("skipped: the tool isn't built")
      return
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = root.appending(path: "Scripts/watched-files").path
    let ending = try Programs.run([script, tool])
    #expect(ending.status == 0, "\(ending.output)\(ending.message)")
    #expect(ending.output.hasSuffix("all runs ended well\n"))
  }
}
