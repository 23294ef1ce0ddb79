import Foundation
import JSONText
import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Stores and folders that somebody, or some accident, left in a state that no app leaves.
@Suite struct HostilePlacesTests {
  static let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")

  private func makeStore(
    in folder: TemporaryDirectory, _ sql: String = ""
  ) throws -> String {
    let path = try TestSupport.makeStore("V6", rows: 10, in: folder)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
    return path
  }

  @Test func `foreign tables keep row ids and counters, and later rows of theirs count`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(
      in: folder,
      """
      CREATE TABLE foo (a); INSERT INTO foo (rowid, a) VALUES (100, 'a'), (5, 'b'), (-7, 'c');
      CREATE TABLE bar (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
      INSERT INTO bar VALUES (500, 1), (2, 2); DELETE FROM bar WHERE id = 500;
      CREATE TABLE baz (k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO baz VALUES ('x', 1);
      """)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let rows = try connection.rows("SELECT rowid, a FROM foo ORDER BY rowid")
      #expect(rows == [[-7, "c"], [5, "b"], [100, "a"]])
      let sequence = try connection.value("SELECT seq FROM sqlite_sequence WHERE name = 'bar'")
      #expect(sequence == 500)
      let keyed = try connection.rows("SELECT * FROM baz")
      #expect(keyed == [["x", 1]])
      try connection.execute("INSERT INTO foo VALUES ('later')")
    }
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.exitStatus == .refused)
  }

  @Test func `an interrupted write is named by readers and rolled back by apply`() throws {
    let folder = try TemporaryDirectory()
    let other = try TemporaryDirectory()
    let source = try makeStore(in: other, "PRAGMA journal_mode = DELETE")
    let path = folder.path("default.store")
    do {
      let connection = try Connection(path: source, mode: .readWrite)
      try connection.execute(
        "PRAGMA cache_size = 2; BEGIN; UPDATE ZSDOUTBOXEVENT SET ZERRORMESSAGE = hex(zeroblob(4000))"
      )
      try FileSystem.copy(source, to: path)
      try FileSystem.copy(source + "-journal", to: path + "-journal")
    }
    let migrator = try bundledMigrator()
    let before = try fingerprint(of: folder)
    let error = #expect(throws: MigrationError.self) { try migrator.status(of: path) }
    #expect(error?.description.contains("an interrupted write left a journal") == true)
    #expect(try fingerprint(of: folder) == before)
    let report = try migrator.apply(to: path, Self.request)
    #expect(report.notes.contains { $0.contains("rolled back from its journal") })
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
    let messages = try rows(of: "ZSDOUTBOXEVENT", in: path).compactMap {
      $0["ZERRORMESSAGE"]?.string
    }
    #expect(messages.allSatisfy { $0.count < 4000 })
  }

  @Test func `a pipe is no store and no external data`() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let error = #expect(throws: MigrationError.self) { try bundledMigrator().status(of: pipe) }
    #expect(error?.exitStatus == .unknownStore)
    let path = try makeStore(in: folder)
    let support = folder.path(".default_SUPPORT")
    try FileSystem.createDirectory(support, mode: 0o755)
    try FileSystem.createDirectory(support + "/_EXTERNAL_DATA", mode: 0o755)
    #expect(mkfifo(support + "/_EXTERNAL_DATA/F", 0o600) == 0)
    let refusal = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, Self.request)
    }
    #expect(refusal?.description.contains("beside it isn't a file") == true)
  }

  @Test func `a pipe in the place of a snapshot's file keeps nobody waiting`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    let snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
    try FileSystem.remove(snapshot.mainFile.path)
    #expect(mkfifo(snapshot.mainFile.path, 0o600) == 0)
    let report = try migrator.verify(path)
    #expect(
      report.checks.filter { !$0.isPassed }.flatMap(\.details)
        == ["'\(snapshot.name)': its store is missing"])
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.description.contains("its store is missing") == true)
  }

  @Test func `a receipt can't make rollback write elsewhere`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    let snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
    let text = String(decoding: try FileSystem.read(snapshot.file(.receipt).path), as: UTF8.self)
    let evil = text.replacingOccurrences(
      of: "\"external\": {}", with: "\"external\": { \"../../../evil\": \"00\" }")
    #expect(evil != text)
    try FileSystem.replace(snapshot.file(.receipt).path, with: Array(evil.utf8))
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.description.contains("its receipt can't be read") == true)
    #expect(try migrator.status(of: path).remains.count == 1)
  }

  @Test func `a receipt that can't be read keeps nothing else from being done`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    let snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
    try FileSystem.replace(snapshot.file(.receipt).path, with: [])
    let status = try migrator.status(of: path)
    #expect(status.recognition.version?.name == "V7")
    #expect(status.remains.first?.contains("can't be read") == true)
    #expect(try migrator.apply(to: path).snapshot == nil)
    #expect(try FileSystem.exists(snapshot.mainFile.path))
  }

  @Test func `a link where snapshots would go is refused before anything is done`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    try FileSystem.createDirectory(folder.path("elsewhere"), mode: 0o755)
    try FileSystem.symbolicLink(path + ".snapshots", to: "elsewhere")
    let hash = try sha256(ofFile: path)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, Self.request)
    }
    #expect(error?.exitStatus == .cannotCreate)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test func `a row of no entity is refused by key, by plan and apply alike`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(
      in: folder,
      "UPDATE ZSDOUTBOXEVENT SET Z_ENT = 77 WHERE Z_PK = (SELECT max(Z_PK) FROM ZSDOUTBOXEVENT)")
    let migrator = try bundledMigrator()
    for error in [
      #expect(throws: MigrationError.self) { try migrator.plan(for: path, Self.request) },
      #expect(throws: MigrationError.self) { try migrator.apply(to: path, Self.request) },
    ] {
      #expect(error?.exitStatus == .unknownStore)
      #expect(error?.description.contains("'Z_ENT' names no entity of its table") == true)
    }
  }

  @Test(arguments: ["", " ", "a\nb", String(repeating: "x", count: 5_000)])
  func `an owner has to be a text that could be one`(given: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, MigrationRequest(userID: given))
    }
    #expect(error?.exitStatus == .misuse)
  }
}
