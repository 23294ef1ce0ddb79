import Foundation
import Platform
import TestSupport
import Testing

@testable import MigrationMonitoring

@Suite struct RunMetricsTests {
  private func metrics() -> RunMetrics {
    var metrics = RunMetrics()
    metrics.add(
      app: "Lume", from: "V6", to: "V7", rows: 10, duration: .milliseconds(1_500), hasChanges: true)
    metrics.add(
      app: "Lume", from: "V6", to: "V7", rows: 5, duration: .milliseconds(500), hasChanges: true)
    metrics.add(
      app: "Lume", from: "V7", to: "V7", rows: 0, duration: .zero, hasChanges: false)
    metrics.add(
      app: "a\"b\\c\nd", from: "V1", to: "é", rows: 1, duration: .milliseconds(1), hasChanges: true)
    metrics.addFailure()
    return metrics
  }

  @Test func `the sums of a run are told by way`() {
    let lines = metrics().text(endedAt: 12).split(separator: "\n").map { String($0) }
    let samples = lines.filter { !$0.hasPrefix("#") }
    #expect(
      samples == [
        #"outbox_migrate_stores{outcome="migrated"} 3.0"#,
        #"outbox_migrate_stores{outcome="unchanged"} 1.0"#,
        #"outbox_migrate_stores{outcome="failed"} 1.0"#,
        #"outbox_migrate_success_ratio 0.8"#,
        #"outbox_migrate_longest_duration_seconds 1.5"#,
        #"outbox_migrate_migrated_stores{app="Lume",from="V6",to="V7"} 2.0"#,
        #"outbox_migrate_migrated_stores{app="a\"b\\c\nd",from="V1",to="é"} 1.0"#,
        #"outbox_migrate_written_rows{app="Lume",from="V6",to="V7"} 15.0"#,
        #"outbox_migrate_written_rows{app="a\"b\\c\nd",from="V1",to="é"} 1.0"#,
        #"outbox_migrate_migration_duration_seconds{app="Lume",from="V6",to="V7"} 2.0"#,
        #"outbox_migrate_migration_duration_seconds{app="a\"b\\c\nd",from="V1",to="é"} 0.001"#,
        #"outbox_migrate_last_run_timestamp_seconds 12.0"#,
      ])
    #expect(lines.count { $0.hasPrefix("# TYPE ") } == 7)
  }

  @Test func `only a file of metrics is replaced`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("metrics.prom")
    #expect(RunMetrics.mayReplace(path))
    try metrics().write(to: path, endedAt: 1)
    #expect(RunMetrics.mayReplace(path))
    try FileSystem.setPermissions(path, 0o444)
    #expect(!RunMetrics.mayReplace(path))
    try FileSystem.symbolicLink(folder.path("link"), to: path)
    #expect(!RunMetrics.mayReplace(folder.path("link")))
    #expect(!RunMetrics.mayReplace("/dev/null"))
    #expect(!RunMetrics.mayReplace(folder.path))
    let notes = Array("# HELP outbox_migrate_stores x\nMY NOTES\n".utf8)
    try FileSystem.create(folder.path("notes"), notes)
    #expect(!RunMetrics.mayReplace(folder.path("notes")))
    for name in ["default.store-wal", "default.store-shm", "default.store-journal"] {
      #expect(!RunMetrics.mayReplace(folder.path(name)))
      #expect(!MeasuredRates.mayReplace(folder.path(name)))
      try FileSystem.create(folder.path(name), [])
      #expect(!RunMetrics.mayReplace(folder.path(name)))
    }
    #expect(!MeasuredRates.mayReplace("/dev/null"))
    #expect(MeasuredRates.mayReplace(folder.path("rates.json")))
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool"),
      "promtool is in Debian's package 'prometheus'; 'make metrics' installs it"))
  func `promtool accepts the metrics`() throws {
    let folder = try TemporaryDirectory()
    for (name, metrics) in [("full", metrics()), ("empty", RunMetrics())] {
      let path = folder.path(name)
      try metrics.write(to: path, endedAt: 1_790_000_000.25)
      let (status, text) = try runToEnd(
        ["/bin/sh", "-c", "promtool check metrics < \"$1\"", "sh", path], in: folder.path,
        environment: ProcessInfo.processInfo.environment)
      #expect(status == 0 && text.isEmpty, "\(text)")
    }
  }
}
