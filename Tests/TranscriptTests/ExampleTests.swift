import Foundation
import Testing
import Migrations

/// What the documentation shows is what its examples hold.
@Suite struct ExampleTests {
  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Documentation")
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The lines of a text that are steps, without the comma at their ends.
  private func steps(_ text: String) -> Set<String> {
    let lines = text.split(separator: "\n").map { line in
      String(line.drop { $0 == " " }.trimming { $0 == "," })
    }
    return Set(lines.filter { $0.hasPrefix("{ \"") && $0.hasSuffix("}") })
  }

  /// The lines of a text's blocks that begin with three backticks and this language.
  private func blocks(_ language: String, in text: String) -> [String] {
    var isInside = false
    var isWanted = false
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside.toggle()
        isWanted = isInside && line == "```\(language)"
      } else if isWanted {
        lines.append(String(line))
      }
    }
    return lines
  }

  @Test func `the migration file in the specification is the example's`() throws {
    let specification = try text("MigrationFiles.md")
    let example = try text("Examples/bookshelf/upgrade/V1-V2.json")
    #expect(specification.contains("```json\n\(example)```"))
    #expect(example.split(separator: "\n").count < 14)
  }

  @Test(arguments: TranscriptTests.examples)
  func `an example's text has the steps of its migration file`(name: String) throws {
    let readme = try text("Examples/\(name)/README.md")
    let file = try text("Examples/\(name)/migrations/V1-V2.json")
    #expect(try text("Examples/README.md").contains("](\(name))"))
    guard name != "other-steps" else { return }
    #expect(steps(blocks("json", in: readme).joined(separator: "\n")) == steps(file))
  }

  @Test func `the page about tasks has steps of the examples, and prints what they print`() throws {
    let page = try text("WritingMigrations.md")
    let names = TranscriptTests.examples
    var known: Set<String> = []
    var printed: Set<String> = []
    for name in names {
      known.formUnion(steps(try text("Examples/\(name)/migrations/V1-V2.json")))
      let transcript = try text("Examples/\(name)/transcript.txt")
      known.formUnion(steps(transcript))
      printed.formUnion(transcript.split(separator: "\n").map(String.init))
    }
    let shown = steps(blocks("json", in: page).joined(separator: "\n"))
    // The two steps about sub-entities have no example.
    let alone = shown.subtracting(known)
    let verbs = ["merge", "split"]
    #expect(
      alone.allSatisfy { step in verbs.contains { step.hasPrefix("{ \"\($0)\"") } }, "\(alone)")
    #expect(shown.count > 20)
    let lines = blocks("", in: page)
    #expect(Set(lines).subtracting(printed) == [])
    #expect(lines.count > 15)
    for name in names { #expect(page.contains("(Examples/\(name))"), "\(name)") }
  }
}

extension Substring {
  /// The text without the last characters that satisfy a condition.
  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isLeftOut(last) { text.removeLast() }
    return text
  }
}
