import Foundation
import JSONText
import ReportFormats
import TestSupport
import Testing

/// The schemas of what commands print are published, describe every command, and say what
/// `JSONOutput.md` says.
@Suite struct ReportFormatTests {
  /// Commands that together print a report of each format.
  private static let commands = [
    "fixture create lume V6 a.store --rows 40 --seed 1 --json",
    "fixture create lume V6 b.store --rows 40 --seed 2", "fixture create lume V6 c.store --rows 9",
    "status a.store b.store --json", "status a.store --json --show-values",
    "row a.store SDOutboxEvent/1 SDMoodEntry/1 --json --show-values", "diagnose a.store --json",
    "repair a.store --dry-run --json",
    "plan a.store --json --show-values --rows deliverable --out a.plan", "show a.plan --json",
    "explain a.store SDOutboxEvent/1 --json", "explain a.store SDMoodEntry/1 --json --show-values",
    "diff a.store b.store --json", "diff a.store b.store --json-lines --show-values",
    "lint a.store --json", "apply a.store --json --progress --rows deliverable",
    "apply b.store --json-lines", "apply b.store c.store --jobs 2 --json",
    "verify a.store b.store --receipt --deliverable --json",
    "quarantine list a.store --json", "quarantine restore a.store --json",
    "outbox stats a.store --json", "outbox list a.store --json --show-values",
    "outbox orphans a.store --json", "outbox verify a.store --json",
    "outbox retry a.store --dry-run --json",
    "outbox cleanup a.store --before 2030-01-01 --orphaned --dry-run --json",
    "outbox reset a.store --user F6E09385-CD7C-404F-8CA3-8C923EF96DFC --dry-run --json",
    "outbox reset a.store --user F6E09385-CD7C-404F-8CA3-8C923EF96DFC --discard-events --json",
    "outbox deliver a.store --base-url https://example.org --dry-run --json",
    "outbox sync-test a.store --base-url https://example.org --dry-run --json",
    "rollback b.store --json --discard-changes", "snapshot list a.store --check --json",
    "snapshot prune b.store --keep 0 --force --json", "schema list --json",
    "schema show lume V7 --json", "schema capture b.store --out b.schema.json --json",
    "schema show b.schema.json --json", "schema diff lume/V6 lume/V7 --json",
    "schema infer lume/V6 lume/V7 --out inferred.json --json",
    "schema swift lume/V7 --out V7.swift --json",
    "fixture anonymise b.store shared.store --json",
    "fixture anonymise --check b.store shared.store --json",
    "fixture check $FIXTURES/lume-V6 --json", "describe --json", "status nowhere.store --json",
    "fixture create fitiq V11 fitiq.store --rows 3",
    "import templates $FIXTURES/templates/edge-cases.plist fitiq.store --dry-run --json",
    "plan --json",
  ]

  @Test func `the published schemas are those of the reports`() throws {
    for format in ReportFormat.all {
      let difference = try PublishedSchema(format).difference()
      #expect(difference == nil)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: PublishedSchema.folder.path)
      .filter { $0.hasPrefix("output-") }
    #expect(files.sorted() == ReportFormat.all.map(\.fileName).sorted())
  }

  @Test func `every command prints what its schema admits`() throws {
    let programs = try #require(builtPrograms, "the program isn't beside the tests")
    let reports = try SeenReports(of: programs)
    let folder = try TemporaryDirectory()
    let script = Self.commands.map { "outbox-migrate \($0) || true" }.joined(separator: "\n")
    _ = try runToEnd(
      ["/bin/sh", "-c", script], in: folder.path,
      environment: [
        "PATH": "\(reports.folder.path):\(programs):/usr/bin:/bin", "HOME": folder.path,
        "FIXTURES": Session.fixtures,
      ])
    #expect(try reports.problems() == [])
    var used: [String: Int] = [:]
    for run in try reports.runs() where !run.isError {
      if let format = ReportCheck(words: run.words).format { used[format.command, default: 0] += 1 }
      if run.error.contains("{\"event\"") { used["--progress", default: 0] += 1 }
    }
    print("reports per schema: \(used.sorted { $0.key < $1.key })")
    #expect(Set(ReportFormat.all.map(\.command)).subtracting(used.keys) == [])
  }

  @Test func `a report with another key, value or version is refused`() throws {
    let check = ReportCheck(words: ["schema", "diff", "--json"])
    let version = #"{"app": "Lume", "version": "V6", "edition": null}"#
    func report(_ start: String, _ end: String = "") -> String {
      "{\(start), \"from\": \(version), \"to\": \(version), \"differences\": []\(end)}"
    }
    #expect(try check.problems(output: report(#""format_version": 1"#)) == [])
    for wrong in [
      report(#""format_version": 2"#), report(#""format_version": 1"#, #", "more": 1"#),
      report(#""format_version": 1, "error": null"#), #"{"format_version": 1}"#, "[]", "no JSON",
      #"{"format_version": 1, "error": {"status": 0, "message": ""}}"#,
    ] { #expect(try !check.problems(output: wrong).isEmpty, "\(wrong)") }
  }

  @Test func `JSONOutput.md names every key, and no other`() throws {
    let document = try OutputDocument()
    for format in ReportFormat.all {
      #expect(format.keys.filter { !document.names($0, of: format) } == [], "\(format.command)")
    }
    for (section, keys) in document.tables {
      let known = Set(document.formats(of: section).flatMap(\.keys))
      #expect(!known.isEmpty && keys.subtracting(known) == [], "\(section)")
    }
    #expect(document.tables.count > 10)
  }
}
