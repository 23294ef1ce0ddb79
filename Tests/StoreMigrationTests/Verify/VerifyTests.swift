import Platform
import PropertyList
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import StoreProof

@Suite struct VerifyTests {
  let store: ZooStore

  init() throws {
    store = try ZooStore()
  }

  /// Expects one check to fail with these messages, and all others to pass.
  private func expect(
    _ check: String, _ messages: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let report = try store.report()
    let failed = report.checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == [check], sourceLocation: sourceLocation)
    #expect(failed.flatMap(\.details) == messages, sourceLocation: sourceLocation)
    #expect(report.warnings == [], sourceLocation: sourceLocation)
    #expect(!report.isPassed, sourceLocation: sourceLocation)
  }

  @Test func `a store of an unknown app passes by its own model and stays as it was`() throws {
    let before = try fingerprint(of: store.folder)
    let report = try store.report()
    #expect(report.isPassed, "\(report.checks.flatMap(\.details))")
    #expect(report.warnings == [])
    #expect(
      report.checks.map(\.name) == [
        "integrity", "metadata", "hashes", "model-cache", "entity-numbers", "tables", "indexes",
        "row-entities", "maximum-keys", "mandatory-values", "links", "external-data", "history",
      ])
    #expect(try fingerprint(of: store.folder) == before)
  }

  @Test func `a check that can't be done isn't told as passed`() throws {
    try store.damage("UPDATE Z_MODELCACHE SET Z_CONTENT = x'FFFF'")
    let unchecked = try store.report().checks.filter { $0.uncheckedReason != nil }
    #expect(
      unchecked.map(\.name) == [
        "hashes", "entity-numbers", "tables", "indexes", "row-entities", "maximum-keys",
        "mandatory-values", "links", "external-data", "history",
      ])
    #expect(unchecked.allSatisfy { $0.uncheckedReason == "the store's model can't be read" })
  }

  @Test func `each damage of a page has its own line`() {
    let finding = Finding(
      .integrity, "SQLite: *** in database main ***\nTree 5 page 5: one\nTree 6 page 7: two")
    #expect(finding.lines == ["SQLite: Tree 5 page 5: one", "SQLite: Tree 6 page 7: two"])
    #expect(Finding(.links, "a\nb").lines == ["a\nb"])
  }

  @Test(arguments: Damage.all)
  func `each kind of damage is named by its check alone`(damage: Damage) throws {
    var messages = damage.messages
    for table in ["ZTOY", "ZANIMAL"] {
      let highest = try #require(try rows(of: table, in: store.path).last?["Z_PK"]?.int64)
      messages = messages.map { $0.replacing("KEY(\(table))", with: String(highest)) }
    }
    try store.damage(damage.sql)
    if let check = damage.check { return try expect(check, messages) }
    let report = try store.report()
    #expect(report.isPassed, "\(report.checks.flatMap(\.details))")
    #expect(report.warnings.map(\.message) == messages)
  }

  @Test func `a changed hash is named`() throws {
    try store.editMetadata { $0.editHashes { $0["Toy"] = .data([UInt8](repeating: 7, count: 32)) } }
    try expect("hashes", ["the hash of 'Toy' in the metadata doesn't match the model cache"])
  }

  @Test func `a missing hash is named`() throws {
    try store.editMetadata { $0.editHashes { $0["Toy"] = nil } }
    try expect("hashes", ["the metadata has no hash of 'Toy'"])
  }

  @Test func `a surplus hash is named`() throws {
    try store.editMetadata { $0.editHashes { $0["Ghost"] = .data([]) } }
    try expect("hashes", ["the metadata has a hash of 'Ghost', which the model cache doesn't have"])
  }

  @Test func `missing hashes are named`() throws {
    try store.editMetadata { $0["NSStoreModelVersionHashes"] = nil }
    try expect("hashes", ["the metadata has no entity hashes"])
  }

  @Test func `a changed digest is named`() throws {
    try store.editMetadata { $0["NSStoreModelVersionHashesDigest"] = .string("AAAA") }
    try expect("hashes", ["the digest in the metadata doesn't match the model cache"])
  }

  @Test func `a changed checksum is named`() throws {
    try store.editMetadata { $0["NSStoreModelVersionChecksumKey"] = .string("AAAA") }
    try expect("hashes", ["the checksum in the metadata doesn't match the model cache"])
  }

  @Test func `metadata without digest and checksum is that of an old system`() throws {
    try store.editMetadata {
      $0["NSStoreModelVersionChecksumKey"] = nil
      $0["NSStoreModelVersionHashesDigest"] = nil
    }
    #expect(try store.report().isPassed)
  }

  @Test func `metadata that isn't a property list is named`() throws {
    try store.damage("UPDATE Z_METADATA SET Z_PLIST = x'0102'")
    let report = try store.report()
    let failed = report.checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == ["metadata"])
    #expect(failed[0].details.count == 1)
    #expect(failed[0].details[0].hasPrefix("the store's metadata can't be read: "))
  }

  @Test func `a cache that can't be unpacked is named`() throws {
    try store.damage("UPDATE Z_MODELCACHE SET Z_CONTENT = x'FFFF'")
    let report = try store.report()
    let failed = report.checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == ["model-cache"])
    #expect(failed[0].details.count == 1)
    #expect(failed[0].details[0].hasPrefix("the store's model cache can't be read: "))
  }

  @Test func `a stale cache is told from a changed hash`() throws {
    try store.setCache(ZooStore.model(lives: .integer32))
    let failed = try store.report().checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == ["hashes", "model-cache"])
    #expect(
      failed.flatMap(\.details) == [
        "the hash of 'Cat' in the metadata doesn't match the model cache",
        "the digest in the metadata doesn't match the model cache",
        "the checksum in the metadata doesn't match the model cache",
        "the model cache is stale: the metadata is consistent but belongs to another model",
      ])
  }

  @Test func `missing external files are counted, present ones aren't`() throws {
    let name = "0F9619FF-8B86-4D01-B42D-00CF4FC964FF"
    let reference = Hexadecimal.encode([2] + Array(name.utf8) + [0])
    try store.damage("UPDATE ZPHOTO SET ZLARGE = x'\(reference)' WHERE Z_PK <= 3")
    var report = try store.report()
    #expect(report.isPassed)
    #expect(
      report.warnings.map(\.message) == [
        "3 files of 'Photo.large' are missing in '.default_SUPPORT'"
      ])
    let data = store.folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    try FileSystem.createDirectory(store.folder.path(".default_SUPPORT"))
    try FileSystem.createDirectory(data)
    try FileSystem.copy(store.path, to: "\(data)/\(name)")
    report = try store.report()
    #expect(report.warnings == [])
  }

  @Test(arguments: ["ZTOY", "ZANIMAL_Z_ENT_INDEX"])
  func `an overwritten page is damage to the file`(owner: String) throws {
    let page: Int64
    do {
      let connection = try Connection(path: store.path, mode: .readOnlyUnshared)
      page = try #require(
        connection.value("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(owner)])?
          .int64)
    }
    do {
      let file = try FileDescriptor(opening: store.path, for: .updating)
      try file.write([UInt8](repeating: 0xAA, count: 4096), at: (page - 1) * 4096)
    }
    let failed = try store.report().checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == ["integrity"])
    #expect(failed.flatMap(\.details).allSatisfy { $0.hasPrefix("SQLite: ") })
  }
}

extension [String: PropertyList] {
  fileprivate mutating func editHashes(_ edit: (inout [String: PropertyList]) -> Void) {
    var hashes = self["NSStoreModelVersionHashes"]?.dictionaryValue ?? [:]
    edit(&hashes)
    self["NSStoreModelVersionHashes"] = .dictionary(hashes)
  }
}
