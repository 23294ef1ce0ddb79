import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations

/// The states of an apply that `Durability.md` specifies, as the files show them.
@Suite struct ApplyStateTests {
  private let folder: TemporaryDirectory
  private let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")
  private var path: String { folder.path("default.store") }

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: ["no file", "text", "empty", "another database", "half"])
  func `what isn't a store is refused before anything is written`(kind: String) throws {
    switch kind {
    case "text": try FileSystem.create(path, Array("not a store".utf8))
    case "empty": try FileSystem.create(path, [])
    case "another database":
      let connection = try Connection(path: path, mode: .create)
      try connection.execute("CREATE TABLE notes (text)")
    case "half":
      _ = try makeStore("V6", rows: 10, in: folder)
      let file = try FileDescriptor(opening: path, for: .updating)
      try file.truncate(to: file.status().size / 2)
    default: break
    }
    let before = try fingerprint(of: folder)
    #expect(throws: MigrationError.self) { try bundledMigrator().apply(to: path, request) }
    #expect(try fingerprint(of: folder) == before)
  }

  @Test func `a missing owner leaves nothing behind`() throws {
    _ = try makeStore("V6", rows: 200, users: 3, in: folder)
    let before = try fingerprint(of: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, MigrationRequest(rows: .deliverable))
    }
    #expect(error?.exitStatus == .misuse)
    #expect(try fingerprint(of: folder) == before)
  }

  /// Opening the store in this process would drop the lock, so the test compares time stamps.
  @Test func `the store isn't written to before the new one is proven`() throws {
    _ = try makeStore("V6", rows: 20, in: folder)
    let before = try FileStatus(of: path)
    var found: [ApplyPhase: [String]] = [:]
    _ = try bundledMigrator().apply(to: path, request) { phase in
      #expect(throws: Never.self) {
        let now = try FileStatus(of: path)
        #expect(now == before, "\(phase)")
        let snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
        found[phase] = try FileSystem.list(snapshot.path)
      }
    }
    #expect(found == [.writing: [], .proving: ["work"], .exchanging: ["work"]])
    // The new store is in WAL mode, too.
    #expect(try FileSystem.read(path)[18...19] == [2, 2])
  }
}
