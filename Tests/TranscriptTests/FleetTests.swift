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
  func `after half of the processes were killed, doing it again gives the same stores`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let stores = (0..<6).map { folder.path("\($0).store") }
    for (number, store) in stores.enumerated() {
      try run(["fixture", "create", "lume", "V6", store, "--rows", "80", "--seed", "\(number)"])
      try FileSystem.copy(store, to: folder.path("\(number).expected"))
      try run(["apply", folder.path("\(number).expected")])
    }
    var killed = 0
    try Program.runAll(
      // The shell kills what it started after a random time, as an operator might.
      stores.map { store in
        let pause = Double.random(in: 0...0.6, using: &random)
        let script =
          "\"$1\" apply --json \"$2\" & sleep \(pause); kill -KILL $! 2>/dev/null; wait $!"
        return ["/bin/sh", "-c", script, "sh", program, store]
      }, atOnce: 2
    ) { _, end in
      if end.status == 137 { killed += 1 }
    }
    print("seed \(seed): \(killed) of \(stores.count) runs were killed")
    let status = try run(["apply", "--jobs", "2"] + stores)
    #expect(status == 0)
    for (number, store) in stores.enumerated() {
      #expect(try run(["verify", store]) == 0)
      #expect(try run(["diff", store, folder.path("\(number).expected")]) == 0, "seed \(seed)")
    }
  }

  @Test func `failures that differ only in names and numbers have one shape`() {
    let shape = FleetOutcome.shape(of: "the store 'a.store' has 12 rows and 'b' isn't there; don't")
    #expect(shape == FleetOutcome.shape(of: "the store 'x' has 7 rows and '' isn't there; don't"))
    #expect(shape.contains("N rows"))
  }

  @discardableResult
  private func run(_ words: [String]) throws -> Int32 {
    var status: Int32 = -1
    try Program.runAll([[program] + words], atOnce: 1) { _, end in status = end.status }
    return status
  }
}
