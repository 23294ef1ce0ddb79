import Foundation
import Platform
import SQLite
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// What is written wrongly, or changed between writing and proof, doesn't take the store's place:
/// invariant 4.
@Suite struct SpoiledWorkFileTests {
  /// What happens to a work file.
  enum Spoiling: Sendable, CustomTestStringConvertible {
    case statement(String)

    /// A part of the file, as a fraction of it, becomes zeros.
    case zeros(at: Double, count: Int)
    case cut(to: Double)

    /// The old store's bytes.
    case oldStore

    var testDescription: String {
      switch self {
      case .statement(let text): text
      case .zeros(let place, let count): "\(count) zeros at \(place)"
      case .cut(let place): "cut to \(place)"
      case .oldStore: "the old store"
      }
    }
  }

  private static let spoilings: [Spoiling] =
    [
      // A table that is carried: a value, its type, two rows' values exchanged.
      "UPDATE ZSDMOODENTRY SET ZVALENCE = ZVALENCE + 0.001 WHERE Z_PK = 1",
      "UPDATE ZSDMOODENTRY SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 2",
      "UPDATE ZSDMOODENTRY SET ZVALENCE = (SELECT ZVALENCE FROM ZSDMOODENTRY WHERE Z_PK = 3 - m.Z_PK) "
        + "FROM (SELECT Z_PK FROM ZSDMOODENTRY) AS m WHERE ZSDMOODENTRY.Z_PK = m.Z_PK AND m.Z_PK < 3",
      // The one that is rewritten: converted, renamed, filled in and kept values.
      "UPDATE ZSDOUTBOXEVENT SET ZMETADATA = ZMETADATA || ' ' WHERE Z_PK = 2",
      "UPDATE ZSDOUTBOXEVENT SET ZMETADATA = NULL WHERE Z_PK = 2",
      "UPDATE ZSDOUTBOXEVENT SET ZATTEMPTCOUNT = 9 WHERE Z_PK = 5",
      "UPDATE ZSDOUTBOXEVENT SET ZMAXATTEMPTS = 6 WHERE Z_PK = 5",
      "UPDATE ZSDOUTBOXEVENT SET ZUSERID = 'other' WHERE Z_PK = 5",
      "UPDATE ZSDOUTBOXEVENT SET ZENTITYID = randomblob(16) WHERE Z_PK = 5",
      "UPDATE ZSDOUTBOXEVENT SET ZCREATEDAT = ZCREATEDAT + 1e-6 WHERE Z_PK = 5",
      // Rows.
      "DELETE FROM ZSDOUTBOXEVENT WHERE Z_PK = 7", "DELETE FROM ZSDGOAL WHERE Z_PK = 1",
      "INSERT INTO ZSDGOAL (Z_PK, Z_ENT) SELECT 900, Z_ENT FROM ZSDGOAL LIMIT 1",
      "UPDATE ZSDOUTBOXEVENT SET Z_PK = 900 WHERE Z_PK = 7",
      // What Core Data needs beside the rows.
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'SDOutboxEvent'",
      "UPDATE Z_METADATA SET Z_PLIST = x'00'", "DELETE FROM Z_MODELCACHE",
      "DROP TABLE ZSDGOAL", "ALTER TABLE ZSDGOAL ADD COLUMN ZMORE VARCHAR",
    ].map(Spoiling.statement) + [
      .zeros(at: 0, count: 100), .zeros(at: 0.3, count: 4096), .zeros(at: 0.6, count: 4096),
      .zeros(at: 0.9, count: 64), .cut(to: 0), .cut(to: 0.5), .oldStore,
    ]

  private func spoil(_ work: String, _ spoiling: Spoiling, old: String) throws {
    switch spoiling {
    case .statement(let text):
      let connection = try Connection(path: work, mode: .readWrite)
      try connection.set(.defensive, to: false)
      try connection.execute(text)
    case .zeros(let place, let count):
      let file = try FileDescriptor(opening: work, for: .updating)
      let start = Int64(Double(try file.status().size) * place) / 4096 * 4096
      try file.write([UInt8](repeating: 0, count: count), at: start)
    case .cut(let place):
      let file = try FileDescriptor(opening: work, for: .updating)
      try file.truncate(to: Int64(Double(try file.status().size) * place))
    case .oldStore:
      try FileSystem.remove(work)
      try FileSystem.copy(old, to: work)
    }
  }

  @Test(arguments: sample(10, of: spoilings), MigrationRequest.FileOrigin.allCases)
  func `a work file that was changed is refused, and the old store stays`(
    spoiling: Spoiling, origin: MigrationRequest.FileOrigin
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 12, in: folder)
    let copy = folder.path("copy")
    try FileSystem.copy(path, to: copy)
    let hash = try sha256(ofFile: path)
    let modified = try FileStatus(of: path).modified
    var spoils = 0
    let error = #expect(throws: MigrationError.self) {
      var request = MigrationRequest(userID: "somebody")
      request.fileOrigin = origin
      _ = try bundledMigrator().apply(to: path, request) { phase in
        guard phase == .proving else { return }
        do {
          let snapshots = path + ".snapshots"
          let snapshot = try #require(FileSystem.list(snapshots).first)
          try spoil("\(snapshots)/\(snapshot)/work", spoiling, old: copy)
          spoils += 1
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(spoils == 1)
    #expect(error?.exitStatus == .verificationFailed, "\(error?.description ?? "")")
    #expect(try sha256(ofFile: path) == hash)
    // The store is settled only after the proof.
    #expect(try FileStatus(of: path).modified == modified)
    #expect(try folder.names == ["copy", "default.store"])
    #expect(try bundledMigrator().verify(path).isPassed)
  }
}
