import Foundation
import Migrations
import Platform
import SQLite
import StoreFormat
import StoreMigration
import StoreModel
import TestSupport
import Testing

@testable import StoreDiagnosis

@Suite struct DiagnoseTests {
  private let migrator = StoreMigrator(catalog: .bundled)

  /// Every file and folder below a folder: its size, mode, inode, time stamp and bytes.
  private func everything(in folder: String) throws -> [String] {
    try FileSystem.list(folder).sorted().flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      let status = try FileStatus(of: path, followingLinks: false)
      let hash = status.kind == .regular ? Hexadecimal.encode(try sha256(ofFile: path)) : ""
      let line =
        "\(path) \(status.size) \(status.mode) \(status.identity.inode) "
        + "\(status.modified.text).\(status.modified.nanoseconds) \(hash)"
      return [line] + (status.kind == .directory ? try everything(in: path) : [])
    } + ["\(try FileStatus(of: folder).modified)"]
  }

  /// Gives an empty log the mode of its store, as SQLite does when a connection opens it.
  private func alignModes(of path: String) throws {
    guard let log = try FileStatus.ifPresent(at: path + "-wal"), log.kind == .regular,
      let store = try FileStatus.ifPresent(at: path)
    else { return }
    try FileManager.default.setAttributes(
      [.posixPermissions: Int(store.mode & 0o777)], ofItemAtPath: path + "-wal")
  }

  @Test(arguments: BrokenStore.all)
  func `the first cause is what was broken, and nothing is written`(broken: BrokenStore) throws {
    let zoo = try ZooStore()
    let versions = try broken.make(zoo)
    try alignModes(of: zoo.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: zoo.folder.path)
    }
    let before = try everything(in: zoo.folder.path)
    let diagnosis = try migrator.diagnose(zoo.path, appVersions: versions)
    let first = try #require(diagnosis.causes.first, "\(broken.name): nothing found")
    #expect(first.code == broken.expected, "\(diagnosis.causes.map(\.code))")
    #expect(!first.next.isEmpty)
    if let code = broken.code { #expect(first.errors.contains { $0.code == code }) }
    let after = try everything(in: zoo.folder.path)
    #expect(after == before, "\(after.filter { !before.contains($0) })")
    let texts = diagnosis.causes.flatMap { [$0.sentence] + $0.evidence }
    #expect(!texts.contains { $0.contains("\n") })
  }

  @Test func `at least twenty kinds are tried, and every cause that files can show`() {
    #expect(BrokenStore.all.count > 35)
    let tried = Set(BrokenStore.all.map(\.expected))
    // The others have a test of their own, or need another process or a full disk.
    #expect(
      Set(CauseCode.allCases).subtracting(tried)
        == [.cloudKitRules, .noRoom, .inUse, .failing, .history, .mirroring, .otherModel])
  }

  @Test func `a whole store has no cause, with or without its app`() throws {
    let zoo = try ZooStore()
    let version = BrokenStore.version("1", ZooStore.model)
    try alignModes(of: zoo.path)
    let before = try everything(in: zoo.folder.path)
    #expect(try migrator.diagnose(zoo.path).causes == [])
    #expect(try migrator.diagnose(zoo.path, appVersions: [version]).causes == [])
    #expect(try everything(in: zoo.folder.path) == before)
  }

  @Test func `values of a wrong type are named by attribute and row`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZCREATEDAT = 'junk' WHERE Z_PK < 4")
    try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZID = x'0102' WHERE Z_PK = 2")
    let cause = try #require(try migrator.diagnose(path).causes.first { $0.code == .wrongTypes })
    #expect(
      cause.evidence == [
        "SDOutboxEvent.createdAt: 3 values aren't a number, first in the row 1",
        "SDOutboxEvent.id: 1 value isn't a UUID of 16 bytes, first in the row 2",
      ])
  }

  @Test func `a journal that SQLite can't use is noted`() throws {
    let zoo = try ZooStore()
    #expect(try !migrator.diagnose(zoo.path).notes.contains { $0.contains("journal") })
    try Data("junk, not a journal".utf8).write(to: URL(filePath: zoo.path + "-journal"))
    #expect(
      try migrator.diagnose(zoo.path).notes.contains { $0.contains("isn't a rollback journal") })
  }

  @Test func `no cause says that the app opens a store that it can't open`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let next = try #require(Catalog.bundled.version("V7", of: "Lume"))
    let causes = try migrator.diagnose(path, appVersions: [next]).causes
    #expect(causes.map(\.code) == [.noValue, .losesData, .otherModel])
    #expect(!causes.contains { $0.sentence.contains("app opens") })
  }

  @Test(arguments: [("Lume", "V3"), ("Lume", "V6"), ("Lume", "V7"), ("FitIQ", "V11")])
  func `a store of each app is in order for the app of its version`(
    app: String, version: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, of: app, in: folder)
    let known = try #require(Catalog.bundled.version(version, of: app))
    #expect(try migrator.diagnose(path).causes == [])
    #expect(try migrator.diagnose(path, appVersions: [known]).causes == [])
  }

  @Test func `a store that mirrors is compared with CloudKit's rules`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", isMirrored: true, in: folder)
    let known = try #require(Catalog.bundled.version("V6", of: "Lume"))
    let causes = try migrator.diagnose(path, appVersions: [known]).causes
    #expect(causes.map(\.code) == (known.model.cloudKitViolations.isEmpty ? [] : [.cloudKitRules]))
    #expect(!known.model.cloudKitViolations.isEmpty)
    #expect(causes.first?.errors.first?.code == 134060)
  }

  @Test func `a store that mirrors isn't sent to repair, which refuses it`() throws {
    let folder = try TemporaryDirectory()
    for isMirrored in [false, true] {
      let path = try makeStore("V6", isMirrored: isMirrored, in: folder)
      do {
        let store = try Connection(path: path, mode: .readWrite)
        try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 1")
      }
      let cause = try #require(try migrator.diagnose(path).causes.first)
      #expect(cause.code == .keysTooLow)
      #expect(cause.next.contains(.command(["repair", path, "--dry-run"])) != isMirrored)
      try FileSystem.remove(path)
    }
  }

  @Test func `the versions of a known app tell that a store is newer`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let versions = ["V4", "V5"].compactMap { Catalog.bundled.version($0, of: "Lume") }
    let causes = try migrator.diagnose(path, appVersions: versions).causes
    #expect(causes.first?.code == .newerStore)
    #expect(causes.first?.evidence == ["the store has Lume V6, which comes after V5"])
  }

  @Test func `a store without a model cache is compared by its hashes`() throws {
    let zoo = try ZooStore()
    try zoo.damage("DELETE FROM Z_MODELCACHE")
    try zoo.addLog()
    let own = BrokenStore.version("1", ZooStore.model)
    #expect(try !migrator.diagnose(zoo.path).checksTables)
    let next = BrokenStore.zoo("2.0.0", replacing: "Dog", by: nil)
    #expect(try migrator.diagnose(zoo.path, appVersions: [own]).causes == [])
    let other = try migrator.diagnose(zoo.path, appVersions: [BrokenStore.version("2", next)])
    #expect(other.causes == [])
    #expect(other.notes.contains { $0.hasPrefix("no model of the store is known") })
  }

  @Test func `a full disk is a cause`() {
    let surroundings = Surroundings(files: StoreFiles(path: "/tmp/x"), path: "/tmp/x")
    #expect(surroundings.noRoom(free: 10_000)?.code == .noRoom)
    #expect(surroundings.noRoom(free: 1 << 30) == nil)
  }

  @Test func `another process that has the store open is named`() throws {
    let zoo = try ZooStore()
    let shell = "/usr/bin/sqlite3"
    guard FileManager.default.isExecutableFile(atPath: shell) else {
      print("skipped: there is no '\(shell)'")
      return
    }
    let process = Process()
    let input = Pipe()
    process.executableURL = URL(filePath: shell)
    process.arguments = [zoo.path]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data("BEGIN; SELECT count(*) FROM ZTOY;\n".utf8))
    _ = output.fileHandleForReading.availableData
    let causes = try migrator.diagnose(zoo.path).causes
    #expect(causes.map(\.code) == [.inUse])
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Real stores that were published without the files of some values.
  private static let withoutFiles: Set = [
    "wire-store2-51-0", "wire-store2-52-0", "wire-store2-66-0", "wire-store2-67-0",
  ]

  @Test(arguments: sample(12, of: RealStores.folders.map(\.name)))
  func `nothing is found in a healthy real store`(name: String) throws {
    guard let original = RealStores.path(of: name) else { return }
    let folder = try TemporaryDirectory()
    let path = folder.path(FileSystem.name(of: original))
    for ending in ["", "-wal", "-shm"] where try FileSystem.exists(original + ending) {
      try Data(FileSystem.read(original + ending)).write(to: URL(filePath: path + ending))
    }
    let before = try everything(in: folder.path)
    let found = try migrator.diagnose(path)
    #expect(
      found.causes.map(\.code) == (Self.withoutFiles.contains(name) ? [.externalFiles] : []))
    #expect(try everything(in: folder.path) == before)
    // As it lies there, perhaps on a disk that can't be written.
    #expect(try migrator.diagnose(original).causes.map(\.code) == found.causes.map(\.code))
  }

  @Test func `a damaged table is named with its entity and the rows before the damage`() throws {
    let zoo = try ZooStore()
    let broken = try #require(BrokenStore.all.first { $0.expected == .damagedTable })
    _ = try broken.make(zoo)
    let cause = try #require(try migrator.diagnose(zoo.path).causes.first)
    #expect(cause.evidence.contains { $0.hasPrefix("table 'ZANIMAL' of 'Animal': ") })
  }

  @Test func `a folder's stores are found, broken ones too, and other databases aren't`() throws {
    let folder = try TemporaryDirectory()
    let inner = folder.path("AppData/Library/Application Support")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    let zoo = try ZooStore()
    try Data(FileSystem.read(zoo.path)).write(to: URL(filePath: inner + "/zoo.bin"))
    try Data().write(to: URL(filePath: inner + "/default.store"))
    try Data([1]).write(to: URL(filePath: inner + "/lost.sqlite-wal"))
    try Data([1]).write(to: URL(filePath: inner + "/notes.txt"))
    try Connection(path: inner + "/Cache.sqlite", mode: .create).execute("CREATE TABLE t (a)")
    #expect(
      StoreCandidates(among: FileSystem.files(below: folder.path, depth: 8)).found
        == ["default.store", "lost.sqlite", "zoo.bin"].map { "\(inner)/\($0)" })
  }
}
