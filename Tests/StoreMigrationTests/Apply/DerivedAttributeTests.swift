import Platform
import PropertyList
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import RowRewriting

/// Derived attributes and their triggers, which call functions that only Core Data has.
@Suite struct DerivedAttributeTests {
  let directory: TemporaryDirectory
  let path: String

  /// The hash that no formula gives.
  private static let hash = [UInt8](repeating: 0xDA, count: 32)

  private static let triggers = [
    """
    CREATE TRIGGER Z_DA_ZPAGE_Book_count_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW \
    WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZCOUNT = ZCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; \
    SELECT NSCoreDataDATriggerUpdated('ZBOOK', Z_ENT, Z_PK, 'count', ZCOUNT) FROM ZBOOK; END
    """,
    """
    CREATE TRIGGER Z_DA_ZBOOK_Book_count_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW \
    BEGIN UPDATE ZBOOK SET ZCOUNT = (SELECT COUNT(ZBOOK) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK); END
    """,
  ]

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("default.store")
    let model = Self.model()
    try createFixture(
      app: "Library", version: "V1", model: model, at: path, options: FixtureOptions(rows: 40))
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = DELETE")
    for trigger in Self.triggers { try connection.execute(trigger) }
    let (cache, derived) = try Self.derived(model)
    let plist = try #require(try connection.value("SELECT Z_PLIST FROM Z_METADATA")?.bytes)
    var metadata = try StoreMetadata(uuid: "", plist: plist)
    metadata.set(model: derived)
    try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?1", [.blob(metadata.plist)])
    try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(cache)])
  }

  /// The model without the knowledge that `Book.count` is derived.
  private static func model(
    page: [String] = [], book: [String] = [], others: [String] = []
  ) -> Model {
    func attributes(_ names: [String]) -> [Property] {
      names.map { .attribute(Attribute(name: $0, type: .string, isOptional: true)) }
    }
    return Model(
      entities: [
        Entity(
          name: "Book",
          properties: attributes(book) + [
            .attribute(
              Attribute(name: "count", type: .integer64, isOptional: true, isReadOnly: true)),
            .relationship(
              Relationship(name: "pages", destinationName: "Page", inverseName: "book", maxCount: 0)
            ),
          ]),
        Entity(
          name: "Page",
          properties: attributes(page) + [
            .relationship(Relationship(name: "book", destinationName: "Book", inverseName: "pages"))
          ]),
      ] + others.map { Entity(name: $0, properties: attributes(["name"])) }, dialect: .coreData)
  }

  /// Returns a cache in which `Book.count` is derived, and its model.
  private static func derived(_ plain: Model) throws -> (cache: [UInt8], model: Model) {
    let archive = try ModelCache.archive(ModelCache.encode(plain))
    var objects = archive.objects
    objects.append(
      .dictionary([
        "$classname": .string("NSDerivedAttributeDescription"),
        "$classes": .array(
          ["NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"]
            .map { .string($0) }),
      ]))
    let place = try #require(
      objects.firstIndex { object in
        guard let name = object["NSPropertyName"]?.uidValue else { return false }
        return objects[Int(name)].stringValue == "count"
      })
    var members = try #require(objects[place].dictionaryValue)
    members["$class"] = .uid(UInt64(objects.count - 1))
    objects[place] = .dictionary(members)
    let list = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(UInt64(archive.root))]), "$objects": .array(objects),
    ])
    let cache = deflateRaw(list.binary(), level: 5)
    var model = try ModelCache.decode(cache)
    model.record(VersionHashes(entities: ["Book": hash]))
    return (cache, model)
  }

  private func schema(_ plain: Model) throws -> SchemaFile {
    let (cache, model) = try Self.derived(plain)
    return SchemaFile(
      app: "Library", version: "V2", model: model, capture: SchemaCapture(modelCache: cache))
  }

  private var texts: [Value] {
    get throws {
      try Connection(path: path, mode: .readOnlyUnshared)
        .rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").map { $0[0] }
    }
  }

  private var counts: [[Value]] {
    get throws {
      try Connection(path: path, mode: .readOnlyUnshared)
        .rows("SELECT Z_PK, ZCOUNT FROM ZBOOK ORDER BY 1")
    }
  }

  @Test func `triggers and values stay where other tables and columns change`() throws {
    let before = try counts
    #expect(try texts == Self.triggers.map { .text($0) })
    let next = try schema(Self.model(page: ["note"], others: ["Aardvark", "Zoo"]))
    #expect(try SchemaFile(parsing: Array(next.text.utf8), file: nil) == next)
    let report = try bundledMigrator().apply(to: path, MigrationRequest(schema: next))
    #expect(report.isVerified)
    #expect(try texts == Self.triggers.map { .text($0) })
    #expect(try counts == before)
    let verified = try bundledMigrator().verify(path)
    #expect(verified.isPassed)
    #expect(verified.warnings.map(\.message).contains("the hash of 'Book' can't be checked"))
  }

  @Test func `what a derived attribute depends on can't change`() throws {
    let other = try Connection(path: path, mode: .readWrite)
    func refusal(_ model: Model, hash: [UInt8]? = Self.hash) throws -> String {
      var schema = try schema(model)
      if hash == nil {
        schema = SchemaFile(app: "Library", version: "V2", model: try Self.derived(model).model)
      }
      let error = #expect(throws: MigrationError.self) {
        try bundledMigrator().apply(to: path, MigrationRequest(schema: schema))
      }
      return error?.description ?? ""
    }
    try other.execute(
      """
      CREATE TRIGGER Z_DA_ZPAGE_Book_count_PARAMETER_INSERT AFTER INSERT ON ZPAGE \
      WHEN (NEW.Z_ENT IN (2)) BEGIN SELECT 1; END
      """)
    #expect(
      try refusal(Self.model(others: ["Aardvark"]))
        .contains("'Book.count' is a derived attribute"))
    #expect(
      try refusal(Self.model(others: ["Aardvark"]))
        .contains("the entity numbers in its triggers change"))
  }

  @Test func `a target whose hashes nobody captured is refused`() throws {
    let plain = Self.model(page: ["note"])
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(
        to: path, MigrationRequest(schema: SchemaFile(app: "Library", version: "V2", model: plain)))
    }
    #expect(
      error?.description.contains(
        "the target's hashes aren't known; capture its schema from a store") == true)
  }

  @Test func `a definition that isn't that of its captured hash is refused`() throws {
    func refusal(_ schema: SchemaFile) -> String {
      let error = #expect(throws: MigrationError.self) {
        try bundledMigrator().plan(for: path, MigrationRequest(schema: schema))
      }
      return error?.description ?? ""
    }
    let edited = try schema(Self.model(book: ["note"]))
    #expect(refusal(edited).contains("'Book' changes, though its captured hash doesn't"))
    // The cache isn't edited with the schema.
    let cache = try Self.derived(Self.model()).cache
    let half = ModelVersion(
      SchemaFile(
        app: "Library", version: "V2", model: edited.model,
        capture: SchemaCapture(modelCache: cache)))
    #expect(!half.hasOwnCache)
    #expect(try ModelVersion(schema(Self.model(page: ["note"]))).hasOwnCache)
  }

  @Test func `a trigger of any other name is refused and named by verify`() throws {
    try Connection(path: path, mode: .readWrite)
      .execute("CREATE TRIGGER Z_DA_watch AFTER DELETE ON ZPAGE BEGIN SELECT 1; END")
    #expect(
      try bundledMigrator().status(of: path).recognition.unsupported
        == ["it has triggers or views ('Z_DA_watch')"])
    let report = try bundledMigrator().verify(path)
    #expect(
      report.warnings.map(\.message)
        .contains("unknown: trigger 'Z_DA_watch' isn't one of a derived attribute"))
  }
}
