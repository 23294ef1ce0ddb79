import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Checking a store against the snapshot that it was made from: the app nobody knows, one version on.
@Suite struct OriginTests {
  let zoo: ZooStore
  let migrator = StoreMigrator(catalog: Catalog(versions: [], migrations: []))

  init() throws {
    zoo = try ZooStore()
  }

  @discardableResult
  private func migrate() throws -> (plan: Plan, apply: ApplyReport) {
    var entities = ZooStore.model.entities
    let place = try #require(entities.firstIndex { $0.name == "Toy" })
    let toy = entities[place]
    entities[place] = Entity(
      name: toy.name,
      properties: toy.properties + [
        .attribute(Attribute(name: "note", type: .string, isOptional: true))
      ], indexes: toy.indexes)
    let model = Model(entities: entities, versionIdentifiers: ["2.0.0"])
    let request = MigrationRequest(
      schema: SchemaFile(app: "Zoo", version: "2", model: model), acceptedLosses: ["all"])
    return (try migrator.plan(for: zoo.path, request), try migrator.apply(to: zoo.path, request))
  }

  private func failures() throws -> [String] {
    try zoo.report().checks.filter { !$0.isPassed }.flatMap { check in
      check.details.map { "\(check.name): \($0)" }
    }
  }

  @Test func `the account is kept of every kind of table`() throws {
    try migrate()
    let report = try migrator.verify(zoo.path, comparesReceipt: true)
    #expect(report.isPassed, "\(report.checks.flatMap(\.details))")
    #expect(report.checks.suffix(3).map(\.name) == ["snapshot", "ledger", "receipt"])
  }

  /// The account then ends at the new row, and has seen only what the run left.
  @Test func `a row that was added since is seen, though all others are as they were`() throws {
    try migrate()
    try zoo.damage(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Toy';
      INSERT INTO ZTOY (Z_PK, Z_ENT, Z_OPT, ZKIND)
      SELECT Z_MAX, Z_ENT, 1, 'new' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Toy'
      """)
    let report = try migrator.verify(zoo.path, comparesReceipt: true)
    #expect(report.isPassed, "\(report.checks.flatMap(\.details))")
    #expect(report.receipt?.isUnchanged == false)
    let change = EntityChange(entity: "Toy", added: 1, changed: 0, removed: 0)
    #expect(report.receipt?.changes == [change])
  }

  @Test func `a link that leads nowhere fails only if it didn't in the snapshot`() throws {
    try zoo.damage("UPDATE ZPHOTO SET ZSUBJECT = 90001 WHERE Z_PK = 1")
    try zoo.damage("INSERT INTO Z_6TOYS SELECT Z_6TAGS, 90002 FROM Z_6TOYS LIMIT 1")
    try migrate()
    #expect(try failures() == [])
    #expect(try zoo.report().warnings.count == 2)
    try zoo.damage("UPDATE ZTOY SET ZKIND = 'other'")
    #expect(try failures() == [])
    try zoo.damage("UPDATE ZPHOTO SET ZSUBJECT = 90001 WHERE Z_PK IN (2, 3)")
    #expect(
      try failures() == [
        "links: 2 links of 'Photo.subject' have no destination row, but had one when the store was migrated"
      ])
    try zoo.damage("INSERT INTO Z_6TOYS SELECT Z_6TAGS, 90003 FROM Z_6TOYS LIMIT 1")
    #expect(try failures().count == 2)
    #expect(try failures().last?.hasPrefix("links: 1 link of 'T") == true)
  }

  @Test func `a file that is lost since fails, one that was missing before doesn't`() throws {
    let names = ["11111111", "22222222"].map { $0 + "-8B86-4D01-B42D-00CF4FC964FF" }
    for (place, name) in names.enumerated() {
      let reference = Hexadecimal.encode([2] + Array(name.utf8) + [0])
      try zoo.damage("UPDATE ZPHOTO SET ZLARGE = x'\(reference)' WHERE Z_PK = \(place + 1)")
    }
    try zoo.damage("UPDATE ZPHOTO SET ZLARGE = NULL WHERE Z_PK > 2")
    let file = try zoo.folder.createExternalData() + "/\(names[0])"
    try FileSystem.create(file, [1, 2, 3])
    let (plan, report) = try migrate()
    let missing = PlanWarning(
      code: "external-data", rows: 0,
      message: "1 file of 'Photo.large' is missing in '.default_SUPPORT'; "
        + "the app finds no value there, before the migration as after it")
    #expect(plan.warnings.contains(missing))
    #expect(report.warnings.contains(missing))
    #expect(try failures() == [])
    #expect(
      try zoo.report().warnings.map(\.message) == [
        "1 file of 'Photo.large' is missing in '.default_SUPPORT'"
      ])
    try FileSystem.remove(file)
    #expect(
      try failures() == [
        "external-data: 1 file of 'Photo.large' is missing in '.default_SUPPORT', "
          + "but the snapshot has it"
      ])
    let receipt = try #require(try migrator.verify(zoo.path, comparesReceipt: true).receipt)
    #expect(receipt.files == FileChanges(added: 0, changed: 0, removed: 1))
  }

  @Test func `the ledger sees a snapshot whose rows aren't the store's`() throws {
    try migrate()
    let (snapshot, old) = try #require(try SnapshotFolder.done(of: StoreFiles(path: zoo.path)).last)
    // Another snapshot, with a receipt that fits it: only the rows tell.
    do {
      let connection = try Connection(path: snapshot.mainFile.path, mode: .readWrite)
      try connection.execute("UPDATE ZTOY SET ZKIND = 'other' WHERE Z_PK = 1")
    }
    let hash = try FileDescriptor(opening: snapshot.mainFile.path).hash(
      replacingHeader: old.header)
    let text = old.text.replacing(old.snapshotHash, with: hash)
    try FileSystem.replace(snapshot.file(.receipt).path, with: Array(text.utf8))
    let failures = try failures()
    #expect(!failures.isEmpty)
    #expect(failures.allSatisfy { $0.hasPrefix("ledger: ") })
  }
}
