import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import StoreProof

/// Rows that are paired by an attribute, against the same rows paired by key.
@Suite struct DiffByAttributeTests {
  private let folder: TemporaryDirectory
  private let a: String
  private let b: String

  init() throws {
    folder = try TemporaryDirectory()
    a = folder.path("a.store")
    b = folder.path("b.store")
  }

  private func edit(
    _ path: String, _ body: (StoreLayout, Model, borrowing Connection) throws -> Void
  ) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let model = try #require(store.cachedModel)
    try body(store.layout(of: model), model, connection)
  }

  /// The tables' columns with the keys of rows, and the tables that they lead to.
  private func links(
    _ layout: StoreLayout, _ model: Model
  ) -> [(table: String, column: String, destination: String)] {
    func table(_ entity: String?) -> String { layout.table(of: entity ?? "")?.name ?? "" }
    let foreign = layout.tables.flatMap { owner in
      owner.columns.compactMap { column in
        switch column.content {
        case .foreignKey(let entity, let name):
          let link = model.relationship(named: name, of: entity)?.relationship
          return (owner.name, column.name, table(link?.destinationName))
        case .inverselessKey(let source, _): return (owner.name, column.name, table(source))
        default: return nil
        }
      }
    }
    return foreign
      + layout.joinTables.flatMap { join in
        [join.first, join.second].map { (join.name, $0.keyColumn, table($0.entity)) }
      }
  }

  /// Names each row by its key, and removes links to missing rows.
  ///
  /// The entity depends on the key, because a row of another entity isn't the same row to a link.
  private func tidy(_ path: String) throws {
    try edit(path) { layout, model, connection in
      func number(_ entity: String) -> Int { layout.numbering.number(of: entity) ?? 0 }
      #expect(number("Dog") == number("Cat") + 1)
      try connection.execute(
        """
        UPDATE ZANIMAL SET ZNAME = 'n' || Z_PK; UPDATE ZPERSON SET ZNAME = 'n' || Z_PK;
        UPDATE ZTOY SET ZPRICE = Z_PK;
        UPDATE ZANIMAL SET Z_ENT = \(number("Cat")) + Z_PK % 2
        """)
      let joins = Set(layout.joinTables.map(\.name))
      for link in links(layout, model) {
        let command =
          joins.contains(link.table)
          ? "DELETE FROM \(link.table)" : "UPDATE \(link.table) SET \(link.column) = NULL"
        try connection.execute(
          "\(command) WHERE \(link.column) NOT IN (SELECT Z_PK FROM \(link.destination))")
      }
    }
  }

  private func otherKey(_ key: Int64) -> Int64 { 5_000 - key }

  /// Gives all rows other keys.
  private func renumber(_ path: String) throws {
    try edit(path) { layout, model, connection in
      for table in layout.tables {
        try connection.execute("UPDATE \(table.name) SET Z_PK = 5000 - Z_PK")
      }
      for link in links(layout, model) {
        try connection.execute("UPDATE \(link.table) SET \(link.column) = 5000 - \(link.column)")
      }
    }
  }

  @Test(arguments: 1...20)
  func `rows with other keys differ as they do with the same keys`(seed: UInt64) throws {
    try makeMenagerie(MenagerieModel.first, at: a, seed: seed)
    try FileSystem.copy(a, to: b)
    try RandomEdits.make(Int(seed % 8) * 6, in: b, seed: seed)
    try RandomEdits.make(Int(seed % 3) * 4, in: a, seed: seed + 1000)
    for path in [a, b] { try tidy(path) }
    let migrator = try bundledMigrator()
    let expected = try migrator.told(a, b).told
    try renumber(b)
    let before = try fingerprint(of: folder)
    let (difference, told) = try migrator.told(a, b, by: ["price", "name"])
    #expect(try fingerprint(of: folder) == before)
    let same = told.map { one in
      Told(
        kind: one.kind, name: one.name,
        keys: one.kind == .onlyInB ? one.keys.map(otherKey) : one.keys,
        properties: one.properties)
    }
    #expect(Set(same) == expected, "seed \(seed)")
    #expect(difference.isEqual == expected.isEmpty, "seed \(seed)")
  }

  @Test func `equal values are paired in the order of keys, and missing ones aren't`() throws {
    try makeMenagerie(MenagerieModel.first, at: a, seed: 1)
    try FileSystem.copy(a, to: b)
    try edit(a) { _, _, connection in
      try connection.execute("UPDATE ZPERSON SET ZNAME = 'x'")
      try connection.execute("UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 2")
    }
    try edit(b) { _, _, connection in try connection.execute("UPDATE ZPERSON SET ZNAME = 'x'") }
    var rows: [RowDifference] = []
    let difference = try bundledMigrator().difference(
      between: a, and: b, by: ["Person.name"],
      report: DifferenceReport { if case .row(let row) = $0 { rows.append(row) } })
    let people = try #require(difference.entities.first { $0.name.a == "Person" })
    #expect(people.pairedBy?.a == "name")
    #expect((people.rowsOnlyInA, people.rowsOnlyInB) == (1, 1))
    #expect(difference.entities.allSatisfy { $0.name.a == "Person" || $0.pairedBy == nil })
    let changed = rows.filter { $0.entity.a == "Person" && $0.kind == .changed }
    #expect(changed.allSatisfy { $0.keyInB == $0.key - ($0.key > 2 ? 1 : 0) })
    #expect(changed.contains { $0.key == 3 })
  }

  @Test func `an attribute that the stores don't share is refused`() throws {
    try makeMenagerie(MenagerieModel.first, at: a, seed: 1)
    try makeMenagerie(MenagerieModel.second, at: b, seed: 1)
    for name in ["secret", "Dog.name.x", "owner", ""] {
      let error = #expect(throws: MigrationError.self) {
        try bundledMigrator().difference(between: a, and: b, by: ["name", name])
      }
      guard case .request(.noAttribute(name, _)) = error?.cause else {
        Issue.record("\(name): \(error as Any)")
        continue
      }
      #expect(error?.exitStatus == .misuse)
    }
  }
}
