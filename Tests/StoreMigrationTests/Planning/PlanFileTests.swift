import RowInspection
import JSONText
import Platform
import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct PlanFileTests {
  private func planFile(
    _ request: MigrationRequest = MigrationRequest(userID: "me"), showsValues: Bool = false
  ) throws -> PlanFile {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    return try bundledMigrator().planFile(
      for: path, request, migrationFolder: "own", showsValues: showsValues)
  }

  @Test func `it holds what was asked for, and of the store its name`() throws {
    let file = try planFile(MigrationRequest(target: "V7", userID: "me", acceptedLosses: ["all"]))
    let read = try PlanFile(parsing: Array(file.text.utf8), file: nil)
    #expect(read == file)
    #expect(read.store == "default.store")
    #expect(read.request.userID == "me" && read.request.target == "V7")
    #expect(read.request.acceptedLosses == ["all"])
    #expect(read.migrationFolder == "own")
    #expect(!file.text.contains("/outbox-migrate-"))
  }

  @Test func `values are in it only where they were asked for`() throws {
    let masked = try planFile()
    #expect(masked.plan.examples.allSatisfy { ($0.before + $0.after).allSatisfy(\.isMasked) })
    let shown = try planFile(showsValues: true)
    #expect(shown.plan.examples.contains { !($0.before + $0.after).allSatisfy(\.isMasked) })
    #expect(try PlanFile(parsing: Array(shown.text.utf8), file: nil) == shown)
    #expect(
      shown.plan.masked.examples.allSatisfy { ($0.before + $0.after).allSatisfy(\.isMasked) })
  }

  @Test func `every damage is an error with its place, and none is a crash`() throws {
    let text = try planFile().text
    let bytes = Array(text.utf8)
    for length in stride(from: 0, to: bytes.count, by: 1_009) {
      #expect(throws: JSONError.self) {
        try PlanFile(parsing: Array(bytes[..<length]), file: "a.plan")
      }
    }
    for _ in 0..<60 {
      let seed = printedSeed(below: 100_000)
      var numbers = SeededGenerator(seed: seed)
      var damaged = bytes
      damaged[numbers.below(bytes.count)] = UInt8(numbers.below(256))
      // It may still be a plan, of something else; reading it ends either way.
      _ = try? PlanFile(parsing: damaged, file: nil)
    }
  }

  @Test(arguments: [
    ("\"format_version\": 1", "\"format_version\": 2", "unsupported format version"),
    (
      "\"store\": \"default.store\"", "\"store\": \"../default.store\"",
      "expected a file name, not a path"
    ),
    ("\"store\": \"default.store\"", "\"store\": \"..\"", "expected a file name, not a path"),
    ("\"store\": \"default.store\"", "\"store\": \"\"", "expected a file name, not a path"),
    ("\"tool\"", "\"toll\"", "unknown key 'toll'; did you mean 'tool'?"),
    ("\"rows_written\": 40", "\"rows_written\": -1", "isn't negative"),
    ("\"sketch\": \"", "\"sketch\": \"AAAA", "not a sketch of a table"),
    ("\"rows\": \"documented\"", "\"rows\": \"document\"", "did you mean 'documented'?"),
  ])
  func `mistakes are named`(part: String, other: String, sentence: String) throws {
    let text = try planFile().text
    let changed = text.replacing(part, with: other, maxReplacements: 1)
    try #require(changed != text)
    let error = #expect(throws: JSONError.self) {
      try PlanFile(parsing: Array(changed.utf8), file: "a.plan")
    }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    #expect(error?.description.hasPrefix("a.plan:") == true)
  }

  @Test func `a plan whose numbers were edited isn't carried out`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    let migrator = try bundledMigrator()
    let text = try migrator.planFile(for: path).text
    let before = try fingerprint(of: folder)
    for (part, other) in [
      ("\"rows_written\": 40", "\"rows_written\": 41"), ("\"identical\": ", "\"identical\": 1"),
      ("\"table\": \"ZSDOUTBOXEVENT\"", "\"table\": \"ZSDMOODENTRY\""),
    ] {
      let changed = text.replacing(part, with: other, maxReplacements: 1)
      try #require(changed != text)
      var plan = try PlanFile(parsing: Array(changed.utf8), file: nil)
      let error = #expect(throws: MigrationError.self) { try migrator.apply(plan, to: path) }
      #expect(error?.cause == .request(.stalePlan([.edited])))
      // Who seals it again is found out by the numbers.
      plan.seal = plan.contentSeal
      let resealed = #expect(throws: MigrationError.self) { try migrator.apply(plan, to: path) }
      #expect(resealed?.cause == .request(.stalePlan([.numbers])))
      #expect(try fingerprint(of: folder) == before)
    }
  }

  @Test(arguments: [
    ("\"reversible\": true", "\"reversible\": false"),
    ("\"verb\": \"convert\"", "\"verb\": \"rename\""),
    ("\"disk_bytes\": ", "\"disk_bytes\": 9"),
  ])
  func `a plan that was edited isn't carried out`(part: String, other: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 20, in: folder)
    let migrator = try bundledMigrator()
    let text = try migrator.planFile(for: path).text
    let changed = text.replacing(part, with: other, maxReplacements: 1)
    try #require(changed != text)
    let plan = try PlanFile(parsing: Array(changed.utf8), file: nil)
    let error = #expect(throws: MigrationError.self) { try migrator.apply(plan, to: path) }
    #expect(error?.cause == .request(.stalePlan([.edited])))
  }

  @Test func `a store is left as it is by planning, its log too`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    let copy = folder.path("copy.store")
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'in the log' WHERE Z_PK = 1")
      for suffix in ["", "-wal"] {
        try FileSystem.create(copy + suffix, try FileSystem.read(path + suffix))
      }
    }
    let before = try fingerprint(of: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.planFile(for: copy)
    _ = try migrator.plan(for: copy)
    _ = try migrator.explain("SDOutboxEvent/1", of: copy)
    #expect(try fingerprint(of: folder) == before)
    // The row in the log is part of the plan.
    #expect(throws: MigrationError.self) {
      try FileSystem.remove(copy + "-wal")
      _ = try migrator.apply(plan, to: copy)
    }
  }

  @Test func `a loss that nobody accepted is refused before anything is written`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V9", of: "FitIQ", rows: 30, in: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.planFile(for: path)
    let before = try fingerprint(of: folder)
    var phases: [ApplyPhase] = []
    let error = #expect(throws: MigrationError.self) {
      try migrator.apply(plan, to: path) { phases.append($0) }
    }
    #expect(error?.cause == .request(.dataLoss(plan.plan.losses)))
    #expect(phases.isEmpty)
    #expect(try fingerprint(of: folder) == before)
  }

  @Test func `plans and stores are told apart by how they begin`() {
    for text in ["{", " \n{ \"format_version\": 1", "\u{FEFF}{"] {
      #expect(PlanFile.isPlan(beginningWith: Array(text.utf8)))
    }
    for text in ["", "SQLite format 3\0", "[", "x{"] {
      #expect(!PlanFile.isPlan(beginningWith: Array(text.utf8)))
    }
  }
}

extension PlanExample.Part {
  fileprivate var isMasked: Bool { fingerprint.revealed == nil }
}
