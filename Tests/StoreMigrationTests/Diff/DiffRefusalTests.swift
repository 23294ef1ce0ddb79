import Platform
import SQLite
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion

/// Stores that can't be compared: refused whichever of the two they are.
@Suite struct DiffRefusalTests {
  let folder: TemporaryDirectory
  let sound: String
  let broken: String

  init() throws {
    folder = try TemporaryDirectory()
    sound = try makeStore("V6", rows: 5, in: folder)
    broken = folder.path("broken.store")
  }

  private func expectRefusal(
    _ status: StoreMigration.ExitStatus, saying reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try fingerprint(of: folder)
    let migrator = try bundledMigrator()
    let errors = [
      #expect(throws: MigrationError.self) { try migrator.difference(between: broken, and: sound) },
      #expect(throws: MigrationError.self) { try migrator.difference(between: sound, and: broken) },
    ]
    for error in errors {
      #expect(error?.exitStatus == status, sourceLocation: sourceLocation)
      let sentence = error?.description ?? ""
      #expect(sentence.contains("'\(broken)'"), "\(sentence)", sourceLocation: sourceLocation)
      #expect(sentence.contains(reason), "\(sentence)", sourceLocation: sourceLocation)
    }
    #expect(try fingerprint(of: folder) == before, sourceLocation: sourceLocation)
  }

  private func damage(_ sql: String) throws {
    try FileSystem.copy(sound, to: broken)
    let connection = try Connection(path: broken, mode: .readWrite)
    try connection.execute(sql)
  }

  @Test func `a store that isn't there`() throws {
    try expectRefusal(.noStore, saying: "there is no store")
  }

  @Test func `a file that is no database`() throws {
    try FileSystem.create(broken, Array("no database at all".utf8), mode: 0o644)
    try expectRefusal(.unknownStore, saying: "isn't a SQLite database")
  }

  @Test func `a store without a model`() throws {
    try damage("DELETE FROM Z_MODELCACHE; UPDATE Z_METADATA SET Z_PLIST = NULL")
    try expectRefusal(.unknownStore, saying: "can't be determined")
  }

  @Test func `a store whose tables aren't its model's`() throws {
    try damage("ALTER TABLE ZSDMOODENTRY DROP COLUMN ZNOTES")
    try expectRefusal(.unknownStore, saying: "is torn")
  }

  @Test func `a table whose pages are damaged`() throws {
    try damage("PRAGMA wal_checkpoint(TRUNCATE)")
    let connection = try Connection(path: broken, mode: .readOnlyUnshared)
    let page = try #require(
      try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = 'ZSDMOODENTRY'")?.int64)
    let size = try #require(try connection.pragma("page_size").int64)
    var bytes = try FileSystem.read(broken)
    for place in Int((page - 1) * size)..<Int(page * size) { bytes[place] = 0xAB }
    try FileSystem.remove(broken)
    try FileSystem.create(broken, bytes, mode: 0o644)
    try expectRefusal(.unknownStore, saying: "is damaged")
  }
}
