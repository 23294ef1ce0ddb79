import CommandLineKit
import Foundation
import JSONText
import Migrations
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import outbox_migrate

/// Every block of code in a document is run, or says why it isn't.
@Suite struct DocumentBlockTests {
  private static let documents = Result { try Document.all() }

  private static func blocks(_ languages: String...) throws -> [DocumentBlock] {
    try documents.get().flatMap(\.blocks).filter { languages.contains($0.language) }
  }

  /// The languages of blocks that a test below runs.
  private static let run: Set = ["", "json", "sh", "sql", "swift"]

  @Test func `a block has a language that is run, or a reason why it isn't`() throws {
    let blocks = try Self.documents.get().flatMap(\.blocks)
    for block in blocks {
      let isRun = Self.run.contains(block.language) || block.language == "text"
      let isReason = block.mark?.wholeMatch(of: /not run: .{10,}/) != nil
      #expect(isReason || isRun && block.mark == nil, "\(block.testDescription)")
      // A session isn't called a text, so that it is run.
      let isSession = block.lines.contains { $0.hasPrefix("$ ") }
      #expect(!isSession || block.language.isEmpty, "\(block.testDescription)")
    }
    #expect(blocks.count > 100)
  }

  // MARK: - Commands and what they print

  @Test func `the commands in documents are of the tool, the Makefile or the scripts`() throws {
    var count = 0
    for document in try Self.documents.get() {
      for block in document.blocks {
        for line in Self.commands(of: block) {
          count += 1
          #expect(
            try problems(ofCommand: line) == [], "\(block.testDescription): \(line)")
        }
      }
      for code in document.codes where code.text.hasPrefix("outbox-migrate ") {
        count += 1
        // Sentences name a command without its arguments.
        let problems = try problems(ofCommand: code.text).filter { !$0.hasSuffix(" is missing") }
        #expect(problems == [], "\(document.path):\(code.line)")
      }
    }
    #expect(count > 80)
  }

  /// The lines of a block that someone types.
  private static func commands(of block: DocumentBlock) -> [String] {
    block.lines.compactMap { line in
      if line.hasPrefix("$ ") { return String(line.dropFirst(2)) }
      if block.language == "yaml" {
        return line.firstMatch(of: /run: (.+)/).map { String($0.1) }
      }
      let isCommand =
        block.language == "sh"
        || block.language.isEmpty && line.hasPrefix("outbox-migrate ") && !isOutput(line)
      return isCommand ? line : nil
    }
  }

  /// Returns whether a line is the head of a file that the tool writes.
  private static func isOutput(_ line: String) -> Bool {
    line.hasPrefix("outbox-migrate fixture 1: ")
  }

  private func problems(ofCommand line: String) throws -> [String] {
    try ShellLine(line).commands.compactMap { words in
      switch words[0] {
      case "outbox-migrate": return misuse(Array(words.dropFirst()))
      case "swift":
        guard let place = words.firstIndex(of: "migrate-store") else { return "not the plugin" }
        return misuse(Array(words[(place + 1)...]))
      case "make":
        let makefile = try String(
          contentsOf: Document.root.appending(path: "Makefile"), encoding: .utf8)
        let target = words.dropFirst().first ?? "build"
        return makefile.contains("\n\(target): ") || makefile.contains("\n\(target):\n")
          ? nil : "the Makefile has no '\(target)'"
      case "cd", "cp", "dd", "jq", "mkdir", "sha256sum", "sh", "touch": return nil
      default:
        let isScript =
          words[0].hasPrefix("Scripts/")
          && FileManager.default.isExecutableFile(
            atPath: Document.root.appending(path: words[0]).path)
        return isScript ? nil : "there is no '\(words[0])'"
      }
    }
  }

  private func misuse(_ words: [String]) -> String? {
    do throws(Misuse) {
      _ = try tool.request(words)
      return nil
    } catch {
      return error.error.description
    }
  }

  @Test func `what documents show as output is in a transcript, or a fixture`() throws {
    let names = TranscriptTests.names.map { TranscriptTests.folder.appending(path: $0) }
    let examples = TranscriptTests.examples.map {
      URL(filePath: Session.examples).appending(path: "\($0)/transcript.txt")
    }
    let transcripts = try (names + examples).map {
      Transcript(parsing: try String(contentsOf: $0, encoding: .utf8))
    }
    let fixtures = Document.root.appending(path: "Fixtures")
    let expected = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).compactMap {
      try? String(
        contentsOf: fixtures.appending(path: "\($0)/expected.txt"), encoding: .utf8)
    }
    .map { $0.split(separator: "\n").map(String.init) }
    var count = 0
    for block in try Self.blocks("") where block.mark == nil {
      let lines = block.lines.filter {
        Self.isOutput($0) || !$0.hasPrefix("outbox-migrate ") && !$0.hasPrefix("Scripts/")
      }
      guard !lines.isEmpty else { continue }
      count += 1
      let shown = ShownOutput(lines)
      #expect(
        transcripts.contains { shown.isPart(of: $0) } || expected.contains(where: shown.isPart),
        "\(block.testDescription): no transcript prints this")
    }
    #expect(count > 20)
  }

  // MARK: - Files and steps

  @Test func `JSON in documents is a file that the tool reads, or steps`() throws {
    for block in try Self.blocks("json") where block.mark == nil {
      #expect(throws: Never.self, "\(block.testDescription)") { try read(block) }
    }
  }

  private func read(_ block: DocumentBlock) throws {
    let text = block.text
    guard block.lines.first == "{" else {
      // Steps, separated by commas; or a file with a document on each line, which has no steps.
      let steps = text.split(separator: "\n").allSatisfy { $0.hasPrefix("{ \"") }
      guard steps else { return try readLines(block) }
      let file = """
        {"format_version": 1, "app": "App", "from": "V1", "to": "V2", "steps": [\(text)]}
        """
      _ = try Migration(parsing: Array(file.utf8), file: block.testDescription)
      return
    }
    let object = try JSONNode(parsing: text, file: block.testDescription).object
    let bytes = Array(text.utf8)
    if object.optional("steps") != nil {
      _ = try Migration(parsing: bytes, file: block.testDescription)
    } else if object.optional("converters") != nil {
      _ = try ConverterFile(parsing: bytes, file: block.testDescription)
    } else if object.optional("edition") != nil {
      _ = try AbandonedEdition(parsing: bytes, file: block.testDescription)
    } else {
      _ = try SchemaFile(parsing: bytes, file: block.testDescription)
    }
  }

  private func readLines(_ block: DocumentBlock) throws {
    for line in block.lines { _ = try JSONNode(parsing: line, file: block.testDescription) }
  }

  @Test func `SQL in documents is SQLite's`() throws {
    for block in try Self.blocks("sql") where block.mark == nil {
      let folder = try TemporaryDirectory()
      let connection = try Connection(path: folder.path("a.store"), mode: .create)
      for line in block.lines {
        #expect(throws: Never.self, "\(block.testDescription): \(line)") {
          try connection.execute(line)
        }
      }
    }
  }

  // MARK: - Swift

  /// What a block needs that isn't in this package, by the block's first line.
  private static let standIns = [
    "struct SwiftLogLogger: OutboxLogger {": """
    import OutboxCore
    enum Logging {
      struct Logger: Sendable {
        enum Level: String, Sendable { case trace, debug, info, notice, warning, error, critical }
        enum MetadataValue: Sendable { case string(String) }
        func log(level: Level, _ message: String, metadata: [String: MetadataValue]?) {}
      }
    }

    """
  ]

  @Test func `Swift in documents compiles`() throws {
    guard let programs = builtPrograms,
      FileManager.default.fileExists(atPath: programs + "/Modules")
    else { return print("skipped: the package's modules aren't beside the tests") }
    for block in try Self.blocks("swift") where block.mark == nil {
      let folder = try TemporaryDirectory()
      let isPart = block.text.hasPrefix("dependencies: ") || block.text.hasPrefix("targets: ")
      let answer: (status: Int32, text: String)
      if isPart || block.text.contains("import PackageDescription") {
        let whole = """
          // swift-tools-version: 6.2
          import PackageDescription
          let package = Package(name: "app", \(block.text.dropLast()))
          """
        try (isPart ? whole : block.text)
          .write(toFile: folder.path("Package.swift"), atomically: true, encoding: .utf8)
        answer = try run(["swift", "package", "dump-package"], in: folder.path)
      } else {
        let text = (Self.standIns[block.lines[0]] ?? "") + block.text
        try text.write(toFile: folder.path("block.swift"), atomically: true, encoding: .utf8)
        answer = try run(
          ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "block.swift"]
            + moduleFlags(programs), in: folder.path)
      }
      #expect(answer.status == 0, "\(block.testDescription): \(answer.text)")
    }
  }

  /// The flags with which a compiler finds the package's modules.
  private func moduleFlags(_ programs: String) throws -> [String] {
    let maps = try FileManager.default.contentsOfDirectory(atPath: programs)
      .filter { $0.hasSuffix(".build") && !$0.hasSuffix("-tool.build") }
      .map { "\(programs)/\($0)/module.modulemap" }
      .filter(FileManager.default.fileExists)
    return ["-I", programs + "/Modules"]
      + ["CCrypto", "CSQLite", "CXXHash", "CZlib"].flatMap {
        ["-I", Document.root.appending(path: "Sources/\($0)").path]
      } + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  private func run(
    _ words: [String], in folder: String
  ) throws -> (status: Int32, text: String) {
    try runToEnd(
      ["/usr/bin/env"] + words, in: folder, environment: ProcessInfo.processInfo.environment)
  }

  // MARK: - Tests of the rules

  @Test func `a shell's line is split into commands`() {
    let line = "A=1 make b --c='d e' | jq \"f > g\" > h && cd i#j >> k; l # m | n"
    #expect(
      ShellLine(line).commands == [
        ["make", "b", "--c=d e"], ["jq", "f > g"], ["cd", "i#j"], ["l"],
      ])
  }

  @Test func `a line that no command prints, or a stale command, is found`() throws {
    let transcript = Transcript(parsing: "$ a\none 1\ntwo in <ms>\n\n$ b\nthree\n")
    func isPart(_ lines: String...) -> Bool { ShownOutput(lines).isPart(of: transcript) }
    #expect(isPart("$ a", "one …", "two in 5 ms", "…", "$ b"))
    #expect(isPart("three"))
    #expect(!isPart("$ a", "three"))
    #expect(!isPart("$ a", "two in 5 ms", "one 1"))
    #expect(!isPart("$ b", "$ a"))
    #expect(!isPart("on …"))
    #expect(try problems(ofCommand: "outbox-migrate plan a.store --no-such") != [])
    #expect(try problems(ofCommand: "make tea") == ["the Makefile has no 'tea'"])
    #expect(try problems(ofCommand: "Scripts/none; frobnicate").count == 2)
  }

  @Test func `blocks are found with their marks, in lists too`() {
    let text = """
      <!-- not run: needs a server -->
      ```sh
      a `b`
      ```
      See `c` and
        ```
        d
          e
        ```
      """
    let document = Document(path: "A.md", text: text)
    #expect(document.blocks.map(\.line) == [2, 6])
    #expect(document.blocks.map(\.language) == ["sh", ""])
    #expect(document.blocks.map(\.mark) == ["not run: needs a server", nil])
    #expect(document.blocks.map(\.lines) == [["a `b`"], ["d", "  e"]])
    #expect(document.codes.map(\.text) == ["c"])
  }
}
