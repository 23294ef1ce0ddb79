import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// No old store is removed while nothing says that it isn't needed.
@Suite struct RecoveryTests {
  static let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")

  private struct Killed {
    let folder: TemporaryDirectory
    let path: String
    let old: [UInt8]
    let snapshot: SnapshotFolder

    /// A store whose apply was killed after the exchange, and that was copied since.
    init() throws {
      folder = try TemporaryDirectory()
      path = try makeStore("V6", rows: 10, in: folder)
      old = try FileSystem.read(path)
      _ = try bundledMigrator().apply(to: path, RecoveryTests.request)
      snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
      var receipt = try #require(try snapshot.receipt())
      receipt.state = .pending
      try snapshot.write(receipt)
      try FileSystem.copy(path, to: folder.path("copy"))
      try FileSystem.rename(folder.path("copy"), to: path)
    }
  }

  @Test func `a copied store is told by its model`() throws {
    let killed = try Killed()
    let report = try bundledMigrator().rollback(killed.path)
    #expect(report.notes.count == 1)
    #expect(try FileSystem.read(killed.path) == killed.old)
  }

  @Test(arguments: [false, true])
  func `a rollback that was killed is finished where everything was copied since`(
    happened: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let old = try FileSystem.read(path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    let new = try FileSystem.read(path)
    let files = StoreFiles(path: path)
    let undone = try #require(try SnapshotFolder.all(of: files).first)
    let receipt = try #require(try undone.receipt())
    let kept = try #require(try migrator.rollback(path).kept)
    // What a kill around the rename leaves, with other files in place of all names of one.
    let pending = SnapshotFolder(files: files, name: FileSystem.name(of: kept))
    try pending.mark(try #require(try pending.receipt()), as: .pending)
    try FileSystem.createDirectory(undone.path, mode: 0o700)
    try undone.mark(receipt, as: .returning)
    try FileSystem.create(undone.mainFile.path, old)
    // The number of a file that is gone may be given to the next.
    let present = happened ? old : try FileSystem.read(pending.mainFile.path)
    try FileSystem.create(folder.path("copy"), present)
    try FileSystem.rename(folder.path("copy"), to: path)
    if !happened { try FileSystem.create(pending.file(.work).path, old) }
    #expect(try migrator.verify(path).isPassed)
    #expect(try migrator.status(of: path).remains.count == 2)
    let report = try migrator.rollback(path)
    #expect(report.notes.count == 2)
    #expect(try FileSystem.read(path) == (happened ? new : old))
    let left = try SnapshotFolder.all(of: files).map { try $0.receipt()?.state }
    #expect(left == [.done])
    #expect(try migrator.snapshots(of: path, checks: true).snapshots.map(\.problem) == [nil])
  }

  @Test func `a snapshot without a receipt is named and left alone`() throws {
    let killed = try Killed()
    try FileSystem.remove(killed.snapshot.file(.receipt).path)
    let migrator = try bundledMigrator()
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(killed.path) }
    #expect(error?.description.contains("has no snapshot") == true)
    #expect(try migrator.status(of: killed.path).remains.count == 1)
    #expect(try FileSystem.read(killed.snapshot.mainFile.path).count == killed.old.count)
  }

  @Test(arguments: [0, 6, 99])
  func `a header that was cut short is no header`(count: Int) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let old = try FileSystem.read(path)
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    try FileSystem.create(left.file(.header).path, Array(old.prefix(count)))
    _ = try bundledMigrator().apply(to: path, Self.request)
    _ = try bundledMigrator().rollback(path)
    #expect(try FileSystem.read(path) == old)
  }

  @Test(arguments: [
    "", "\n\n", "garbage", #"{"format_version":2,"app":"Lume","from":"V7","to":"V6"}"#,
    #"{"format_version":1,"app":"Lume","from":"V7","to":"V6"}"# + "\n{\"entity\":1}",
    #"{"format_version":1,"app":"Lume","from":"V7","to":"V6"}"# + "\nZEBRASECRET",
  ])
  func `a parked file that can't be read stays, and doesn't stop apply`(text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let parked = "default.store.parked-V7-V6-20261121T000000Z.jsonl"
    try FileSystem.create(folder.path(parked), Array(text.utf8))
    let report = try bundledMigrator().apply(to: path, Self.request)
    #expect(report.notes.count == 1)
    #expect(report.notes[0].contains("can't be read at line"))
    #expect(!report.notes[0].contains("ZEBRA"))
    #expect(try folder.names.contains(parked))
  }

  @Test func `a parked value of another type, or for no column, isn't put back`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let parked = "default.store.parked-V7-V6-20261121T000000Z.jsonl"
    let key = try #require(try rows(of: "ZSDOUTBOXEVENT", in: path).first?["Z_PK"]?.int64)
    let values = [
      #""ZPRIORITY":{"value":{"text":"x"}}"#, #""ZUSERID":{"value":null}"#,
      #""ZENTITYID":{"value":{"blob_base64":"AQ=="}}"#, #""Z_PK":{"value":{"integer":4}}"#,
      #""ZNOTHERE":{"value":{"integer":4}}"#, #""ZMAXATTEMPTS":{"value":{"integer":9}}"#,
    ]
    let text = """
      {"format_version":1,"app":"Lume","from":"V7","to":"V6"}
      {"entity":"SDOutboxEvent","key":\(key),"whole":false,"values":{\(values.joined(separator: ","))}}
      """
    try FileSystem.create(folder.path(parked), Array(text.utf8))
    let report = try bundledMigrator().apply(to: path, Self.request)
    #expect(report.notes.count == 1)
    #expect(report.notes[0].hasPrefix("1 parked value or row was restored; 5 no longer fit"))
    let row = try #require(
      try rows(of: "ZSDOUTBOXEVENT", in: path).first { $0["Z_PK"]?.int64 == key })
    #expect(row["ZMAXATTEMPTS"] == 9)
    #expect(row["ZPRIORITY"] == 0)
  }

  @Test func `a torn store goes back without what is in it`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let old = try FileSystem.read(path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("DROP TABLE ZSDGOAL")
    }
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.description.contains("ZSDGOAL") == true)
    _ = try migrator.rollback(path, laterWrites: .discard)
    #expect(try FileSystem.read(path) == old)
  }

  @Test func `a damaged external data file comes back, and the damaged one is kept`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let large = folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    try FileSystem.createDirectory(folder.path(".default_SUPPORT"), mode: 0o755)
    try FileSystem.createDirectory(large, mode: 0o755)
    try FileSystem.create(large + "/A", [1, 2, 3])
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    try FileSystem.replace(large + "/A", with: [9])
    let report = try migrator.rollback(path)
    #expect(try FileSystem.read(large + "/A") == [1, 2, 3])
    let kept = try #require(report.kept)
    #expect(try FileSystem.read(kept + "/_EXTERNAL_DATA/A") == [9])
  }
}
