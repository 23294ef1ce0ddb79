import Foundation
import TestSupport
import Testing

import CommandLineKit
@testable import outbox_migrate
import Migrations
import OutboxConversion
import StoreProof

@Suite struct InstallTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Where the tool's parts belong below a prefix: hier(7), and what each shell looks through.
  private static let parts = [
    "bin/outbox-deliver", "bin/outbox-migrate", "share/bash-completion/completions/outbox-migrate",
    "share/fish/vendor_completions.d/outbox-migrate.fish", "share/man/man1/outbox-migrate.1",
    "share/zsh/site-functions/_outbox-migrate",
  ]

  /// Runs a program; nil, and a line says so, where it isn't installed.
  private func run(
    _ words: [String], environment: [String: String] = [:]
  ) throws -> (output: String, status: Int32)? {
    let folders = ["/usr/bin", "/bin", "/usr/local/bin"]
    guard
      let file = folders.map({ "\($0)/\(words[0])" })
        .first(where: FileManager.default.isExecutableFile)
    else {
      print("skipped: '\(words[0])' isn't installed")
      return nil
    }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: file)
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = URL(filePath: Self.root)
    process.environment = ["PATH": folders.joined(separator: ":"), "LC_ALL": "C.UTF-8"]
      .merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.start()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
  }

  /// Installs the tool as it was built for testing: `make` is given a compiler that has done its work.
  private func install(into folder: TemporaryDirectory) throws -> String? {
    let programs = try #require(builtPrograms, "the program isn't beside the tests")
    let compiler = folder.path("swift")
    try """
    #!/bin/sh
    case "$*" in *--show-bin-path*) echo '\(programs)' ;; esac

    """.write(toFile: compiler, atomically: true, encoding: .utf8)
    let prefix = folder.path("a prefix")
    guard
      let made = try run([
        // Read by a shell: a file that another thread's child still has open can't be executed.
        "make", "--old-file=packages", "install", "SWIFT=sh \(compiler)", "PREFIX=\(prefix)",
      ])
    else { return nil }
    #expect(made.status == 0, "\(made.output)")
    return prefix
  }

  @Test func `make install puts every part where it belongs, and nothing else`() throws {
    let folder = try TemporaryDirectory()
    guard let prefix = try install(into: folder) else { return }
    let files = FileManager.default.subpaths(atPath: prefix)?.filter { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(prefix)/\(path)")
      return attributes?[.type] as? FileAttributeType == .typeRegular
    }
    // The Swift parser is built where the toolchain has one.
    let hasParser = builtPrograms.map {
      FileManager.default.isExecutableFile(atPath: $0 + "/outbox-source")
    }
    let parser = hasParser == true ? ["bin/outbox-source"] : []
    let schemas = try FileManager.default.contentsOfDirectory(
      atPath: "\(Self.root)/Documentation/schemas"
    ).map { "share/outbox-migrate/schemas/\($0)" }
    #expect(schemas.count >= 3)
    let pages = tool.manPages(date: "").dropFirst().map { "share/man/man1/\($0.name).1" }
    #expect(pages.contains("share/man/man1/outbox-migrate-snapshot-list.1"))
    #expect(files?.sorted() == (Self.parts + pages + parser + schemas).sorted())
    for path in Self.parts + pages {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(prefix)/\(path)")
      let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
      #expect(mode == (path.hasPrefix("bin/") ? 0o755 : 0o644), "\(path)")
    }
    let page = try String(contentsOfFile: "\(prefix)/\(Self.parts[4])", encoding: .utf8)
    #expect(page.hasPrefix(".TH OUTBOX\\-MIGRATE 1 "))
    for path in pages {
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      #expect(page.contains(name.replacing("-", with: "\\-") + "(1)"))
    }
  }

  @Test func `what is installed has nothing to complain of`() throws {
    let folder = try TemporaryDirectory()
    guard let prefix = try install(into: folder) else { return }
    for (words, part) in [
      (["bash", "-n"], 2), (["fish", "--no-execute"], 3), (["zsh", "-f", "-n"], 5),
      (["groff", "-man", "-Tutf8", "-ww", "-z"], 4),
    ] {
      guard let checked = try run(words + ["\(prefix)/\(Self.parts[part])"]) else { continue }
      #expect(checked.output == "", "\(words[0])")
      #expect(checked.status == 0, "\(words[0])")
    }
  }

  @Test func `bash finds the entities of a store, and leaves room for the key`() throws {
    let folder = try TemporaryDirectory()
    guard let prefix = try install(into: folder) else { return }
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", "lume", "V6", store, "--rows", "3"])
    let script = """
      PATH='\(prefix)/bin':$PATH
      source '\(prefix)/\(Self.parts[2])'
      compopt() { echo "compopt $*"; }
      COMP_WORDS=(outbox-migrate explain '\(store)' SDOutb)
      COMP_CWORD=3
      $(complete -p outbox-migrate | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      printf '%s ' "${COMPREPLY[@]}"
      """
    guard let answer = try run(["bash", "--norc", "-c", script]) else { return }
    #expect(answer.output == "compopt -o nospace\nSDOutboxEvent/ ")
  }

  @Test func `bash finds the formats of a plan in what is installed`() throws {
    let folder = try TemporaryDirectory()
    guard let prefix = try install(into: folder) else { return }
    let script = """
      source '\(prefix)/\(Self.parts[2])'
      COMP_WORDS=(outbox-migrate plan --format '')
      COMP_CWORD=3
      $(complete -p outbox-migrate | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      printf '%s ' "${COMPREPLY[@]}"
      """
    guard let answer = try run(["bash", "--norc", "-c", script]) else { return }
    #expect(
      answer.output.split(separator: " ").sorted() == ["html", "json", "markdown", "sql", "text"])
  }
}
