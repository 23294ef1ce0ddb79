import Foundation
import Testing

/// Documentation/Troubleshooting.md shows commands that tests run, and what they print.
@Suite struct TroubleshootingTests {
  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func `every command on the page is in a transcript, with the lines that follow it`() throws
  {
    let page = try text("Documentation/Troubleshooting.md")
    let folder = "Tests/TranscriptTests/Transcripts"
    let printed = Set(
      try ["troubleshooting", "outbox", "damaged-page"].flatMap { name in
        try text("\(folder)/\(name).txt").split(separator: "\n")
      })
    var isInside = false
    var commands = 0
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside.toggle()
      } else if isInside, !line.isEmpty, line != "…" {
        #expect(printed.contains(line), "'\(line)' isn't in a transcript")
        if line.hasPrefix("$ ") { commands += 1 }
      }
    }
    #expect(commands > 8)
    for symptom in [
      "deletes the store", "stands still", "profile is gone", "unknown model version",
      "data is missing", "CloudKit",
    ] { #expect(page.contains(symptom), "\(symptom)") }
    #expect(try text("README.md").contains("(Documentation/Troubleshooting.md)"))
  }
}
