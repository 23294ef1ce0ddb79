import Foundation
import TestSupport
import Testing

/// The commands that documents show are run, each document's in its own order.
@Suite struct DocumentCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The statuses of a command that isn't as the document has it: misuse, a missing or a wrong file.
  private static let bad: Set<Int32> = [64, 65, 66, 73, 74, 126, 127]

  /// The programs that not every machine has, and the part of a block that needs each.
  private static let needs = [
    (part: "| jq", program: "jq"), (part: "make-store.sh", program: "sqlite3"),
    (part: "Sources", program: "outbox-source"),
  ]

  @Test func `a document's commands find what they name, and are no misuse`() throws {
    let programs = try #require(builtPrograms, "the program isn't beside the tests")
    var count = 0
    for document in try Document.all() {
      var place: String?
      for block in document.blocks where block.mark == nil && Self.hasCommands(block) {
        if let missing = Self.needs.first(where: { part, program in
          block.text.contains(part)
            && !["/usr/bin", programs].contains {
              FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }) {
          print("skipped: \(block.testDescription) needs '\(missing.program)', which isn't here")
          continue
        }
        if let setup = DocumentSetup.before(block) {
          let made = folder.path("\(count)")
          try FileManager.default.createDirectory(
            atPath: made, withIntermediateDirectories: false)
          let answer = try run("set -eu\n" + setup.script, in: made, programs)
          #expect(answer.status == 0, "\(block.testDescription): \(answer.text)")
          place = made
        }
        let there = try #require(place, "\(block.testDescription) has no setup")
        count += 1
        try check(block, in: there, programs)
      }
    }
    #expect(count > 20)
  }

  /// Returns whether a block has commands alone.
  private static func hasCommands(_ block: DocumentBlock) -> Bool {
    block.language == "sh"
      || block.language.isEmpty && block.lines.allSatisfy { $0.hasPrefix("outbox-migrate ") }
  }

  private func check(_ block: DocumentBlock, in place: String, _ programs: String) throws {
    // In one shell, because a line may change the folder for the next.
    let script = block.lines.map { "\($0)\necho \"[exit $?]\"\n" }.joined()
    let text = try run(script, in: place, programs).text
    let statuses = text.matches(of: /\[exit ([0-9]+)\]/).compactMap { Int32($0.1) }
    #expect(
      statuses.count == block.lines.count && Self.bad.isDisjoint(with: statuses),
      "\(block.testDescription): \(text)")
  }

  private func run(
    _ script: String, in place: String, _ programs: String
  ) throws -> (status: Int32, text: String) {
    try runToEnd(
      ["/bin/sh", "-c", script], in: place,
      environment: [
        "PATH": "\(programs):/usr/bin:/bin", "HOME": place, "LC_ALL": "C",
        "EXAMPLES": Session.examples, "FIXTURES": Session.fixtures,
      ])
  }
}
