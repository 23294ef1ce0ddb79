import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Later writes that the old version can't hold, and links that come back beside them.
@Suite struct UnheldValueTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static let accepting = MigrationRequest(acceptedLosses: ["all"])

  private func schema(_ version: String, _ entities: String) throws -> SchemaFile {
    try SchemaFile(
      """
      { "format_version": 1, "app": "log", "version": "\(version)", "identifiers": ["\(version)"],
        "entities": [\(entities)] }
      """)
  }

  private func make(_ schema: SchemaFile, _ sql: String) throws {
    try createFixture(
      app: "log", version: "V1", model: schema.model, at: path, options: FixtureOptions(rows: 0))
    for table in StoreLayout(schema.model).tables { try change("DELETE FROM \(table.name)") }
    try change(sql)
    try change("UPDATE Z_PRIMARYKEY SET Z_MAX = 100")
  }

  private func change(_ sql: String) throws {
    try Connection(path: path, mode: .readWrite).execute(sql)
  }

  private func values(_ table: String, _ columns: String...) throws -> [[Value]] {
    try rows(of: table, in: path).map { row in columns.map { row[$0] ?? .null } }
  }

  private func attribute(_ name: String, _ type: String, isOptional: Bool) -> String {
    #"{ "name": "\#(name)", "type": "\#(type)", "optional": \#(isOptional) }"#
  }

  // MARK: Values

  @Test(arguments: [true, false])
  func `a value that the inverse can't give is parked, and is there after the next run`(
    isOptional: Bool
  ) throws {
    func entry(_ state: String, _ count: String, _ length: String, _ type: String) -> String {
      let list = [
        attribute("state", state, isOptional: isOptional),
        attribute("count", count, isOptional: isOptional),
        attribute(length, type, isOptional: isOptional),
      ]
      return #"{ "name": "Entry", "attributes": [\#(list.joined(separator: ", "))] }"#
    }
    let old = try schema("V1", entry("Integer 16", "Integer 16", "feet", "Integer 16"))
    let new = try schema("V2", entry("String", "String", "half", "Double"))
    try make(
      old,
      """
      INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZSTATE, ZCOUNT, ZFEET)
      VALUES (1, 1, 1, 2, 10, 3), (2, 1, 1, 1, 20, 4)
      """)
    let migrator = try StoreMigrator(
      [old, new],
      steps: [
        """
        { "map": "Entry.state", "values": { "1": "open", "2": "done" } }, { "retype": "Entry.count" },
        { "compute": "Entry.half", "sql": "feet / 2.0", "inverse": { "feet": "half * 2" } },
        { "drop": "Entry.feet" }
        """
      ])
    try migrator.applyAndVerify(path)
    try change(
      """
      UPDATE ZENTRY SET ZSTATE = 'blocked', ZCOUNT = 'many', ZHALF = 1e9 WHERE Z_PK = 1;
      INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZSTATE, ZCOUNT, ZHALF)
      VALUES (9, 1, 1, 'blocked', 'more', 0.3)
      """)
    let present = try values("ZENTRY", "Z_PK", "ZSTATE", "ZCOUNT", "ZHALF")
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.parked == ["Entry.state": 2, "Entry.count": 2, "Entry.half": 2])
    #expect(try migrator.verify(path).isPassed)
    let merged = try values("ZENTRY", "Z_PK", "ZSTATE", "ZCOUNT", "ZFEET")
    #expect(
      merged
        == (isOptional
          ? [[1, .null, .null, 3], [2, 1, 20, 4], [9, .null, .null, .null]]
          : [[1, 1, 10, 3], [2, 1, 20, 4], [9, 1, 0, 0]]))
    try migrator.applyAndVerify(path, Self.accepting)
    #expect(try values("ZENTRY", "Z_PK", "ZSTATE", "ZCOUNT", "ZHALF") == present)
  }

  @Test(arguments: [true, false])
  func `a map between a number and the text of an enumeration loses nothing`(
    isReversed: Bool
  ) throws {
    let composite = #"""
      { "name": "kind", "type": "Composite", "optional": true, "info": { "EnumType": true },
        "elements": [{ "name": "kind", "type": "String", "optional": true }] }
      """#
    let number = attribute("kind", "Integer 16", isOptional: true)
    func entry(_ attribute: String) -> String {
      #"{ "name": "Entry", "attributes": [\#(attribute)] }"#
    }
    let old = try schema("V1", entry(isReversed ? composite : number))
    let new = try schema("V2", entry(isReversed ? number : composite))
    let kinds = isReversed ? ["'open'", "'done'"] : ["0", "1"]
    try make(
      old,
      """
      INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZKIND)
      VALUES (1, 1, 1, \(kinds[0])), (2, 1, 1, \(kinds[1])), (3, 1, 1, NULL)
      """)
    let table = isReversed ? #"{ "open": 0, "done": 1 }"# : #"{ "0": "open", "1": "done" }"#
    let migrator = try StoreMigrator(
      [old, new], steps: [#"{ "map": "Entry.kind", "values": \#(table) }"#])
    #expect(try migrator.plan(for: path).losses.isEmpty)
    let report = try migrator.applyAndVerify(path)
    #expect(report.ledger.contains { $0.property.hasPrefix("kind") && $0.setAside == 0 })
  }

  @Test(arguments: [true, false])
  func `a map before or after a rename has an inverse`(isBefore: Bool) throws {
    let old = try schema(
      "V1",
      #"{ "name": "Entry", "attributes": [\#(attribute("state", "Integer 16", isOptional: true))] }"#
    )
    let new = try schema(
      "V2",
      #"{ "name": "Entry", "attributes": [\#(attribute("phase", "String", isOptional: true))] }"#)
    try make(
      old, "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZSTATE) VALUES (1, 1, 1, 0), (2, 1, 1, 1)")
    let rename = #"{ "rename": "Entry.state", "to": "phase" }"#
    func map(_ name: String) -> String {
      #"{ "map": "Entry.\#(name)", "values": { "0": "open", "1": "done" } }"#
    }
    let migrator = try StoreMigrator(
      [old, new],
      steps: [isBefore ? "\(map("state")), \(rename)" : "\(rename), \(map("phase"))"])
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.isEmpty && plan.isReversible)
    try migrator.applyAndVerify(path)
    try change("UPDATE ZENTRY SET ZPHASE = 'done' WHERE Z_PK = 1")
    #expect(try migrator.rollback(path, laterWrites: .keep).parked.isEmpty)
    #expect(try values("ZENTRY", "Z_PK", "ZSTATE") == [[1, 1], [2, 1]])
  }

  // MARK: Links

  @Test func `a link within an entity comes back with its row`() throws {
    func item(_ more: String) -> String {
      #"""
      { "name": "Item", "attributes": [\#(attribute("name", "String", isOptional: true))\#(more)],
        "relationships": [
          { "name": "parent", "to": "Item", "optional": true, "inverse": "parts" },
          { "name": "parts", "to": "Item", "optional": true, "many": true, "max": 0, "ordered": true,
            "inverse": "parent" }] }
      """#
    }
    let old = try schema("V1", item(""))
    let new = try schema("V2", item(", " + attribute("note", "String", isOptional: true)))
    try make(
      old,
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPARENT, Z_FOK_PARENT)
      VALUES (1, 1, 1, 'a', NULL, NULL), (2, 1, 1, 'old', 1, 1024), (3, 1, 1, 'b', 2, 1024),
        (4, 1, 1, 'old', 5, 1024), (5, 1, 1, 'c', NULL, NULL)
      """)
    let migrator = try StoreMigrator(
      [old, new],
      steps: [
        #"{ "add": "Item.note" }, { "delete": "Item", "where": "name = 'old'", "because": "-" }"#
      ])
    try migrator.applyAndVerify(path, Self.accepting)
    try change("UPDATE ZITEM SET ZNOTE = 'later' WHERE Z_PK = 1; DELETE FROM ZITEM WHERE Z_PK = 5")
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.notes == ["1 link that came back leads nowhere: its row was deleted since"])
    #expect(
      try values("ZITEM", "Z_PK", "ZPARENT", "Z_FOK_PARENT") == [
        [1, .null, .null], [2, 1, 1024], [3, 2, 1024], [4, .null, .null],
      ])
  }

  @Test func `a one-to-one link that was replaced since doesn't come back by one side`() throws {
    func entities(_ more: String) -> String {
      #"""
      { "name": "Badge", "attributes": [\#(attribute("name", "String", isOptional: true))],
        "relationships": [{ "name": "tag", "to": "Tag", "optional": true, "inverse": "badge" }] },
      { "name": "Tag", "attributes": [\#(attribute("name", "String", isOptional: true))\#(more)],
        "relationships": [{ "name": "badge", "to": "Badge", "optional": true, "inverse": "tag" }] }
      """#
    }
    let old = try schema("V1", entities(""))
    let new = try schema("V2", entities(", " + attribute("note", "String", isOptional: true)))
    try make(
      old,
      """
      INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZTAG)
      VALUES (1, 1, 1, 'old', 1), (2, 1, 1, 'new', NULL), (3, 1, 1, 'old', 2);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZBADGE) VALUES (1, 2, 1, 1), (2, 2, 1, 3)
      """)
    let migrator = try StoreMigrator(
      [old, new],
      steps: [
        #"{ "add": "Tag.note" }, { "delete": "Badge", "where": "name = 'old'", "because": "-" }"#
      ])
    try migrator.applyAndVerify(path, Self.accepting)
    try change(
      "UPDATE ZTAG SET ZBADGE = 2 WHERE Z_PK = 1; UPDATE ZBADGE SET ZTAG = 1 WHERE Z_PK = 2")
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(
      report.notes == ["1 one-to-one link didn't come back: the other row has another link since"])
    #expect(try values("ZBADGE", "Z_PK", "ZTAG") == [[1, .null], [2, 1], [3, 2]])
    #expect(try values("ZTAG", "Z_PK", "ZBADGE") == [[1, 2], [2, 3]])
  }

  @Test func `a parked link comes back only to a row that is still there`() throws {
    func entities(_ car: String, _ person: String) -> String {
      let name = attribute("name", "String", isOptional: true)
      return #"""
        { "name": "Car", "attributes": [\#(name)]\#(car) },
        { "name": "Person", "attributes": [\#(name)]\#(person) }
        """#
    }
    func link(_ name: String, _ end: String, _ inverse: String, _ rest: String = "") -> String {
      #"{ "name": "\#(name)", "to": "\#(end)", "optional": true, "inverse": "\#(inverse)"\#(rest) }"#
    }
    let many = #", "many": true, "max": 0"#
    let cars = [link("owner", "Person", "owned"), link("drivers", "Person", "driven", many)]
    let people = [link("owned", "Car", "owner", many), link("driven", "Car", "drivers", many)]
    let old = try schema("V1", entities("", ""))
    let new = try schema(
      "V2",
      entities(
        #", "relationships": [\#(cars.joined(separator: ", "))]"#,
        #", "relationships": [\#(people.joined(separator: ", "))]"#))
    try make(
      old,
      """
      INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1)
      """)
    let migrator = try StoreMigrator(
      [old, new],
      steps: [
        #"{ "add": "Car.owner" }, { "add": "Car.drivers" }, { "add": "Person.owned" }, "#
          + #"{ "add": "Person.driven" }"#
      ])
    try migrator.applyAndVerify(path)
    let join = try #require(StoreLayout(new.model).joinTables.first)
    let (car, person) = (
      [join.first, join.second].first { $0.entity == "Car" }?.keyColumn ?? "",
      [join.first, join.second].first { $0.entity == "Person" }?.keyColumn ?? ""
    )
    try change(
      """
      UPDATE ZCAR SET ZOWNER = Z_PK; INSERT INTO \(join.name) (\(car), \(person)) VALUES (1, 1), (1, 2)
      """)
    let parked = try migrator.rollback(path, laterWrites: .keep).parked
    #expect(parked.values.reduce(0, +) == 4, "\(parked)")
    try change("DELETE FROM ZPERSON WHERE Z_PK = 1")
    let report = try migrator.applyAndVerify(path)
    #expect(report.notes.contains { $0.contains("2 parked values or rows were restored; 2 no") })
    #expect(try values("ZCAR", "Z_PK", "ZOWNER") == [[1, .null], [2, 2]])
    #expect(try values(join.name, car, person) == [[1, 2]])
    #expect(try migrator.verify(path).warnings.isEmpty)
  }

  // MARK: Formulas

  @Test func `a formula that reads what a step makes says which`() throws {
    let name = attribute("name", "String", isOptional: true)
    let made = attribute("made", "Integer 64", isOptional: true)
    let label = attribute("label", "String", isOptional: true)
    let old = try schema("V1", #"{ "name": "Entry", "attributes": [\#(name)] }"#)
    let new = try schema(
      "V2", #"{ "name": "Entry", "attributes": [\#(name), \#(made), \#(label)] }"#)
    try make(old, "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    let migrator = try StoreMigrator(
      [old, new],
      steps: [
        #"{ "sequence": "Entry.made", "by": ["name"] }, { "compute": "Entry.label", "sql": "hex(made)" }"#
      ])
    let message = try failure { _ = try migrator.plan(for: path) }
    #expect(message.contains("reads 'made', which 'sequence' makes in the same run"), "\(message)")
  }

  @Test func `an inverse of an unknown attribute is an error`() throws {
    let name = attribute("name", "String", isOptional: true)
    let label = attribute("label", "String", isOptional: true)
    let old = try schema("V1", #"{ "name": "Entry", "attributes": [\#(name)] }"#)
    let new = try schema("V2", #"{ "name": "Entry", "attributes": [\#(name), \#(label)] }"#)
    try make(old, "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    let migrator = try StoreMigrator(
      [old, new],
      steps: [
        #"{ "compute": "Entry.label", "sql": "name || '!'", "inverse": { "nmae": "label" } }"#
      ])
    let message = try failure { _ = try migrator.plan(for: path) }
    #expect(
      message.contains("'Entry' has no property 'nmae'; did you mean 'name'?"), "\(message)")
  }

  @Test func `a function that fails in an order of rows is named by row, without the value`() throws
  {
    let name = attribute("name", "String", isOptional: true)
    let place = attribute("place", "Integer 64", isOptional: true)
    let old = try schema("V1", #"{ "name": "Entry", "attributes": [\#(name)] }"#)
    let new = try schema("V2", #"{ "name": "Entry", "attributes": [\#(name), \#(place)] }"#)
    try make(
      old,
      "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, '{}'), (2, 1, 1, 'secret [')"
    )
    let migrator = try StoreMigrator(
      [old, new], steps: [#"{ "sequence": "Entry.place", "by": ["json(name)"] }"#])
    let planned = try failure { _ = try migrator.plan(for: path) }
    #expect(
      planned.contains("Entry/2: 'place' can't be computed by its formula: malformed JSON"),
      "\(planned)")
    #expect(!planned.contains("secret"))
    #expect(try failure { _ = try migrator.apply(to: path, Self.accepting) } == planned)
  }
}
