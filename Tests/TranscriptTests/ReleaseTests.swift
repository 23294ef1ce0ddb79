import Foundation
import TestSupport
import Testing

/// `Scripts/release` in a repository of its own, whose packages are one file.
@Suite struct ReleaseTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.createDirectory(
      atPath: folder.path("Sources/Migrations"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder.path("Scripts"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: root.appending(path: "Scripts/release"), to: URL(filePath: folder.path("Scripts/release"))
    )
    try write("package let toolVersion = \"1.2.0\"\n", to: "Sources/Migrations/ToolVersion.swift")
    try write("# Changelog\n\n## 1.2.0, 2026-08-01\n\n- New.\n", to: "CHANGELOG.md")
    try write("/out\n/other\n", to: ".gitignore")
    try write("packages-of-release:\n\techo package > $(DEB)/tool.deb\n", to: "Makefile")
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
  }

  /// Runs a command in the repository; `nil` if git or make isn't installed.
  private func run(_ command: String) throws -> (output: String, status: Int32)? {
    for tool in ["git", "make"]
    where !FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)") {
      print("skipped: '\(tool)' isn't installed")
      return nil
    }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
      "GIT_COMMITTER_EMAIL": "a@example.org",
    ]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.start()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
  }

  /// Commits all files; returns whether the programs for it are installed.
  private func commit() throws -> Bool {
    let command = "git init --quiet . && git add . && git commit --quiet --message all"
    guard let made = try run(command) else { return false }
    try #require(made.status == 0, "\(made.output)")
    return true
  }

  @Test func `a release has packages, checksums and a tag`() throws {
    guard try commit(), let released = try run("Scripts/release 1.2.0 out") else { return }
    #expect(released.status == 0, "\(released.output)")
    let checked = try #require(try run("cd out && sha256sum --check SHA256SUMS"))
    #expect(checked.output == "tool.deb: OK\n")
    #expect(try run("git tag --list")?.output == "v1.2.0\n")
    let full = try #require(try run("Scripts/release 1.2.0 out"))
    #expect(full.output.contains("isn't empty") && full.status == 1)
    let again = try #require(try run("Scripts/release 1.2.0 other"))
    #expect(again.output.contains("the tag 'v1.2.0' exists") && again.status == 1)
  }

  @Test func `a trial makes no tag`() throws {
    guard try commit(), let tried = try run("Scripts/release 1.2.0 out --dry-run") else { return }
    #expect(tried.status == 0, "\(tried.output)")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/SHA256SUMS")))
    #expect(try run("git tag --list")?.output == "")
  }

  @Test(
    arguments: [
      ("CHANGELOG.md", "## Unreleased: 1.2.0\n", "1.2.0", "CHANGELOG.md begins with"),
      ("CHANGELOG.md", "## 1.1.0, 2026-08-01\n", "1.2.0", "CHANGELOG.md begins with"),
      (
        "Sources/Migrations/ToolVersion.swift", "package let toolVersion = \"1.1.0\"\n", "1.2.0",
        "has another version"
      ),
      ("Makefile", "packages-of-release:\n\tfalse\n", "1.2.0", "packages-of-release"),
      (".gitignore", "/out\n/other\n", "1.2", "'1.2' isn't a version"),
      (".gitignore", "/out\n", "v1.2.0", "'v1.2.0' isn't a version"),
    ])
  func `nothing is tagged that isn't ready`(
    name: String, text: String, version: String, reason: String
  ) throws {
    try write(text, to: name)
    guard try commit(), let refused = try run("Scripts/release \(version) out") else { return }
    #expect(refused.status != 0)
    #expect(refused.output.contains(reason), "\(refused.output)")
    #expect(try run("git tag --list")?.output == "")
  }

  @Test func `changes that aren't committed are refused`() throws {
    guard try commit() else { return }
    try write("/out\n/more\n", to: ".gitignore")
    let refused = try #require(try run("Scripts/release 1.2.0 out"))
    #expect(refused.output.contains("changes that aren't committed") && refused.status == 1)
  }
}
