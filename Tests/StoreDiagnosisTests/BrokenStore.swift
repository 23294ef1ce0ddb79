import Foundation
import Migrations
import Platform
import SQLite
import StoreDiagnosis
import StoreFormat
import StoreMigration
import StoreModel
import TestSupport
import Testing

/// A store that is broken in one way, and what `diagnose` must say first.
struct BrokenStore: CustomTestStringConvertible, Sendable {
  let name: String
  let expected: CauseCode

  /// The number of Apple's error that must be named; `nil` if none is known.
  let code: Int64?

  /// Breaks the store at the path, and returns the app's versions.
  let make: @Sendable (ZooStore) throws -> [ModelVersion]

  var testDescription: String { name }

  private init(
    _ name: String, _ expected: CauseCode, _ code: Int64? = nil,
    _ make: @escaping @Sendable (ZooStore) throws -> [ModelVersion]
  ) {
    (self.name, self.expected, self.code, self.make) = (name, expected, code, make)
  }

  /// Breaks a store by a statement, and leaves no app to compare it with.
  private init(
    _ name: String, _ expected: CauseCode, _ code: Int64? = nil, sql: String
  ) {
    self.init(name, expected, code) { zoo in
      try zoo.damage(sql)
      try zoo.addLog()
      return []
    }
  }
}

extension BrokenStore {
  static let all = files + log + structure + app + rows + surroundings

  private static func write(_ bytes: [UInt8], at offset: Int, _ path: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  private static func replace(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  private static let files: [BrokenStore] = [
    .init("nothing at the path", .noStore) { zoo in
      try FileSystem.remove(zoo.path)
      try FileSystem.remove(zoo.path + "-wal")
      return []
    },
    .init("a log without a store", .noMainFile) { zoo in
      try FileSystem.remove(zoo.path)
      return []
    },
    .init("zero bytes", .emptyFile) { zoo in
      try replace(zoo.path, [])
      return []
    },
    .init("a text", .notADatabase, 26) { zoo in
      try replace(zoo.path, Array(String(repeating: "no store, ", count: 900).utf8))
      return []
    },
    .init("random bytes", .encrypted, 26) { zoo in
      var numbers = SeededGenerator(seed: 3)
      try replace(zoo.path, (0..<8192).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
      return []
    },
    .init("half a file", .truncated, 11) { zoo in
      let bytes = try FileSystem.read(zoo.path)
      try replace(zoo.path, Array(bytes.prefix(bytes.count / 2)))
      return []
    },
    .init("a broken page of the schema", .damaged, 11) { zoo in
      try write(Array(repeating: 0xFF, count: 3_000), at: 100, zoo.path)
      return []
    },
    .init("another app's database", .notAStore, 134020) { zoo in
      try FileSystem.remove(zoo.path)
      try Connection(path: zoo.path, mode: .create).execute("CREATE TABLE t (a)")
      return []
    },
    .init("a file that its owner can't read", .unreadable, 257) { zoo in
      try chmod(zoo.path, 0o200)
      return []
    },
  ]

  private static func chmod(_ path: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Writes into the log, and returns the store and the log's index as they are before it is closed.
  private static func filesInUse(of path: String) throws -> [(String, [UInt8])] {
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    try writer.execute("UPDATE ZTOY SET ZKIND = 'x'")
    return try ["", "-shm"].map { ($0, try FileSystem.read(path + $0)) }
  }

  private static let log: [BrokenStore] = [
    .init("a log that was left behind", .missingLog) { zoo in
      try FileSystem.remove(zoo.path + "-wal")
      let kept = try filesInUse(of: zoo.path)
      for (name, bytes) in kept { try replace(zoo.path + name, bytes) }
      _ = try FileSystem.removeIfPresent(zoo.path + "-wal")
      return []
    },
    .init("a log that isn't one", .unusableLog) { zoo in
      try replace(zoo.path + "-wal", Array(repeating: 7, count: 4_096))
      return []
    },
    .init("a folder in the log's place", .strangeCompanion, 14) { zoo in
      try FileSystem.remove(zoo.path + "-wal")
      try FileSystem.createDirectory(zoo.path + "-wal")
      return []
    },
    .init("a journal to roll back", .hotJournal) { zoo in
      try FileSystem.remove(zoo.path + "-wal")
      try write([1, 1], at: 18, zoo.path)
      let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      try replace(zoo.path + "-journal", magic + Array(repeating: 1, count: 8_000))
      return []
    },
  ]

  private static let structure: [BrokenStore] = [
    .init("no metadata", .noMetadata, 134130, sql: "DELETE FROM Z_METADATA"),
    .init(
      "metadata that can't be read", .noMetadata, 134100,
      sql: "UPDATE Z_METADATA SET Z_PLIST = x'00'"),
    .init("another model in the cache", .badModelCache, 134130) { zoo in
      try zoo.setCache(ZooStore.model(lives: .string))
      try zoo.addLog()
      return []
    },
    .init(
      "a cache that can't be read", .badModelCache, 134130,
      sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'"),
    .init("a missing column", .torn, 1, sql: "ALTER TABLE ZANIMAL DROP COLUMN ZLIVES"),
    .init("a missing table", .torn, 1, sql: "DROP TABLE ZTAG"),
    .init(
      "another entity number", .torn, 1,
      sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = 40 WHERE Z_NAME = 'Tag'"),
  ]

  private static let rows: [BrokenStore] = [
    .init("a damaged table", .damagedTable, 11) { zoo in
      let connection = try Connection(path: zoo.path, mode: .readOnly)
      let page =
        try connection.value(
          "SELECT rootpage FROM sqlite_schema WHERE name = 'ZANIMAL'")?.int64 ?? 0
      let size = try connection.value("PRAGMA page_size")?.int64 ?? 0
      try write(Array(repeating: 0xEE, count: 600), at: Int((page - 1) * size), zoo.path)
      try zoo.addLog()
      return []
    },
    .init("rows of no entity", .strangeRows, sql: "UPDATE ZTAG SET Z_ENT = 99 WHERE Z_PK = 1"),
    .init("keys that are taken", .keysTooLow, 256, sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 0"),
    .init("mandatory values", .missingValues, 1570, sql: "UPDATE ZANIMAL SET ZNAME = NULL"),
    .init(
      "a text in place of bytes", .wrongTypes, 134060,
      sql: "UPDATE ZPHOTO SET ZLARGE = 'text' WHERE Z_PK = (SELECT min(Z_PK) FROM ZPHOTO)"),
    .init(
      "a trigger of another program", .strangeTriggers,
      sql: "CREATE TRIGGER spy AFTER INSERT ON ZTAG BEGIN SELECT 1; END"),
    .init("links to nothing", .danglingLinks, 134060, sql: "UPDATE ZPHOTO SET ZSUBJECT = 9999"),
    .init("a missing unique index", .missingIndex) { zoo in
      let connection = try Connection(path: zoo.path, mode: .readWrite)
      let names = try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%'"
      ).compactMap { $0[0].string }
      for name in names { try connection.execute("DROP INDEX \(quoteIdentifier(name))") }
      try zoo.addLog()
      return []
    },
    .init(
      "an external file that is gone", .externalFiles,
      sql: """
        UPDATE ZPHOTO SET ZLARGE = \
        CAST(x'02' || '1F6E9A7C-5A5E-4C3B-9D8E-0A1B2C3D4E5F' || x'00' AS BLOB)
        """),
  ]

  private static let surroundings: [BrokenStore] = [
    .init("a migration of the tool that was killed", .interruptedRun) { zoo in
      let name = "20250301T101112Z-1-2"
      try FileSystem.createDirectory(zoo.path + ".snapshots")
      try FileSystem.createDirectory(zoo.path + ".snapshots/" + name)
      return []
    },
    .init("a migration of the app that was killed", .interruptedMigration, 134110) { zoo in
      try replace(
        zoo.folder.path(".default.store.migrationdestination_41b5a6b5c6e848c462a8480cd24caef3"),
        [1])
      return []
    },
    .init("a file that can't be written", .readOnly, 8) { zoo in
      try chmod(zoo.path, 0o444)
      return []
    },
    .init("a folder that can't be written", .readOnly, 8) { zoo in
      try chmod(zoo.folder.path, 0o555)
      return []
    },
    .init("a header that says read-only", .readOnly, 8) { zoo in
      try write([3], at: 18, zoo.path)
      return []
    },
  ]
}

// MARK: - Apps

extension BrokenStore {
  static func version(_ name: String, _ model: Model) -> ModelVersion {
    ModelVersion(SchemaFile(app: "zoo", version: name, model: model))
  }

  /// The zoo with another entity in place of the one with its name, or without it.
  static func zoo(
    _ identifier: String = "1.0.0", replacing name: String, by entity: Entity?
  ) -> Model {
    Model(
      entities: ZooStore.model.entities.compactMap { $0.name == name ? entity : $0 },
      versionIdentifiers: [identifier])
  }

  private static func dog(_ attribute: Attribute) -> Entity {
    Entity(name: "Dog", superentityName: "Animal", properties: [.attribute(attribute)])
  }

  private static let app: [BrokenStore] = [
    .init("two versions with one checksum", .duplicateChecksums) { _ in
      [version("1", ZooStore.model), version("2", ZooStore.model)]
    },
    .init("another app's store", .otherApp, 134504) { _ in
      [version("1", Model(entities: [Entity(name: "Trip"), Entity(name: "Stop")]))]
    },
    .init("an app that is older than the store", .newerStore, 134506) { _ in
      let older = dog(Attribute(name: "bark", type: .string, isOptional: true))
      return [version("0.9", zoo("0.9.0", replacing: "Dog", by: older))]
    },
    .init("a version that was changed after it shipped", .unknownModel, 134504) { _ in
      let changed = dog(Attribute(name: "bark", type: .string, isOptional: true))
      let newest = dog(Attribute(name: "age", type: .integer16, isOptional: true))
      return [
        version("1", zoo(replacing: "Dog", by: changed)),
        version("2", zoo("2.0.0", replacing: "Dog", by: newest)),
      ]
    },
    .init("a new mandatory attribute", .noValue, 134110) { _ in
      let next = dog(Attribute(name: "bark", type: .string))
      return [version("1", ZooStore.model), version("2", zoo("2.0.0", replacing: "Dog", by: next))]
    },
    .init("a changed type", .notInferred, 134190) { _ in
      [version("1", ZooStore.model), version("2", ZooStore.model(lives: .string))]
    },
    .init("a new unique constraint", .duplicateRows, 134111) { zooStore in
      try zooStore.damage("UPDATE ZTOY SET ZKIND = 'ball'")
      try zooStore.addLog()
      guard let toy = ZooStore.model["Toy"] else { return [] }
      let unique = Entity(
        name: "Toy", properties: toy.properties, uniquenessConstraints: [["kind"]],
        indexes: toy.indexes)
      return [
        version("1", ZooStore.model), version("2", zoo("2.0.0", replacing: "Toy", by: unique)),
      ]
    },
    .init("an entity that the app drops", .losesData) { _ in
      let next = zoo("2.0.0", replacing: "Dog", by: nil)
      return [version("1", ZooStore.model), version("2", next)]
    },
  ]
}
