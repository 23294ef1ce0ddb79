import Foundation
import SQLite
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Commands that look leave the store, what stands beside it, and its folder as they were: invariant 1.
@Suite struct LookingTests {
  /// Every command that only looks, with the exit statuses that it ends with here.
  static let looks: [(words: String, statuses: Set<Int32>)] = [
    ("status default.store old.store", [0]), ("status old.store --no-count --json", [0]),
    ("plan old.store --user-id x", [0]), ("plan old.store --user-id x --json", [0]),
    ("plan old.store --user-id x --show-values --detailed-exitcode", [2]),
    ("plan old.store --rows deliverable --format html", [0]),
    ("plan old.store --user-id x --format markdown", [0]), ("plan default.store", [0]),
    ("show saved.plan", [0]), ("show saved.plan --format html --show-values", [0]),
    ("explain old.store SDOutboxEvent/1 --user-id x", [0]),
    ("row default.store SDOutboxEvent/1 SDMoodEntry/1 --show-values", [0]),
    ("row old.store SDOutboxEvent --where retryCount>0 --json", [0]),
    ("diagnose default.store old.store", [0, 1]),
    ("diagnose old.store --app-version Lume:V7 --json", [0, 1]),
    ("verify default.store old.store", [0, 6]), ("verify default.store --receipt --json", [0, 6]),
    ("verify default.store --deliverable", [0, 6]),
    ("lint", [0, 1]), ("lint old.store default.store", [0, 1]), ("lint old.store --json", [0, 1]),
    ("diff old.store default.store", [0, 2]), ("diff old.store other.store --json-lines", [0, 2]),
    ("snapshot list default.store", [0]), ("snapshot list default.store --check --json", [0]),
    ("quarantine list default.store", [0]), ("quarantine list default.store --json", [0]),
    ("outbox stats default.store", [0]), ("outbox list default.store --show-values", [0]),
    ("outbox list default.store --json --limit 2", [0]),
    ("outbox orphans default.store", [0, 6]), ("outbox verify default.store --json", [0, 6]),
    ("schema list", [0]), ("schema show lume V7", [0]), ("schema capture default.store", [0]),
    ("schema swift default.store", [0, 1]),
    ("schema diff old.store default.store", [0, 2]), ("schema infer old.store lume/V7", [0, 65]),
    ("fixture check fixture", [0]), ("fixture check fixture --json", [0]),
    ("completions bash", [0]), ("describe", [0]), ("man-page", [0]), ("help rollback", [0]),
    ("--version", [0]),
  ]

  /// Commands that write, where they are told not to.
  static let dryRuns: [(words: String, statuses: Set<Int32>)] = [
    ("rollback default.store --dry-run", [7]),
    ("rollback default.store --dry-run --keep-changes", [0]),
    ("rollback default.store --dry-run --discard-changes --json", [0]),
    ("snapshot prune default.store --keep 0 --force --dry-run", [0]),
    ("outbox retry default.store --exhausted --dry-run", [0]),
    ("outbox cleanup default.store --before 2100-01-01 --dry-run", [0]),
    ("repair default.store --dry-run", [0, 1]), ("repair old.store --dry-run --json", [0, 1]),
    ("outbox cleanup default.store --older-than 1d --orphaned --dry-run", [0]),
    ("outbox verify default.store --type goal --max-age 7d", [0, 6]),
    ("outbox reset default.store --user \(Scenario.owner) --discard-events --dry-run", [0]),
    ("outbox reset default.store --user \(Scenario.owner) --dry-run", [0]),
    ("import templates templates.plist fitiq.store --dry-run --with-events", [0]),
    // What is refused isn't begun.
    ("apply old.store --to V9", [64]), ("apply saved.plan default.store", [3]),
    ("rollback old.store", [1]), ("outbox retry old.store", [4]),
  ]

  /// Commands that write, and have no way to be told not to.
  private static let others: Set = [
    "apply", "quarantine restore", "outbox deliver", "outbox sync-test", "fixture create",
    "fixture anonymise",
  ]

  /// A store with a log that its writer left, snapshots and a quarantine; one before the migration.
  private func prepare(_ folder: TemporaryDirectory) throws {
    let tool = try #require(Programs.tool)
    func run(_ words: String) throws {
      let ending = try Programs.run(
        [tool] + words.split(separator: " ").map(String.init), in: folder.path)
      try #require(ending.status == 0, "\(words): \(ending.message)")
    }
    for name in ["default", "old", "other"] {
      try run("fixture create lume V6 \(name).store --rows 60")
    }
    try Connection(path: folder.path("default.store"), mode: .readWrite)
      .execute("UPDATE ZSDUSERPROFILE SET ZUSERID = '\(Scenario.owner)'")
    try run("fixture create fitiq V11 fitiq.store --rows 8")
    try run("apply default.store --rows deliverable")
    try run("plan old.store --user-id x --out saved.plan --show-values")
    let fixture = folder.path("fixture")
    try FileManager.default.createDirectory(atPath: fixture, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: folder.path("other.store"), toPath: "\(fixture)/default.store")
    try Data("{\"user_id\":\"x\"}".utf8).write(to: URL(filePath: "\(fixture)/options.json"))
    try run("fixture check fixture --record")
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    try FileManager.default.copyItem(
      atPath: root.appending(path: "Fixtures/templates/V11.plist").path,
      toPath: folder.path("templates.plist"))
    for name in ["default", "old"] {
      let writer = try Neighbour.sqlite(folder.path("\(name).store"))
      writer.say(
        """
        PRAGMA journal_mode = WAL; UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5; \
        DELETE FROM ZSDGOAL WHERE Z_PK = 1;
        """)
      writer.crash()
    }
  }

  private func look(
    _ commands: [(words: String, statuses: Set<Int32>)], _ trial: Trial, isUsed: Bool
  ) throws {
    // The lock area of a store in use is SQLite's.
    func fingerprint() throws -> [String] {
      try trial.fingerprint().filter { !isUsed || !$0.contains(".store-shm ") }
    }
    let before = try fingerprint()
    try #require(before.contains { $0.contains("default.store-wal ") })
    for (words, statuses) in commands {
      let ending = try Programs.run(
        [trial.tool] + words.split(separator: " ").map(String.init), in: trial.folder.path)
      // What blocks an apply is in the plan's exit status.
      let isBlocked = isUsed && words.hasPrefix("plan old.store ")
      #expect(
        (isBlocked ? [5] : statuses).contains(ending.status),
        "\(words): \(ending.status) \(ending.message)")
      #expect(try fingerprint() == before, "\(words)")
    }
  }

  @Test func `every command that looks leaves a store with a log as it was`() throws {
    let trial = try Trial(try #require(Programs.tool), copying: TemporaryDirectory())
    try prepare(trial.folder)
    try look(Self.looks + Self.dryRuns, trial, isUsed: false)
  }

  @Test func `every command that looks leaves a store in use as it was`() throws {
    let trial = try Trial(try #require(Programs.tool), copying: TemporaryDirectory())
    try prepare(trial.folder)
    let users = try ["default.store", "old.store"].map {
      try Neighbour.sqlite(trial.folder.path($0))
    }
    for user in users { user.say("BEGIN; SELECT count(*) FROM ZSDGOAL;") }
    try look(Self.looks, trial, isUsed: true)
    for user in users { user.finish() }
  }

  @Test func `no command is left out of these tests`() throws {
    let tool = try #require(Programs.tool)
    func names(_ group: [String]) throws -> [String] {
      let help = try Programs.run([tool, "help"] + group).output
      guard let list = help.range(of: "SUBCOMMANDS:\n") else {
        return [group.joined(separator: " ")]
      }
      let lines = help[list.upperBound...].split(separator: "\n").filter {
        $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.contains("See '")
      }
      return try lines.flatMap { line in
        try names(group + [String(line.dropFirst(2).prefix { $0 != " " })])
      }
    }
    let tried = (Self.looks + Self.dryRuns).map(\.words)
    for name in try names([]) where !Self.others.contains(name) {
      #expect(tried.contains { $0 == name || $0.hasPrefix(name + " ") }, "\(name)")
    }
  }
}
