import Foundation
import Platform
import Processes
import SQLite
import StoreMigration
import TestSupport
import Testing

@testable import outbox_migrate
import OutboxConversion

/// `apply --jobs`, with real processes that are killed on the way.
@Suite struct FleetTests {
  private let folder: TemporaryDirectory
  private let program: String

  init() throws {
    folder = try TemporaryDirectory()
    let built = try FileSystem.parent(of: Program.path)
    program = built + "/outbox-migrate"
  }

  @Test(arguments: [3, 5] as [UInt64])
  func `after processes were killed, doing it again gives the same stores`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stores = (0..<6).map { folder.path("\($0).store") }
    for (number, store) in stores.enumerated() {
      try run(["fixture", "create", "lume", "V6", store, "--rows", "80", "--seed", "\(number)"])
      try FileSystem.copy(store, to: folder.path("\(number).expected"))
      try run(["apply", folder.path("\(number).expected")])
    }
    // Kills the processes of the run after random times, as a system that runs out of memory does.
    let pauses = (0..<3).map { _ in "\(Double.random(in: 0.05...0.4, using: &random))" }
    let script = """
      program=$1 pauses=$2; shift 2
      "$program" apply --jobs 2 --json "$@" & run=$!
      for pause in $pauses; do
        sleep "$pause"
        for file in /proc/[0-9]*/stat; do
          read -r id name state parent rest 2> /dev/null < "$file" || continue
          if [ "$parent" = "$run" ]; then kill -KILL "$id"; break; fi
        done
      done
      wait "$run"
      """
    let end = try Program.run(
      "/bin/sh", ["-c", script, "sh", program, pauses.joined(separator: " ")] + stores)
    let found = try #require(
      JSONSerialization.jsonObject(with: Data(end.output)) as? [String: Any])
    let failures = try #require(found["failures"] as? [[String: Any]])
    let killed = failures.flatMap { $0["stores"] as? [String] ?? [] }
    print("seed \(seed): the processes of \(killed.count) of \(stores.count) stores were killed")
    #expect(end.status == (killed.isEmpty ? 0 : 1))
    let shapes = failures.compactMap { $0["shape"] as? String }
    #expect(shapes.allSatisfy { $0.contains("killed by signal N") })
    let status = try run(["apply", "--jobs", "2"] + stores)
    #expect(status == 0)
    for (number, store) in stores.enumerated() {
      #expect(try run(["verify", store]) == 0)
      #expect(try run(["diff", store, folder.path("\(number).expected")]) == 0, "seed \(seed)")
    }
  }

  @Test func `a run of many stores has metrics, rates and limits`() throws {
    let stores = (0..<4).map { folder.path("\($0).store") }
    for (number, store) in stores.enumerated() {
      try run(["fixture", "create", "lume", "V6", store, "--rows", "40", "--seed", "\(number)"])
    }
    try FileSystem.replace(stores[3], with: Array("no store".utf8))
    let (metrics, rates) = (folder.path("run.prom"), folder.path("rates.json"))
    func output(_ words: [String]) throws -> (object: [String: Any], status: Int32) {
      let end = try Program.run(program, words)
      let object = try JSONSerialization.jsonObject(with: Data(end.output)) as? [String: Any]
      return (object ?? [:], end.status)
    }
    let (plan, _) = try output(["plan", stores[0], "--json", "--rates", rates])
    #expect(plan["expected_ms"] is NSNull)
    let (found, status) = try output(
      ["apply", "--json", "--min-success-rate", "75", "--metrics", metrics, "--rates", rates]
        + stores
    )
    #expect(status == 0)
    #expect(found["success_rate"] as? Double == 75 && found["failed"] as? Int == 1)
    let text = try String(contentsOfFile: metrics, encoding: .utf8)
    #expect(text.contains(#"outbox_migrate_stores{outcome="migrated"} 3.0"#))
    #expect(text.contains(#"outbox_migrate_stores{outcome="failed"} 1.0"#))
    // Nothing is to be done now, so nothing is measured.
    #expect(
      try output(["apply", "--json", "--min-success-rate", "80", "--metrics", metrics] + stores)
        .status == 1)
    #expect(
      try String(contentsOfFile: metrics, encoding: .utf8).contains(#"{outcome="unchanged"} 3.0"#))
    try run(["fixture", "create", "lume", "V6", folder.path("new.store"), "--rows", "4000"])
    let new = folder.path("new.store")
    let (planned, _) = try output(["plan", new, "--json", "--rates", rates])
    let expected = try #require(planned["expected_ms"] as? Int)
    let (applied, end) = try output(["apply", new, "--json", "--rates", rates])
    #expect(end == 0 && expected > 0 && applied["expected_ms"] as? Int == expected)
    let kept = try String(contentsOfFile: rates, encoding: .utf8)
    #expect(kept.contains(#""runs": 4"#) && kept.contains(#""from": "V6""#))
    try run(["fixture", "create", "lume", "V6", folder.path("slow.store"), "--rows", "40"])
    let slow = try output(
      ["apply", "--json", "--max-duration", "0ms", folder.path("slow.store"), new])
    #expect(slow.status == 1 && (slow.object["too_slow"] as? [String])?.count == 1)
    // Another file isn't replaced, such as a store by mistake.
    #expect(try run(["apply", new, "--metrics", stores[0]]) == 64)
    #expect(try run(["verify", stores[0]]) == 0)
    try FileSystem.replace(rates, with: Array("{}".utf8))
    #expect(try run(["plan", new, "--rates", rates]) == 65)
  }

  @Test func `failures that differ only in names and numbers have one shape`() {
    let shape = FleetOutcome.shape(of: "the store 'a.store' has 12 rows and 'b' isn't there; don't")
    #expect(shape == FleetOutcome.shape(of: "the store 'x' has 7 rows and '' isn't there; don't"))
    #expect(shape.contains("N rows"))
  }

  @discardableResult
  private func run(_ words: [String]) throws -> Int32 {
    try Program.run(program, words).status
  }
}
