import Foundation
import TestSupport
import Testing

/// The command plugin, in a package of its own that has the tool as a binary, and the bundle alone.
@Suite struct PluginTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "app",
      targets: [
        .binaryTarget(name: "outbox-migrate", path: "outbox-migrate.artifactbundle"),
        .plugin(
          name: "migrate-store",
          capability: .command(
            intent: .custom(verb: "migrate-store", description: "Migrates store files."),
            permissions: [.writeToPackageDirectory(reason: "apply replaces store files")]),
          dependencies: ["outbox-migrate"]),
      ])
    """

  /// Runs a program with the whole environment of this process.
  private func run(_ words: [String], in folder: String) throws -> (status: Int32, text: String) {
    try runToEnd(words, in: folder, environment: ProcessInfo.processInfo.environment)
  }

  /// Wraps the built programs; returns `false` if there are none.
  private func makeBundle(in folder: String) throws -> Bool {
    guard let programs = builtPrograms else { return false }
    let bundle = folder + "/outbox-migrate.artifactbundle"
    let script = Self.repository + "/Scripts/artifact-bundle"
    try #require(try run([script, programs, bundle], in: folder).status == 0)
    return true
  }

  /// Makes the package; returns `false` if there is no tool or no `swift`.
  private func makePackage(in folder: TemporaryDirectory) throws -> Bool {
    guard try makeBundle(in: folder.path),
      try run(["/usr/bin/env", "swift", "--version"], in: folder.path).status == 0
    else { return false }
    let files = FileManager.default
    try files.createDirectory(
      atPath: folder.path("Plugins"), withIntermediateDirectories: false)
    try files.copyItem(
      atPath: Self.repository + "/Plugins/migrate-store",
      toPath: folder.path("Plugins/migrate-store"))
    try Self.manifest.write(
      toFile: folder.path("Package.swift"), atomically: true, encoding: .utf8)
    return true
  }

  @Test func `a package runs the tool as its plugin`() throws {
    let folder = try TemporaryDirectory()
    guard try makePackage(in: folder) else {
      print("skipped: the tool isn't built, or there is no swift here")
      return
    }
    func plugin(_ words: String...) throws -> (status: Int32, text: String) {
      let start = ["/usr/bin/env", "swift", "package", "--allow-writing-to-package-directory"]
      return try run(start + ["migrate-store"] + words, in: folder.path)
    }
    let made = try plugin("fixture", "create", "lume", "V6", "a.store", "--rows", "3")
    #expect(made.status == 0, "\(made.text)")
    let user = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
    #expect(try plugin("apply", "a.store", "--user-id", user).status == 0)
    #expect(try plugin("status", "a.store").text.contains("Lume V7"))
    let missing = try plugin("status", "b.store")
    #expect(missing.status == 1)
    #expect(missing.text.contains("there is no store 'b.store'"))
    #expect(missing.text.contains("outbox-migrate ended with status 66"))
  }

  @Test func `Xcode Cloud's script and GitHub's job check fixtures with the bundle alone`() throws {
    let folder = try TemporaryDirectory()
    let files = FileManager.default
    for name in ["Tools", "Fixtures"] {
      try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    }
    guard try makeBundle(in: folder.path("Tools")) else {
      print("skipped: the tool isn't built")
      return
    }
    let example = Self.repository + "/Documentation/Examples/continuous-integration"
    try files.copyItem(atPath: example + "/ci_scripts", toPath: folder.path("ci_scripts"))
    for name in ["lume-V6", "fitiq-V3"] {
      try files.copyItem(
        atPath: Self.repository + "/Fixtures/\(name)", toPath: folder.path("Fixtures/\(name)"))
    }
    let workflow = try String(contentsOfFile: example + "/migrations.yml", encoding: .utf8)
    let step = try #require(workflow.split(separator: "- run: ").last)
    var environment = ProcessInfo.processInfo.environment
    environment["CI_PRIMARY_REPOSITORY_PATH"] = folder.path
    func statuses() throws -> [Int32] {
      let cloud = try runToEnd(
        [folder.path("ci_scripts/ci_post_clone.sh")], in: folder.path("ci_scripts"),
        environment: environment)
      let job = try run(["/bin/bash", "-e", "-c", String(step)], in: folder.path)
      return [cloud.status, job.status]
    }
    #expect(try statuses() == [0, 0])
    let expected = folder.path("Fixtures/lume-V6/expected.txt")
    let lines = try String(contentsOfFile: expected, encoding: .utf8).split(separator: "\n")
    try lines.dropLast().joined(separator: "\n").write(
      toFile: expected, atomically: true, encoding: .utf8)
    #expect(try statuses() == [6, 6])
  }
}
