import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Rolling back over later writes, against a three-way merge in dictionaries.
@Suite struct KeepChangesTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  static let ways: [(app: String, from: String, to: String)] = [
    ("Lume", "V6", "V7"), ("Lume", "V1", "V7"), ("Lume", "V4", "V6"),
    ("Lume", "V6@plan", "V7@plan"),
    ("FitIQ", "V2", "V3"), ("FitIQ", "V5", "V6"), ("FitIQ", "V7", "V8"), ("FitIQ", "V8", "V9"),
    ("FitIQ", "V9", "V10"), ("FitIQ", "V3", "V11"), ("FitIQ", "V10", "V11"),
  ]

  @Test(arguments: sample(5, of: Array(zip(ways, (1...11).map { UInt64($0 * 977) }))))
  func `nothing of what was written since is lost`(
    way: (app: String, from: String, to: String), seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(way.from, of: way.app, rows: 30, seed: seed, users: 2, in: folder)
    let migrator = try bundledMigrator()
    let request = MigrationRequest(
      target: way.to, userID: Self.owner, acceptedLosses: ["all"])
    let snapshot = try EntityRows(of: path)
    _ = try migrator.apply(to: path, request)
    let base = try EntityRows(of: path)
    var edits = RandomWrites(seed: seed)
    try edits.run(on: path, count: 40)
    let present = try EntityRows(of: path)
    let refusal = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(refusal?.exitStatus == .refused)

    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(!report.isExact)
    let label = "\(way.app) \(way.from)-\(way.to), seed \(seed)"
    #expect(try migrator.verify(path).isPassed, "\(label)")
    #expect(try migrator.status(of: path).recognition.version?.name == way.from)
    let merged = try EntityRows(of: path)
    let reference = try ThreeWayMerge(way, snapshot: snapshot, base: base, present: present)
    let problems = reference.problems(of: merged)
    #expect(problems.isEmpty, "\(label): \(problems.prefix(5))")

    // Up again: every row and value of the present is there, parked or not.
    _ = try migrator.apply(to: path, request)
    let again = try EntityRows(of: path)
    let lost = present.differences(from: again).filter { !reference.isExcused($0) }
    #expect(lost.isEmpty, "\(label): \(lost.prefix(5))")
    #expect(try migrator.verify(path).isPassed)
    #expect(try folder.names.allSatisfy { !$0.contains("parked") })
  }

  @Test func `later writes are counted by entity`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        """
        UPDATE ZSDMOODENTRY SET ZVALENCE = 0.123 WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDMOODENTRY);
        DELETE FROM ZSDOUTBOXEVENT WHERE Z_PK IN (1, 2);
        INSERT INTO ZSDOUTBOXEVENT (Z_PK, Z_ENT, Z_OPT, ZID, ZENTITYID, ZEVENTTYPE, ZSTATUS, ZCREATEDAT,
          ZUSERID, ZATTEMPTCOUNT, ZMAXATTEMPTS, ZPRIORITY, ZISNEWRECORD, ZMETADATA)
          SELECT 900, Z_ENT, 1, randomblob(16), randomblob(16), 'moodEntry', 'pending', 1.5, 'u', 0, 5, 9,
          0, 'neither JSON nor base64' FROM ZSDOUTBOXEVENT LIMIT 1;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'SDOutboxEvent'
        """)
    }
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    guard case .request(.laterChanges(let changes, since: nil)) = error?.cause else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(
      Set(changes) == [
        EntityChange(entity: "SDMoodEntry", added: 0, changed: 1, removed: 0),
        EntityChange(entity: "SDOutboxEvent", added: 1, changed: 0, removed: 2),
      ])
    let before = try fingerprint(of: folder)
    let look = try migrator.rollback(path, laterWrites: .keep, dryRun: true)
    #expect(look.merged.count == 2)
    #expect(look.parked["SDOutboxEvent.priority"] == 1)
    #expect(look.parked["SDOutboxEvent.metadata"] == 1)
    #expect(try fingerprint(of: folder) == before)
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.parked == look.parked)
    let parked = try #require(report.parkedFile)
    #expect(try FileStatus(of: folder.path(parked)).mode & 0o777 == 0o600)
    let row = try #require(try rows(of: "ZSDOUTBOXEVENT", in: path).last)
    #expect(row["ZPAYLOAD"] == .blob(Array("neither JSON nor base64".utf8)))
  }

  @Test func `what is discarded is kept in a snapshot, and comes back from it`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.123; DELETE FROM ZSDGOAL")
    }
    let present = try EntityRows(of: path)
    let report = try migrator.rollback(path, laterWrites: .discard)
    #expect(report.changes.map(\.entity).sorted() == ["SDGoal", "SDMoodEntry"])
    #expect(try sha256(ofFile: path) == hash)
    _ = try migrator.rollback(path)
    #expect(try EntityRows(of: path) == present)
  }

  @Test func `a snapshot that another migration made isn't replayed`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    _ = try bundledMigrator().apply(to: path, MigrationRequest(userID: Self.owner))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("DELETE FROM ZSDGOAL")
    }
    let catalog = Catalog.bundled
    let edited = catalog.migrations.filter { $0.name == "V6-V7" }.map {
      Migration(app: $0.app, from: $0.from, to: $0.to, steps: $0.steps, checksum: "other")
    }
    let migrator = StoreMigrator(
      catalog: catalog.merging(Catalog(versions: [], migrations: edited)))
    let error = #expect(throws: MigrationError.self) {
      try migrator.rollback(path, laterWrites: .keep)
    }
    #expect(error?.exitStatus == .refused)
    #expect(error?.description.contains("'V6-V7' isn't the one") == true)
    #expect(try bundledMigrator().rollback(path, laterWrites: .discard).to == "V6")
  }

  @Test func `a base with another hash than the receipt's isn't used`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let migrator = try bundledMigrator()
    let snapshot = try #require(
      try migrator.apply(to: path, MigrationRequest(userID: Self.owner)).snapshot)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("DELETE FROM ZSDGOAL")
    }
    let receipt = snapshot + "/receipt.json"
    let text = String(decoding: try FileSystem.read(receipt), as: UTF8.self)
    let other = text.replacing(/"content": "[0-9a-f]{8}/, with: "\"content\": \"00000000")
    try #require(other != text)
    try FileSystem.replace(receipt, with: Array(other.utf8))
    let before = try dump(path)
    #expect(throws: MigrationError.self) { try migrator.rollback(path, laterWrites: .keep) }
    #expect(try dump(path) == before)
    #expect(try migrator.status(of: path).remains == [])
  }
}

/// What a merge must be, said without the engine: names by name, values where both versions have them.
private struct ThreeWayMerge {
  let snapshot: EntityRows
  let base: EntityRows
  let present: EntityRows
  private let newNames: [String: String]

  init(
    _ way: (app: String, from: String, to: String), snapshot: EntityRows, base: EntityRows,
    present: EntityRows
  ) throws {
    self.snapshot = snapshot
    self.base = base
    self.present = present
    var names: [String: String] = [:]
    for name in snapshot.rows.keys {
      names[name] =
        base.rows[name] != nil
        ? name : base.rows.keys.first { $0.hasPrefix("SDUserProfile") } ?? name
    }
    newNames = names
  }

  /// The attributes whose values a conversion changes: they are held against the way up instead.
  private static let converted: Set<String> = [
    "payload", "metadata", "quantity", "unit", "parsingNotes", "valence", "value", "calories",
  ]

  private static let renamed = [
    "retryCount": "attemptCount", "preferredUnitSystem": "unitSystem", "name": "foodName",
    "confidenceScore": "confidence", "processingCompletedAt": "processedAt",
  ]

  func problems(of merged: EntityRows) -> [String] {
    var problems: [String] = []
    for (entity, newName) in newNames {
      let (old, base, now) = (snapshot[entity], base[newName], present[newName])
      let expected = Set(now.keys).union(Set(old.keys).subtracting(base.keys))
      if Set(merged[entity].keys) != expected {
        problems.append(
          "\(entity) has \(merged[entity].keys.sorted()) instead of \(expected.sorted())")
      }
      for (key, row) in merged[entity] {
        problems += self.problems(
          "\(entity)/\(key)", row, old: old[key], base: base[key], now: now[key])
      }
    }
    return problems
  }

  private func problems(
    _ label: String, _ row: EntityRow, old: EntityRow?, base: EntityRow?, now: EntityRow?
  ) -> [String] {
    // An unedited row is the snapshot's to the bit.
    if let old, base == now || now == nil { return row == old ? [] : ["\(label) was touched"] }
    return row.keys.sorted().compactMap { name in
      guard let now, name != "Z_OPT" else { return nil }
      if Self.converted.contains(name) { return nil }
      let newName = now[name] == nil ? Self.renamed[name] ?? name : name
      guard let value = now[newName] else {
        // Only the old version has it.
        return old.map { row[name] == $0[name] ? nil : "\(label).\(name) isn't the old" } ?? nil
      }
      if let old, let base, base[newName] == value {
        return row[name] == old[name] ? nil : "\(label).\(name) isn't the old"
      }
      return row[name] == value ? nil : "\(label).\(name) isn't the edit"
    }
  }

  /// Differences that going down and up again may leave: the counter of saves, and the rounded scale of
  /// moods that were written as something else.
  func isExcused(_ difference: String) -> Bool {
    difference.contains(".Z_OPT:")
  }
}
