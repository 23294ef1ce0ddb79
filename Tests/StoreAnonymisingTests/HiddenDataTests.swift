import Migrations
import Platform
import PropertyList
import SQLite
import StoreAnonymising
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Data of a customer in places that look like a store's own.
@Suite struct HiddenDataTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 60, seed: 7, in: folder)
  }

  private var result: String { folder.path("result.store") }

  private func raw(_ path: String) throws -> String {
    String(decoding: try FileSystem.read(path), as: UTF8.self)
  }

  /// Sets the content of one journal entry.
  private func set(_ content: String) throws {
    let store = try Connection(path: path, mode: .readWrite)
    try store.execute(
      """
      UPDATE ZSDJOURNALENTRY SET ZCONTENT = ?1
      WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDJOURNALENTRY)
      """, [.text(content)])
  }

  /// Returns the content of the same entry in a result, which must be clean.
  private func contentOfResult(seed: UInt64 = 3) throws -> String {
    try anonymise(path, to: result, catalog: .bundled, seed: seed)
    #expect(try checkAnonymised(result, against: path, catalog: .bundled).traces == [])
    let row = try #require(try rows(of: "ZSDJOURNALENTRY", in: result).first)
    return try #require(row["ZCONTENT"]?.string)
  }

  private static let secret = "Wilhelmina Okonkwo"

  @Test(arguments: sample(4, of: RealStore.all.filter { $0.hasLog }))
  func aModelCacheKeepsOnlyWhatItsModelLeadsTo(_ store: RealStore) throws {
    let others = try TemporaryDirectory()
    let path = try store.copy(into: others)
    let cache: [UInt8]
    do {
      let store = try Connection(path: path, mode: .readWrite)
      cache = try #require(try store.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes)
      let archive = try ModelCache.archive(cache)
      let other = KeyedArchive(
        objects: archive.objects + [PropertyList.string(Self.secret)], root: archive.root)
      let hiding = deflateRaw(other.propertyList.binary(), level: 5)
      let isSame = try ModelCache.decode(hiding) == ModelCache.decode(cache)
      try #require(isSame)
      try store.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(hiding)])
    }
    let written = try anonymise(path, to: result, catalog: .bundled, seed: 3)
    #expect(!written.kept.model.contains(Self.secret))
    #expect(try checkAnonymised(result, against: path, catalog: .bundled).traces == [])
    do {
      let store = try Connection(path: result, mode: .readWrite)
      let found = try #require(try store.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes)
      #expect(try ModelCache.decode(found) == ModelCache.decode(cache))
      let archive = try ModelCache.archive(found)
      #expect(!archive.objects.compactMap(\.stringValue).contains(Self.secret))
      // The check finds a cache that has more than its model.
      let more = KeyedArchive(
        objects: archive.objects + [PropertyList.string("x")], root: archive.root)
      try store.execute(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = ?1",
        [.blob(deflateRaw(more.propertyList.binary(), level: 5))])
    }
    let traces = try checkAnonymised(result, against: path, catalog: .bundled).traces
    #expect(traces.contains { $0.kind == .slack && $0.place == "Z_MODELCACHE" })
  }

  @Test(arguments: [
    #"{"phone":4915112345678E999}"#, #"{"phone":-4.915112345678e99999}"#, #"[1E4915112345678]"#,
    #"[491511234567849151123456784915112345678e4915112345678]"#,
  ])
  func aNumberBeyondDoubleIsReplaced(_ json: String) throws {
    try set(json)
    let content = try contentOfResult()
    #expect(!content.contains("4915112345678") && !content.contains("4.915112345678"))
    #expect(content.utf8.count == json.utf8.count)
    func signs(_ text: String) -> String { text.filter { !$0.isNumber && !$0.isLetter } }
    #expect(signs(content) == signs(json))
  }

  @Test(arguments: [
    ("2024-05-01T10:00:00.49151123456789+01:00", true), ("2024-05-01T10:00:00.491Z", true),
    ("2024-05-01T10:00:00.004915-0330", true), ("2024-05-01T10:00:00.000Z", true),
    ("2024-05-01T10:00:00+49151", false), ("2024-05-01T10:00:00+4915", false),
    ("2024-05-01T10:00:00-::491", false), ("2024-05-01T10:00:00+1", false),
  ])
  func aFractionIsReplacedAndOnlyAnOffsetOfATimeZoneStays(_ date: String, isDate: Bool) throws {
    try set(date)
    let content = try contentOfResult()
    #expect(content.utf8.count == date.utf8.count)
    #expect(!content.contains("491"))
    let zone = date.utf8.drop { $0 != 0x54 }.drop { $0 != 0x2B && $0 != 0x2D && $0 != 0x5A }
    #expect(content.hasSuffix(String(decoding: Array(zone), as: UTF8.self)) == isDate)
    #expect(content.contains("T") || !isDate)
    #expect(date.contains(".000Z") == content.contains(".000Z"))
  }

  @Test func metadataThatIsOnlyShapedLikeCoreDatasIsReplaced() throws {
    let names = ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"]
    do {
      let store = try Connection(path: path, mode: .readWrite)
      let bytes = try #require(try store.value("SELECT Z_PLIST FROM Z_METADATA")?.bytes)
      guard case .dictionary(var members) = try PropertyList(binary: bytes) else {
        Issue.record("the metadata is no dictionary")
        return
      }
      for name in names { members[name] = .string("JohnSmithHypertensionStage2") }
      try store.execute(
        "UPDATE Z_METADATA SET Z_PLIST = ?1", [.blob(PropertyList.dictionary(members).binary())])
    }
    _ = try contentOfResult()
    let bytes = try #require(try rows(of: "Z_METADATA", in: result).first?["Z_PLIST"]?.bytes)
    let list = try PropertyList(binary: bytes)
    for name in names {
      let text = try #require(list[name]?.stringValue)
      #expect(text.count == 27 && !text.contains("John") && !text.contains("Hyper"))
    }
  }

  @Test func aDigestOfCoreDataStays() throws {
    let before = try #require(try rows(of: "Z_METADATA", in: path).first?["Z_PLIST"]?.bytes)
    _ = try contentOfResult()
    let after = try #require(try rows(of: "Z_METADATA", in: result).first?["Z_PLIST"]?.bytes)
    let name = "NSStoreModelVersionHashesDigest"
    let digest = try #require(try PropertyList(binary: before)[name]?.stringValue)
    #expect(try PropertyList(binary: after)[name]?.stringValue == digest)
  }

  @Test(arguments: ["-wal", "-shm", "-journal", "-WAL"])
  func aResultIsNoPartOfAnotherStore(_ suffix: String) throws {
    #expect(throws: AnonymisingError.companionName(path + suffix)) {
      try anonymise(path, to: path + suffix, catalog: .bundled, seed: 3)
    }
    #expect(try !FileSystem.exists(path + suffix))
  }

  @Test(arguments: [
    #"CREATE TABLE ZNOTE (ZNAME VARCHAR default "John Smith")"#,
    #"CREATE TABLE ZNOTE (ZNAME VARCHAR, CHECK (ZNAME <> "John Smith"))"#,
    "CREATE TABLE ZNOTE (ZNAME INTEGER default 4915112345678)",
    "CREATE TABLE ZNOTE (ZNAME INTEGER CHECK (ZNAME < 4915112345678))",
    "CREATE TABLE ZNOTE (ZNAME VARCHAR(4915112345678))",
    "CREATE INDEX i ON ZSDMOODENTRY (ZSOURCE) WHERE Z_PK > 4915112345678",
    "CREATE INDEX i ON ZSDMOODENTRY (Z_PK + 491)",
    #"CREATE INDEX i ON ZSDMOODENTRY ("John Smith")"#,
  ])
  func aSchemaWithALiteralIsRefused(_ sql: String) throws {
    do {
      let store = try Connection(path: path, mode: .readWrite)
      // SQLite takes a name in double quotes that isn't one for a text, if it is told to.
      do { try store.execute(sql, []) } catch { return #expect(sql.contains("\"John")) }
    }
    #expect { try anonymise(path, to: result, catalog: .bundled, seed: 2) } throws: { error in
      guard case .strangeSchema = error as? AnonymisingError else { return false }
      return !"\(error)".contains("John") && !"\(error)".contains("4915")
    }
    #expect(try !FileSystem.exists(result))
  }

  @Test func theListHasColumnsAndTypesOfOtherTables() throws {
    do {
      let store = try Connection(path: path, mode: .readWrite)
      try store.execute("CREATE TABLE notes_of_john (smith_phone HYPERTENSION, ZX INTEGER)", [])
    }
    let written = try anonymise(path, to: result, catalog: .bundled, seed: 2)
    for name in ["notes_of_john", "smith_phone", "HYPERTENSION", "ZX"] {
      #expect(written.kept.schema.contains(name), "\(name)")
    }
    #expect(!written.kept.schema.contains("CREATE"))
  }
}
