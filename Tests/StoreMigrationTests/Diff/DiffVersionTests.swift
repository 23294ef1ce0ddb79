import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
@testable import StoreProof

/// Stores of two versions: names follow the migrations between them, in either direction.
@Suite struct DiffVersionTests {
  static let menagerie = Migration(
    app: "Menagerie", from: "V1", to: "V2",
    steps: [
      .addEntity("Acre"), .renameEntity("Toy", to: "Gadget"),
      .merge(
        ["Cat", "Dog"].map { PropertyPath(entity: $0, property: "sound") },
        to: PropertyPath(entity: "Animal", property: "sound")),
      .rename(PropertyPath(entity: "Person", property: "name"), to: "familyName"),
      .rename(PropertyPath(entity: "Person", property: "toys"), to: "gadgets"),
      .drop(PropertyPath(entity: "Person", property: "secret")),
      .add(PropertyPath(entity: "Person", property: "note"), value: nil),
    ])

  private func menagerieMigrator() -> StoreMigrator {
    let versions = [("V1", MenagerieModel.first), ("V2", MenagerieModel.second)].map {
      ModelVersion(SchemaFile(app: "Menagerie", version: $0, model: $1))
    }
    return StoreMigrator(catalog: Catalog(versions: versions, migrations: [Self.menagerie]))
  }

  @Test(arguments: 1...20)
  func `names follow renamed entities, attributes, relationships and merged attributes`(
    seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let (old, new) = (folder.path("old.store"), folder.path("new.store"))
    try makeMenagerie(MenagerieModel.first, at: old, seed: seed)
    try FileSystem.copy(old, to: new)
    let migrator = menagerieMigrator()
    _ = try migrator.apply(
      to: new, MigrationRequest(target: "V2", acceptedLosses: ["all"]))
    let (equal, nothing) = try migrator.told(old, new)
    #expect(nothing == [], "seed \(seed)")
    #expect(equal.entities.allSatisfy { $0.rowsOnlyInA + $0.rowsOnlyInB + $0.rowsChanged == 0 })
    let people = try #require(equal.entities.first { $0.name.a == "Person" })
    #expect(people.unpaired.map(\.name.a) == [nil, "secret"])
    #expect(people.unpaired.map(\.name.b) == ["note", nil])
    #expect(people.unpaired[0].valuesInB == 0)
    #expect(people.unpaired[1].valuesInA > 0)
    let toys = try #require(equal.entities.first { $0.name.a == "Toy" })
    #expect(toys.name.b == "Gadget")
    #expect(toys.properties.map(\.name.b) == ["Person.wishes", "price"])
    #expect(equal.relationships.map(\.linksOnlyInA) == [0])
    // The renaming identifiers tell the same without a migration.
    let alone = StoreMigrator(catalog: Catalog(versions: [], migrations: []))
    #expect(try alone.told(old, new).told == [], "seed \(seed)")
    let (byNames, back) = (
      try alone.difference(between: old, and: new), try alone.difference(between: new, and: old)
    )
    #expect(byNames.entities == equal.entities)
    #expect(byNames.relationships == equal.relationships)
    try expectMirrored(byNames, back)
    try expectEditsFound(
      between: old, and: new, in: folder, migrator, seed: seed,
      newNames: ["Gadget": "Toy"], ignoring: ["Person.note"])
  }

  @Test(arguments: ["V1", "V3", "V6", "V6@plan", "V7@additive"])
  func `a migrated store has the rows and carried values of the old one`(version: String) throws {
    let folder = try TemporaryDirectory()
    let old = try makeStore(version, rows: 80, seed: 5, in: folder)
    let new = folder.path("new.store")
    try FileSystem.copy(old, to: new)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(
      to: new, MigrationRequest(userID: "user", acceptedLosses: ["all"]))
    let difference = try migrator.difference(between: old, and: new)
    for entity in difference.entities where entity.name.a != nil {
      #expect(entity.rowsOnlyInA == 0)
      #expect(entity.rowsOnlyInB == 0)
      // The additive edition's own columns are filled where they hold placeholders.
      if version != "V7@additive" { #expect(entity.rowsChanged == 0, "\(entity)") }
    }
    try expectMirrored(difference, try migrator.difference(between: new, and: old))
  }

  @Test(arguments: ["V1", "V3@guide", "V7", "V9", "V10"])
  func `FitIQ's profile is one entity under all its names`(version: String) throws {
    let folder = try TemporaryDirectory()
    let old = try makeStore(version, of: "FitIQ", rows: 60, seed: 5, in: folder)
    let new = folder.path("new.store")
    try FileSystem.copy(old, to: new)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(
      to: new, MigrationRequest(userID: "user", acceptedLosses: ["all"]))
    let difference = try migrator.difference(between: old, and: new)
    let profile = difference.entities.first { $0.name.b == "SDUserProfileV11" }
    #expect(profile?.name.a?.hasPrefix("SDUserProfile") == true)
    #expect(profile?.rowsEqual ?? 0 > 0)
    for entity in difference.entities where entity.name.a != nil {
      #expect(entity.rowsOnlyInA == 0)
      #expect(entity.rowsOnlyInB == 0)
      // Links that were missing are made of what names the profile.
      let changed = entity.properties.filter { $0.cellsChanged > 0 }.map(\.name.b)
      #expect(Set(changed).isSubset(of: ["userProfile"]), "\(entity)")
    }
    try expectMirrored(difference, try migrator.difference(between: new, and: old))
  }

  @Test func `of several attributes that are converted at once, equal names are partners`() throws {
    let folder = try TemporaryDirectory()
    let old = try makeStore("V7", of: "FitIQ", rows: 60, seed: 5, in: folder)
    let new = folder.path("new.store")
    try FileSystem.copy(old, to: new)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(
      to: new, MigrationRequest(userID: "user", acceptedLosses: ["all"]))
    let difference = try migrator.difference(between: old, and: new)
    let items = try #require(difference.entities.first { $0.name.a == "SDMealLogItem" })
    #expect(
      items.unpaired.map { [$0.name.a, $0.name.b] } == [
        ["parsingNotes", "parsingNotes"], ["quantity", "quantity"], [nil, "unit"],
      ])
    #expect(items.unpaired[1].valuesInA > 0)
  }

  @Test func `attributes that are converted or new are listed once, with their values`() throws {
    let folder = try TemporaryDirectory()
    let old = try makeStore("V6", rows: 80, seed: 5, in: folder)
    let new = folder.path("new.store")
    try FileSystem.copy(old, to: new)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: new, MigrationRequest(userID: "user"))
    let difference = try migrator.difference(between: old, and: new)
    let events = try #require(difference.entities.first { $0.name.a == "SDOutboxEvent" })
    #expect(
      events.unpaired.map { [$0.name.a, $0.name.b] } == [
        [nil, "entityID"], [nil, "isNewRecord"], [nil, "maxAttempts"], ["payload", "metadata"],
        [nil, "priority"], [nil, "userID"],
      ])
    let payload = try rows(of: "ZSDOUTBOXEVENT", in: old).count { $0["ZPAYLOAD"] != .null }
    let metadata = try rows(of: "ZSDOUTBOXEVENT", in: new).count { $0["ZMETADATA"] != .null }
    #expect(events.unpaired[3].valuesInA == Int64(payload))
    #expect(events.unpaired[3].valuesInB == Int64(metadata))
    #expect(events.unpaired[0].valuesInB == 80)
    let renamed = events.properties.filter { $0.name.newName != nil }.map(\.name)
    #expect(renamed == [PairedName(a: "retryCount", b: "attemptCount")])
    #expect(!difference.isEqual)
    try expectEditsFound(
      between: old, and: new, in: folder, migrator, seed: 9, newNames: [:],
      ignoring: Set(events.unpaired.compactMap(\.name.b).map { "SDOutboxEvent." + $0 }))
  }

  @Test func `entities that moved between trees still pair, each row once`() throws {
    let folder = try TemporaryDirectory()
    func attribute(_ name: String) -> Property {
      .attribute(Attribute(name: name, type: .string, isOptional: true))
    }
    func entity(_ name: String, in parent: String? = nil) -> Entity {
      Entity(name: name, superentityName: parent, properties: [attribute("name" + name)])
    }
    let apart = Model(entities: [entity("Base"), entity("Cat"), entity("Dog"), entity("Eel")])
    let together = Model(entities: [
      entity("Base"), entity("Cat", in: "Base"), entity("Dog", in: "Base"),
      entity("Fox", in: "Base"),
    ])
    let (a, b) = (folder.path("a.store"), folder.path("b.store"))
    try makeMenagerie(apart, at: a, seed: 1)
    try makeMenagerie(together, at: b, seed: 2)
    let expected = try ReferenceStore(a).differences(to: try ReferenceStore(b))
    let (difference, told) = try bundledMigrator().told(a, b)
    // A cat has a name as a Base in one store only: that is no changed cell.
    func rows(_ told: Set<Told>) -> Set<Told> { told.filter { $0.kind != .changed } }
    #expect(rows(told) == rows(expected))
    let counts = difference.entities.map { $0.rowsOnlyInB + $0.rowsChanged + $0.rowsEqual }
    #expect(Int(counts.reduce(0, +)) == (try ReferenceStore(b).rows.count))
    try expectMirrored(difference, try bundledMigrator().difference(between: b, and: a))
  }
}

extension DiffVersionTests {
  /// Edits the new store, and expects that against the old store the same differs as against an
  /// unedited new one, under the old names and without what is new.
  private func expectEditsFound(
    between old: String, and new: String, in folder: TemporaryDirectory, _ migrator: StoreMigrator,
    seed: UInt64, newNames: [String: String], ignoring: Set<String>
  ) throws {
    let edited = folder.path("edited.store")
    try FileSystem.copy(new, to: edited)
    try RandomEdits.make(40, in: edited, seed: seed)
    let expected = try ReferenceStore(new).differences(to: try ReferenceStore(edited))
      .compactMap { told -> Told? in
        let kept = told.properties.filter { !ignoring.contains("\(told.name).\($0)") }
        if told.kind == .changed && !told.properties.isEmpty && kept.isEmpty { return nil }
        // Rows only in the new store have their new names.
        let name = told.kind == .onlyInB ? told.name : newNames[told.name] ?? told.name
        return Told(kind: told.kind, name: name, keys: told.keys, properties: kept)
      }
    let (difference, told) = try migrator.told(old, edited)
    #expect(told.filter { $0.keys.count == 1 } == Set(expected.filter { $0.keys.count == 1 }))
    // The old store may name a relationship by its other side.
    let links = expected.filter { $0.keys.count == 2 }
    #expect(told.count { $0.keys.count == 2 } == links.count, "seed \(seed)")
    try expectMirrored(difference, try migrator.difference(between: edited, and: old))
  }

  /// Expects that a comparison the other way round says the same of each entity.
  private func expectMirrored(_ forth: StoreDifference, _ back: StoreDifference) throws {
    #expect(forth.isEqual == back.isEqual)
    #expect(forth.entities.count == back.entities.count)
    for entity in forth.entities {
      let other = try #require(
        back.entities.first { $0.name == PairedName(a: entity.name.b, b: entity.name.a) })
      #expect(entity.rowsOnlyInA == other.rowsOnlyInB)
      #expect(entity.rowsOnlyInB == other.rowsOnlyInA)
      #expect(entity.rowsChanged == other.rowsChanged)
      #expect(entity.rowsEqual == other.rowsEqual)
      let cells = entity.properties.map {
        [$0.name.a ?? "", $0.name.b ?? "", "\($0.cellsChanged)"]
      }
      let otherCells = other.properties.map {
        [$0.name.b ?? "", $0.name.a ?? "", "\($0.cellsChanged)"]
      }
      #expect(Set(cells) == Set(otherCells))
      #expect(
        Set(entity.unpaired.map { [$0.valuesInA, $0.valuesInB] })
          == Set(other.unpaired.map { [$0.valuesInB, $0.valuesInA] }))
    }
    #expect(
      forth.relationships.reduce(0) { $0 + $1.linksOnlyInA }
        == back.relationships.reduce(0) { $0 + $1.linksOnlyInB })
  }
}
