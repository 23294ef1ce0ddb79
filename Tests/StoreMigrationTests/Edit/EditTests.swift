import Platform
import SQLite
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Edits of a store behind snapshot, proof and exchange.
@Suite struct EditTests {
  private struct Refusal: Error {}

  static let stores: [(app: String, version: String)] = [
    ("Lume", "V7"), ("Lume", "V6"), ("FitIQ", "V3"), ("FitIQ", "V11"),
  ]

  @Test(arguments: zip(stores, [3, 5, 7, 11] as [UInt64]))
  func `an edit writes what it says, and goes back to the bit`(
    store: (app: String, version: String), seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(store.version, of: store.app, rows: 30, seed: seed, in: folder)
    let hash = try sha256(ofFile: path)
    let before = try EntityRows(of: path)
    let migrator = try bundledMigrator()
    let label = "\(store.app) \(store.version), seed \(seed)"

    // Some rows of fixtures lack what is mandatory.
    let known = try migrator.verify(path).checks.filter { !$0.isPassed }
    let prints = try fingerprint(of: folder)
    var (rehearsed, real) = (RandomWrites(seed: seed), RandomWrites(seed: seed))
    let trial = try migrator.tryEdit(path) { try rehearsed.run(through: $0, count: 20) }
    #expect(try fingerprint(of: folder) == prints)
    let report = try migrator.edit(path, as: "test") { try real.run(through: $0, count: 20) }.report
    #expect(trial.report.changes == report.changes, "\(label)")
    let after = try EntityRows(of: path)
    #expect(Set(report.changes) == Set(changes(from: before, to: after)), "\(label)")
    let failed = try migrator.verify(path, comparesReceipt: true).checks.filter { !$0.isPassed }
    #expect(failed == known, "\(label): \(failed)")

    let back = try migrator.rollback(path)
    #expect(back.isExact)
    #expect(try sha256(ofFile: path) == hash, "\(label)")
    _ = try migrator.rollback(path)
    #expect(try EntityRows(of: path) == after)
  }

  @Test(arguments: zip(stores, [13, 17, 19, 23] as [UInt64]))
  func `a rollback takes the edit back and nothing that was written since`(
    store: (app: String, version: String), seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(store.version, of: store.app, rows: 30, seed: seed, in: folder)
    let migrator = try bundledMigrator()
    let snapshot = try EntityRows(of: path)
    var writes = RandomWrites(seed: seed)
    _ = try migrator.edit(path, as: "test") { try writes.run(through: $0, count: 30) }
    let base = try EntityRows(of: path)
    try writes.run(on: path, count: 30)
    let present = try EntityRows(of: path)
    let refusal = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(refusal?.exitStatus == .refused)
    let told = try #require(migrator.verify(path, comparesReceipt: true).receipt?.changes)
    #expect(Set(told) == Set(changes(from: base, to: present)), "seed \(seed)")

    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.parked.isEmpty)
    let merged = merge(snapshot: snapshot, base: base, present: present)
    let differences = try EntityRows(of: path).differences(from: merged)
    #expect(differences.isEmpty, "seed \(seed): \(differences.prefix(5))")
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `an edit that changes nothing leaves the file as it is`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 5, in: folder)
    let before = try fingerprint(of: folder)
    let report = try bundledMigrator().edit(path, as: "test") { _ in }.report
    #expect(report.snapshot == nil)
    #expect(try fingerprint(of: folder) == before)
    let kept = try bundledMigrator().edit(path, as: "test", keepingSnapshot: true) { _ in }.report
    #expect(kept.snapshot != nil)
    #expect(kept.changes.isEmpty)
  }

  @Test func `what fails, or writes more than rows, leaves the store as it was`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 5, in: folder)
    let before = try fingerprint(of: folder)
    let migrator = try bundledMigrator()
    #expect(throws: Refusal.self) {
      try migrator.edit(path, as: "test") { _ in throw Refusal() }
    }
    for statement in [
      "CREATE TABLE t (a)", "DROP INDEX Z_SDOutboxEvent_UNIQUE_id", "DELETE FROM Z_METADATA",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = x''", "CREATE INDEX i ON ZSDGOAL (ZTITLE)",
    ] {
      let error = #expect(throws: MigrationError.self, "\(statement)") {
        try migrator.edit(path, as: "test") { try $0.execute(statement) }
      }
      #expect(error?.exitStatus == .verificationFailed || error?.exitStatus == .failed)
      #expect(try fingerprint(of: folder) == before)
    }
  }

  @Test func `rows in the log are in the copy`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 5, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    let migrator = try bundledMigrator()
    let seen = try migrator.edit(path, as: "test") { copy in
      try copy.execute("UPDATE ZSDGOAL SET ZPROGRESS = 0.25")
      return try copy.value("SELECT min(ZVALENCE) FROM ZSDMOODENTRY")
    }
    #expect(seen.result == .real(0.5))
    #expect(seen.report.changes.map(\.entity) == ["SDGoal"])
    _ = try migrator.rollback(path)
    #expect(try rows(of: "ZSDMOODENTRY", in: path).allSatisfy { $0["ZVALENCE"] == .real(0.5) })
  }

  /// The obvious comparison.
  private func changes(from old: EntityRows, to new: EntityRows) -> [EntityChange] {
    old.rows.keys.compactMap { entity in
      let (before, after) = (old[entity], new[entity])
      let added = after.keys.filter { before[$0] == nil }.count
      let removed = before.keys.filter { after[$0] == nil }.count
      let changed = after.keys.filter { key in
        before[key].map { content($0) != content(after[key] ?? [:]) } ?? false
      }.count
      guard added + removed + changed > 0 else { return nil }
      return EntityChange(
        entity: entity, added: Int64(added), changed: Int64(changed), removed: Int64(removed))
    }
  }

  private func content(_ row: EntityRow) -> EntityRow { row.filter { $0.key != "Z_OPT" } }

  /// The obvious merge: of each row, what differs from the base is the present's, all else the snapshot's.
  private func merge(snapshot: EntityRows, base: EntityRows, present: EntityRows) -> EntityRows {
    var merged = EntityRows.empty
    for entity in snapshot.rows.keys {
      merged[entity] = [:]
      let keys = Set(snapshot[entity].keys).union(base[entity].keys).union(present[entity].keys)
      for key in keys {
        let (old, left, now) = (snapshot[entity][key], base[entity][key], present[entity][key])
        merged[entity][key] = row(old: old, base: left, present: now)
      }
    }
    return merged
  }

  private func row(old: EntityRow?, base: EntityRow?, present: EntityRow?) -> EntityRow? {
    if base == present { return old }
    guard let present else { return nil }
    guard let old, let base else { return present }
    if content(base) == content(present) { return old }
    return Dictionary(
      uniqueKeysWithValues: present.map { name, value in
        (name, base[name] == value ? old[name] ?? .null : value)
      })
  }
}
