import Foundation
import TestSupport
import Testing

/// An agent that follows the skill file, step by step.
@Suite struct AgentSkillTests {
  /// The commands of the file, in its order.
  private func commands() throws -> [String] {
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Documentation/AgentSkill.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("outbox-migrate ") }
  }

  @Test func `the skill's commands plan, apply, verify and roll back, in this order`() throws {
    guard let programs = builtPrograms else { return print("skipped: the programs aren't built") }
    let folder = try TemporaryDirectory()
    func run(_ command: String) throws -> (status: Int32, text: String) {
      try runToEnd(
        ["/bin/sh", "-c", command], in: folder.path,
        environment: ["PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C"])
    }
    let made = try run("outbox-migrate fixture create lume V6 default.store --rows 20")
    #expect(made.status == 0, "\(made.text)")
    let commands = try commands()
    let verbs = commands.map { $0.split(separator: " ")[1] }
    #expect(verbs == ["status", "plan", "apply", "verify", "rollback"])
    for command in commands {
      let answer = try run(command)
      #expect(answer.status == 0, "\(command): \(answer.text)")
      if command.contains(" verify ") {
        #expect(try run("outbox-migrate status default.store").text.contains("Lume V7, exact"))
      }
    }
    #expect(try run("outbox-migrate status default.store").text.contains("Lume V6, exact"))
  }

  @Test func `describe names every command, option and status of the skill`() throws {
    guard let programs = builtPrograms else { return print("skipped: the programs aren't built") }
    let folder = try TemporaryDirectory()
    let answer = try runToEnd(
      ["/bin/sh", "-c", "outbox-migrate describe --json"], in: folder.path,
      environment: ["PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C"])
    #expect(answer.status == 0)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
    let described = try #require(document["commands"] as? [[String: Any]])
    let known = Dictionary(
      uniqueKeysWithValues: described.compactMap { command -> (String, Set<String>)? in
        guard let name = command["command"] as? String else { return nil }
        let options = command["options"] as? [[String: Any]] ?? []
        return (name, Set(options.flatMap { $0["names"] as? [String] ?? [] }))
      })
    #expect(known.count == described.count)
    for command in try commands() {
      let words = command.split(separator: " ").map(String.init)
      let options = try #require(known[words[1]], "\(command)")
      #expect(Set(words.filter { $0.hasPrefix("--") }).isSubset(of: options), "\(command)")
    }
    #expect(known["snapshot prune"]?.contains("--keep") == true)
    let statuses = try #require(document["exit_statuses"] as? [[String: Any]])
    #expect(Set(statuses.compactMap { $0["status"] as? Int }).isSuperset(of: [3, 4, 5, 6, 7]))
  }
}
