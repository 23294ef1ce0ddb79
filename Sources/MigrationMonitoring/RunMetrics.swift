package import Platform

/// The metrics of a run of `apply`, in the text format of Prometheus.
///
/// They are for the textfile collector of the node exporter:
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>. Each run replaces the file. Labels
/// have apps and versions, and no paths.
package struct RunMetrics: Sendable {
  /// What was done with a store.
  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    case migrated
    case unchanged
    case failed
  }

  /// From which version of an app a store went to which.
  private struct Way: Hashable, Comparable {
    let app: String
    let from: String
    let to: String

    static func < (first: Self, second: Self) -> Bool {
      (first.app, first.from, first.to) < (second.app, second.from, second.to)
    }
  }

  fileprivate struct Sums {
    var stores = 0
    var rows: Int64 = 0
    var seconds = 0.0
  }

  private var outcomes: [Outcome: Int] = [:]
  private var ways: [Way: Sums] = [:]
  private var longest = Duration.zero

  package init() {}

  /// Adds a store that was migrated, or that was at its target already.
  package mutating func add(
    app: String, from: String, to: String, rows: Int64, duration: Duration, hasChanges: Bool
  ) {
    outcomes[hasChanges ? .migrated : .unchanged, default: 0] += 1
    longest = max(longest, duration)
    guard hasChanges else { return }
    ways[Way(app: app, from: from, to: to), default: Sums()].add(rows, duration)
  }

  /// Adds a store that failed.
  package mutating func addFailure() { outcomes[.failed, default: 0] += 1 }

  /// Returns the text, with the time of the run's end in seconds since 1970.
  package func text(endedAt time: Double) -> String {
    let count = outcomes.values.reduce(0, +)
    let done = count - outcomes[.failed, default: 0]
    var lines = Self.lines(
      "stores", "Stores of the last run, by outcome.",
      Outcome.allCases.map { ([("outcome", $0.rawValue)], Double(outcomes[$0, default: 0])) })
    lines += Self.lines(
      "success_ratio", "Part of the stores of the last run that are at their target.",
      [([], count == 0 ? 1 : Double(done) / Double(count))])
    lines += Self.lines(
      "longest_duration_seconds", "Time that the slowest store of the last run took.",
      [([], longest / .seconds(1))])
    let ways = ways.sorted { $0.key < $1.key }
    let labels = ways.map { [("app", $0.key.app), ("from", $0.key.from), ("to", $0.key.to)] }
    func add(_ name: String, _ help: String, _ value: (Sums) -> Double) {
      lines += Self.lines(name, help, zip(labels, ways).map { ($0, value($1.value)) })
    }
    if !ways.isEmpty {
      add("migrated_stores", "Stores that the last run migrated.") { Double($0.stores) }
      add("written_rows", "Rows that the last run wrote.") { Double($0.rows) }
      add("migration_duration_seconds", "Time that the last run's migrations took together.") {
        $0.seconds
      }
    }
    lines += Self.lines(
      "last_run_timestamp_seconds", "Time when the last run ended, since 1970.", [([], time)])
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns whether a file may be replaced: it isn't there, is empty, or has nothing but such metrics.
  package static func mayReplace(_ path: String) -> Bool {
    let beginnings = ["# HELP outbox_migrate_", "# TYPE outbox_migrate_", "outbox_migrate_"]
    return KeptFile(path: path).mayBeReplaced { bytes in
      bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
        beginnings.contains { line.starts(with: $0.utf8) }
      }
    }
  }

  /// Replaces a file with the text; every user may read it, as the node exporter needs.
  package func write(to path: String, endedAt time: Double) throws(SystemError) {
    try FileSystem.replace(path, with: Array(text(endedAt: time).utf8), mode: 0o644)
  }

  private static func lines(
    _ name: String, _ help: String, _ samples: [(labels: [(String, String)], value: Double)]
  ) -> [String] {
    let name = "outbox_migrate_" + name
    return ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
      + samples.map { labels, value in
        let pairs = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        return name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)"
      }
  }

  /// Returns a label's value with the three characters escaped that need it.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

extension RunMetrics.Sums {
  fileprivate mutating func add(_ rows: Int64, _ duration: Duration) {
    stores += 1
    self.rows += rows
    seconds += duration / .seconds(1)
  }
}
