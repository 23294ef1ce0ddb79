import Migrations
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Splitting and inlining beside other steps, other attributes, sub-entities, and damaged links.
@Suite struct SplitCaseTests: SplitCases {
  let folder: TemporaryDirectory
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  // MARK: Owners

  @Test func `only rows of the entity are split, not those of its super-entity`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    for per in ["row", "value"] {
      let test = try Self()
      try test.make(old, Self.three)
      let migrator = try migrator([old, new], [Self.split(per)])
      try test.apply(migrator)
      #expect(
        try test.column("ZADDRESS")
          == [1: "1", 2: "2", 3: per == "row" ? "3" : "1"])
      #expect(try test.column("ZNAME")[90] == "cat")
      _ = try migrator.rollback(test.path)
      #expect(try test.column("ZSTREET") == [1: "Elm", 2: "Oak", 3: "Elm"])
    }
  }

  @Test func `rows that other steps remove have no part in it`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    try make(old, Self.three)
    let migrator = try migrator(
      [old, new],
      [
        #"{ "delete": "Person", "where": "city = 'gone'", "because": "x" }, "#
          + Self.split("value")
      ])
    try change("UPDATE ZBEING SET ZCITY = 'gone' WHERE Z_PK = 1", old)
    #expect(
      try migrator.plan(for: path).conversions.last?.classes.map(\.count) == [2, 0, 0])
    try apply(migrator)
    #expect(try column("ZADDRESS") == [2: "2", 3: "3"])
    #expect(try column("ZSTREET", "ZADDRESS") == [2: "Oak", 3: "Elm"])
    try change("UPDATE ZADDRESS SET ZSTREET = 'New' WHERE Z_PK = 3", new)
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try column("ZSTREET") == [1: "Elm", 2: "Oak", 3: "New"])
  }

  @Test func `a mandatory link refuses a row without values`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2", link: "false"))
    try make(old, Self.three + Self.people([(4, "NULL, NULL")]))
    let message = try failure {
      _ = try migrator([old, new], [Self.split("value")]).plan(for: path)
    }
    #expect(message.contains("Being/4") && message.contains("is mandatory"), "\(message)")
    #expect(try migrator([old, new], [Self.split("row")]).plan(for: path).blockers.isEmpty)
  }

  @Test func `a missing row gives NULL, a default, or a refusal`() throws {
    let old = try Self.apart("V1")
    try make(
      old,
      """
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET) VALUES (1, ?Address, 1, 'Elm');
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (1, ?Person, 1, 1);
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (2, ?Person, 1, NULL);
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (3, ?Person, 1, 77);
      """)
    let refused = try Self.joined("V2", street: "")
    let plan = try self.migrator([old, refused], [Self.inline]).plan(for: path)
    let message = try #require(plan.refusals.first).message
    #expect(message.contains("Being/2") && message.contains("is mandatory"), "\(message)")
    let filled = try Self.joined("V2", street: #", "default": "none""#)
    let migrator = try migrator([old, filled], [Self.inline])
    try apply(migrator)
    // As for any default, the column has it in rows of other entities, too.
    #expect(try column("ZSTREET") == [1: "Elm", 2: "none", 3: "none", 90: "none"])
    // The dangling link is the snapshot's again.
    try change("UPDATE ZBEING SET ZSTREET = 'Oak' WHERE Z_PK = 3", filled)
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try column("ZSTREET", "ZADDRESS") == [1: "Elm", 1001: "Oak"])
    #expect(try column("ZADDRESS") == [1: "1", 3: "1001"])
  }

  // MARK: Attributes

  @Test func `values of other attributes are parked under the key that the row gets again`() throws
  {
    let old = try Self.joined("V1")
    let more = ", " + Self.attribute("country", #", "default": "DE""#) + ", " + Self.attribute("id")
    let new = try Self.apart("V2", more)
    try make(old, Self.three)
    let migrator = try migrator(
      [old, new],
      [Self.split("row") + #", { "add": "Address.country" }, { "new-uuid": "Address.id" }"#])
    try apply(migrator)
    #expect(try column("ZCOUNTRY", "ZADDRESS") == [1: "DE", 2: "DE", 3: "DE"])
    #expect(Set(try column("ZID", "ZADDRESS").values).count == 3)
    try change(
      """
      UPDATE ZADDRESS SET ZCOUNTRY = 'FR' WHERE Z_PK = 1;
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET, ZCOUNTRY, ZID) VALUES (50, ?Address, 1, 'Rue', 'BE', 'x');
      UPDATE ZBEING SET ZADDRESS = 50 WHERE Z_PK = 3
      """, new)
    let report = try migrator.rollback(path, laterWrites: .keep)
    // The row 3 has no owner any more.
    #expect(report.parked == ["Address.country": 2, "Address.id": 1, "Address": 1])
    #expect(try column("ZSTREET") == [1: "Elm", 2: "Oak", 3: "Rue"])
    try apply(migrator)
    #expect(try column("ZCOUNTRY", "ZADDRESS") == [1: "FR", 2: "DE", 3: "BE"])
    #expect(try column("ZADDRESS") == [1: "1", 2: "2", 3: "3"])
    #expect(try column("ZID", "ZADDRESS")[3] == "x")
  }

  @Test func `composites and external bytes move`() throws {
    let leaves =
      #"{ "name": "a", "type": "String", "optional": true }, { "name": "b", "type": "Integer 64", "optional": true }"#
    let kind =
      #", { "name": "kind", "type": "Composite", "optional": true, "elements": [\#(leaves)] }"#
    let photo = #", { "name": "photo", "type": "Binary", "optional": true, "external": true }"#
    let (old, new) = (try Self.joined("V1", kind + photo), try Self.apart("V2", kind + photo))
    try make(old, Self.three)
    try change(
      "UPDATE ZBEING SET ZPHOTO = x'01aabb', ZA = 'k', ZB = 7 WHERE Z_PK = 2", old)
    let plain = try migrator([old, new], [Self.split("row", #", "kind", "photo""#)])
    try apply(plain)
    let row = try #require(try rows(of: "ZADDRESS", in: path).first { $0["Z_PK"]?.int64 == 2 })
    #expect(row["ZPHOTO"] == .blob([1, 0xaa, 0xbb]))
    #expect(row["ZA"] == .text("k") && row["ZB"] == .integer(7))
    try change("UPDATE ZADDRESS SET ZB = 8 WHERE Z_PK = 2", new)
    _ = try plain.rollback(path, to: nil, laterWrites: .discard)
    #expect(try column("ZB") == [2: "7"])
  }

  @Test func `a chain splits, renames and fills in one run, and comes back`() throws {
    let place = try Self.version(
      "V3",
      """
      { "name": "Being", "attributes": [\(Self.attribute("name"))] },
      { "name": "Person", "parent": "Being", "relationships": [
        { "name": "home", "to": "Place", "optional": true, "inverse": "people" }] },
      { "name": "Place", "attributes": [\(Self.attribute("road")), \(Self.attribute("city")), \(Self.attribute("note"))], "relationships": [
        { "name": "people", "to": "Person", "optional": true, "many": true, "max": 0, "inverse": "home" }] }
      """)
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    for per in ["row", "value"] {
      let test = try Self()
      try test.make(old, Self.three)
      let migrator = try migrator(
        [old, new, place],
        [
          Self.split(per),
          #"{ "rename": "Address", "to": "Place" }, { "rename": "Place.street", "to": "road" }, { "rename": "Person.address", "to": "home" }, { "compute": "Place.note", "sql": "road || '!'" }"#,
        ])
      try test.apply(migrator)
      #expect(try test.column("ZHOME") == [1: "1", 2: "2", 3: per == "row" ? "3" : "1"])
      #expect(try test.column("ZNOTE", "ZPLACE")[2] == "Oak!")
      try test.change("UPDATE ZPLACE SET ZROAD = 'New' WHERE Z_PK = 2", place)
      _ = try migrator.rollback(test.path, laterWrites: .keep)
      #expect(try test.column("ZSTREET") == [1: "Elm", 2: "New", 3: "Elm"])
    }
  }

  @Test func `later writes can't be kept if values are computed after the split`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    try make(old, Self.three)
    let migrator = try migrator(
      [old, new],
      [
        Self.split("row")
          + #", { "compute": "Address.city", "sql": "upper(city)", "inverse": { "city": "lower(city)" } }"#
      ])
    try apply(migrator)
    #expect(try column("ZCITY", "ZADDRESS") == [1: "ULM", 3: "ULM"])
    try change("UPDATE ZADDRESS SET ZSTREET = 'New' WHERE Z_PK = 2", new)
    let message = try failure { _ = try migrator.rollback(path, laterWrites: .keep) }
    #expect(message.contains("has no inverse") && message.contains("'--discard-changes'"))
    _ = try migrator.rollback(path, laterWrites: .discard)
    #expect(try column("ZCITY") == [1: "Ulm", 3: "Ulm"])
  }

  @Test func `an entity is split in three, and rows keep what each has`() throws {
    let new = try Self.version(
      "V2",
      """
      { "name": "Being", "attributes": [\(Self.attribute("name"))] },
      { "name": "Person", "parent": "Being", "relationships": [
        { "name": "road", "to": "Road", "optional": true }, { "name": "town", "to": "Town", "optional": true }] },
      { "name": "Road", "attributes": [\(Self.attribute("street"))] },
      { "name": "Town", "attributes": [\(Self.attribute("city"))] }
      """)
    let old = try Self.joined("V1")
    try make(old, Self.three)
    let migrator = try migrator(
      [old, new],
      [
        #"{ "split": "Person", "into": "Road", "attributes": ["street"], "link": "road", "per": "value" }, "#
          + #"{ "split": "Person", "into": "Town", "attributes": ["city"], "link": "town", "per": "row" }"#
      ])
    try apply(migrator)
    #expect(try column("ZROAD") == [1: "1", 2: "2", 3: "1"])
    #expect(try column("ZTOWN") == [1: "1", 2: "2", 3: "3"])
    #expect(try column("ZCITY", "ZTOWN") == [1: "Ulm", 3: "Ulm"])
    try change("UPDATE ZROAD SET ZSTREET = 'New' WHERE Z_PK = 1", new)
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.parked.isEmpty)
    #expect(try column("ZSTREET") == [1: "New", 2: "Oak", 3: "New"])
    #expect(try column("ZCITY") == [1: "Ulm", 3: "Ulm"])
  }

  @Test func `rows that only deleted rows link to are left out by inlining`() throws {
    let (old, new) = (try Self.apart("V1"), try Self.joined("V2"))
    try make(
      old,
      """
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET, ZCITY) VALUES (1, ?Address, 1, 'Elm', 'Ulm');
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET) VALUES (2, ?Address, 1, 'Oak');
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (1, ?Person, 1, 1);
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (2, ?Person, 1, 2);
      """)
    let migrator = try migrator(
      [old, new],
      [#"{ "delete": "Person", "where": "address.city = 'Ulm'", "because": "x" }, "# + Self.inline])
    let losses = try migrator.plan(for: path).losses
    #expect(losses.map(\.step).sorted() == ["V1-V2:Person", "V1-V2:Person.address"])
    #expect(losses.map(\.rows) == [1, 1])
    try apply(migrator)
    #expect(try column("ZSTREET") == [2: "Oak"])
    try change("UPDATE ZBEING SET ZSTREET = 'New' WHERE Z_PK = 2", new)
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try column("ZADDRESS") == [1: "1", 2: "2"])
    #expect(try column("ZSTREET", "ZADDRESS") == [1: "Elm", 2: "New"])
  }

  @Test func `a mandatory value that is missing now is the minimal one after a rollback`() throws {
    let (old, new) = (try Self.apart("V1", street: ""), try Self.joined("V2"))
    try make(
      old,
      """
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET) VALUES (1, ?Address, 1, 'Elm');
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (1, ?Person, 1, 1);
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT) VALUES (2, ?Person, 1);
      INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT) VALUES (3, ?Person, 1);
      """)
    let migrator = try migrator([old, new], [Self.inline])
    try apply(migrator)
    try change(
      """
      UPDATE ZBEING SET ZSTREET = NULL, ZCITY = 'Rom' WHERE Z_PK = 1;
      UPDATE ZBEING SET ZCITY = 'Bonn' WHERE Z_PK = 2
      """, new)
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.parked == ["Person.street": 2])
    #expect(try column("ZADDRESS") == [1: "1", 2: "1001"])
    #expect(try column("ZSTREET", "ZADDRESS") == [1: "", 1001: ""])
    #expect(try column("ZCITY", "ZADDRESS") == [1: "Rom", 1001: "Bonn"])
    try apply(migrator)
    #expect(try column("ZSTREET") == [:])
  }
}
