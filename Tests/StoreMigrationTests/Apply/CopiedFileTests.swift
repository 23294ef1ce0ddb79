import Foundation
import Platform
import SQLite
import StoreExchange
import StoreFormat
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration
import Migrations

/// A store that is changed in a copy of its file equals one that is written into a new file.
@Suite struct CopiedFileTests {
  private static let request = MigrationRequest(userID: "somebody")

  private static func apply(
    _ path: String, _ request: MigrationRequest = request,
    _ origin: MigrationRequest.FileOrigin? = nil, at phase: (ApplyPhase) -> Void = { _ in }
  ) throws -> ApplyReport {
    var request = request
    request.fileOrigin = origin
    return try bundledMigrator().apply(to: path, request, progress: phase)
  }

  /// What the store's newest receipt says about its file.
  private static func origin(of path: String) throws -> MigrationRequest.FileOrigin? {
    let (snapshot, receipt) = try #require(try SnapshotFolder.newest(of: StoreFiles(path: path)))
    return try RunDetails(of: receipt, snapshot: snapshot.name).fileOrigin
  }

  private static func schema(of path: String) throws -> Set<String> {
    try Set(
      Connection(path: path, mode: .readOnlyUnshared).rows(
        "SELECT type || name || tbl_name || coalesce(sql, '') FROM sqlite_schema"
      ).compactMap { $0[0].string })
  }

  /// Makes a Lume store with a few events and many mood entries, which no step changes.
  private static func makeLargeStore(in folder: TemporaryDirectory) throws -> String {
    let path = try makeStore("V6", rows: 12, in: folder)
    let connection = try Connection(path: path, mode: .readWrite)
    let columns = try connection.rows("PRAGMA table_info(ZSDMOODENTRY)").compactMap { $0[1].string }
    let values = columns.map { name in
      switch name {
      case "Z_PK": "1000 + n"
      case "ZID": "randomblob(16)"
      default: name
      }
    }
    try connection.execute(
      """
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000)
      INSERT INTO ZSDMOODENTRY (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM numbers
      JOIN (SELECT * FROM ZSDMOODENTRY WHERE Z_PK = 1)
      """)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 14000 WHERE Z_NAME = 'SDMoodEntry'")
    return path
  }

  @Test(arguments: [
    ("Lume", "V1"), ("Lume", "V4"), ("Lume", "V6"), ("FitIQ", "V3"), ("FitIQ", "V7"),
    ("FitIQ", "V9"),
  ])
  func `both ways give the same tables, rows and ledger`(
    app: String, version: String
  ) throws {
    var found: [([String], Set<String>, [LedgerEntry])] = []
    for origin in MigrationRequest.FileOrigin.allCases {
      let folder = try TemporaryDirectory()
      let path = try makeStore(version, of: app, rows: 40, seed: 7, in: folder)
      var request = Self.request
      request.acceptedLosses = ["all"]
      let report = try Self.apply(path, request, origin)
      #expect(try Self.origin(of: path) == origin)
      found.append((try dump(path), try Self.schema(of: path), report.ledger))
      #expect(try Connection(path: path, mode: .readOnlyUnshared).integrityCheck() == [])
      #expect(try bundledMigrator().verify(path).isPassed)
      #expect(try bundledMigrator().rollback(path).isExact)
    }
    #expect(found[0].0 == found[1].0)
    #expect(found[0].1 == found[1].1)
    #expect(found[0].2 == found[1].2)
  }

  @Test func `a copy is made where little changes, and there is no log`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeLargeStore(in: folder)
    _ = try Self.apply(path)
    #expect(try Self.origin(of: path) == .copy)
    let small = try TemporaryDirectory()
    let other = try makeStore("V6", rows: 12, in: small)
    _ = try Self.apply(other)
    #expect(try Self.origin(of: other) == .new)
  }

  @Test func `rows in a log are in the new store`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeLargeStore(in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute(
        "PRAGMA journal_mode = WAL; UPDATE ZSDMOODENTRY SET ZVALENCE = 0.125 WHERE Z_PK = 1")
    }
    #expect(try StoreFiles(path: path).hasLog)
    _ = try Self.apply(path, Self.request, .copy)
    #expect(
      try Connection(path: path, mode: .readOnlyUnshared)
        .value("SELECT ZVALENCE FROM ZSDMOODENTRY WHERE Z_PK = 1") == .real(0.125))
  }

  @Test func `nothing remains of what the run removes`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeLargeStore(in: folder)
    // White space isn't in the new store: only a remnant of the old row has it.
    let payload = "{ \"marker\"  :  \"remnant\" }"
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = ?1", [.blob(Array(payload.utf8))])
    #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(payload.utf8)) != nil)
    _ = try Self.apply(path, Self.request, .copy)
    #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(payload.utf8)) == nil)
  }

  @Test func `a damaged file isn't copied`() throws {
    let folder = try TemporaryDirectory()
    let path = try Self.makeLargeStore(in: folder)
    // A page that belongs to nothing.
    let file = try FileDescriptor(opening: path, for: .updating)
    let header = try file.read(100, at: 0)
    let size = Int(header[16]) << 8 | Int(header[17])
    let count = header[28..<32].reduce(0) { $0 << 8 | Int($1) } + 1
    try file.write([UInt8](repeating: 7, count: size), at: Int64((count - 1) * size))
    try file.write([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }, at: 28)
    #expect(try !Connection(path: path, mode: .immutable).integrityCheck().isEmpty)
    _ = try Self.apply(path, Self.request, .copy)
    #expect(try Self.origin(of: path) == .new)
    #expect(try Connection(path: path, mode: .readOnlyUnshared).integrityCheck() == [])
  }

  /// What happens to a page of the work file.
  enum Damage: CaseIterable { case flipped, swapped, dropped, doubled }

  @Test(arguments: Damage.allCases)
  func `a page that isn't the old one is found`(damage: Damage) throws {
    var random = SeededGenerator(printing: "CopiedFileTests.\(damage)")
    for _ in 0..<rounds(2, torture: 6) {
      let folder = try TemporaryDirectory()
      let path = try Self.makeLargeStore(in: folder)
      let hash = try sha256(ofFile: path)
      let error = #expect(throws: MigrationError.self) {
        try Self.apply(path, Self.request, .copy) { phase in
          guard phase == .proving else { return }
          do { try Self.spoil(path, damage, &random) } catch { Issue.record(error) }
        }
      }
      #expect(error?.exitStatus == .verificationFailed, "\(error?.description ?? "")")
      #expect(try sha256(ofFile: path) == hash)
    }
  }

  /// Damages a page of a carried table in the work file.
  private static func spoil(
    _ path: String, _ damage: Damage, _ random: inout SeededGenerator
  ) throws {
    let folder = try #require(FileSystem.list(path + ".snapshots").first)
    let work = "\(path).snapshots/\(folder)/work"
    let pages = try Connection(path: work, mode: .immutable)
      .rows("SELECT pageno FROM dbstat WHERE name = 'ZSDMOODENTRY'").compactMap { $0[0].int64 }
    let file = try FileDescriptor(opening: work, for: .updating)
    let old = try file.readAll()
    let header = Array(old[..<100])
    let size = Int(header[16]) << 8 | Int(header[17])
    let place = Int(try #require(pages.randomElement(using: &random)) - 1) * size
    let other = Int(try #require(pages.randomElement(using: &random)) - 1) * size
    var bytes = old
    let (page, second) = (old[place..<place + size], old[other..<other + size])
    switch damage {
    case .flipped: bytes[place + Int(random.number(UInt64(size)))] ^= 1
    case .swapped where place != other:
      bytes.replaceSubrange(place..<place + size, with: second)
      bytes.replaceSubrange(other..<other + size, with: page)
    case .doubled where place != other:
      bytes.replaceSubrange(place..<place + size, with: second)
    case .dropped, .swapped, .doubled:
      bytes.removeSubrange(place..<place + size)
      let count = bytes.count / size
      bytes.replaceSubrange(
        28..<32, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) })
      try file.truncate(to: Int64(bytes.count))
    }
    try file.write(bytes, at: 0)
  }
}
