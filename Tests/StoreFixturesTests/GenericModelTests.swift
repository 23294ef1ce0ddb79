import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

/// Fixtures of a model with features that neither app uses.
@Suite struct GenericModelTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let model: Model = {
    let types = AttributeType.allCases.filter { $0.declaredType != nil }
    let everything = types.flatMap { type in
      [false, true].map { isOptional -> Property in
        let name = "t\(type.rawValue)" + (isOptional ? "Optional" : "")
        return .attribute(Attribute(name: name, type: type, isOptional: isOptional))
      }
    }
    return Model(entities: [
      Entity(
        name: "Everything",
        properties: everything + [
          .attribute(Attribute(name: "large", type: .binary, allowsExternalStorage: true)),
          .attribute(Attribute(name: "gone", type: .string, isTransient: true)),
          .relationship(
            Relationship(name: "animal", destinationName: "Animal", isOptional: false)),
        ]),
      Entity(
        name: "Animal", isAbstract: true,
        properties: [.attribute(Attribute(name: "name", type: .string))]),
      Entity(
        name: "Cat", superentityName: "Animal",
        properties: [
          .attribute(Attribute(name: "lives", type: .integer16)),
          .relationship(
            Relationship(name: "toys", destinationName: "Toy", inverseName: "cats", maxCount: 0)),
          .relationship(Relationship(name: "chip", destinationName: "Chip", inverseName: "cat")),
        ], uniquenessConstraints: [["lives", "name"]]),
      Entity(name: "Dog", superentityName: "Animal"),
      Entity(
        name: "Chip",
        properties: [
          .attribute(Attribute(name: "number", type: .integer64)),
          .relationship(Relationship(name: "cat", destinationName: "Cat", inverseName: "chip")),
          .relationship(Relationship(name: "spares", destinationName: "Toy", maxCount: 0)),
        ], uniquenessConstraints: [["number"]]),
      Entity(
        name: "Toy",
        properties: [
          .relationship(
            Relationship(
              name: "cats", destinationName: "Cat", inverseName: "toys", maxCount: 0,
              isOrdered: true)),
          .relationship(Relationship(name: "box", destinationName: "Box", inverseName: "toys")),
        ]),
      Entity(
        name: "Box",
        properties: [
          .relationship(
            Relationship(
              name: "toys", destinationName: "Toy", inverseName: "box", maxCount: 0, isOrdered: true
            )
          )
        ]),
    ])
  }()

  private func connection() throws -> Connection {
    let path = directory.path("default.store")
    try createFixture(
      app: "zoo", version: "1", model: Self.model, at: path, options: FixtureOptions(rows: 300))
    return try Connection(path: path, mode: .readOnlyUnshared)
  }

  @Test func `every row is of a concrete entity of its table`() throws {
    let connection = try connection()
    #expect(try connection.integrityCheck().isEmpty)
    let numbering = EntityNumbering(Self.model)
    let found = try connection.rows("SELECT DISTINCT Z_ENT FROM ZANIMAL ORDER BY 1").map { $0[0] }
    let cat = try #require(numbering.number(of: "Cat"))
    let dog = try #require(numbering.number(of: "Dog"))
    #expect(found == [.integer(Int64(cat)), .integer(Int64(dog))])
    #expect(
      try connection.value(
        "SELECT count(*) FROM ZANIMAL WHERE Z_ENT = ? AND ZLIVES IS NOT NULL",
        [.integer(Int64(dog))]) == 0)
  }

  @Test func `mandatory attributes have values of their type and optional ones lack some`() throws {
    let connection = try connection()
    let table = try #require(StoreLayout(Self.model).table(of: "Everything"))
    let storage: [String: Set<String>] = [
      "INTEGER": ["integer"], "FLOAT": ["real"], "TIMESTAMP": ["real", "integer"],
      "DECIMAL": ["real", "integer"], "VARCHAR": ["text"], "BLOB": ["blob"],
    ]
    for column in table.columns {
      guard case .attribute(_, let path, _) = column.content else { continue }
      let types = try connection.rows(
        "SELECT DISTINCT typeof(\(column.name)) FROM ZEVERYTHING"
      ).compactMap { $0[0].string }
      let expected = try #require(storage[column.declaredType])
      let isOptional = path[0].hasSuffix("Optional")
      #expect(Set(types).subtracting(["null"]).isSubset(of: expected), "\(column.name)")
      #expect(types.contains("null") == isOptional, "\(column.name)")
    }
    let uuids = try connection.rows("SELECT DISTINCT length(ZT1100) FROM ZEVERYTHING")
    #expect(uuids == [[16]])
    let prefixes = try connection.rows("SELECT DISTINCT hex(substr(ZLARGE, 1, 1)) FROM ZEVERYTHING")
    #expect(prefixes == [["01"]])
  }

  @Test func `links lead to rows, from both sides`() throws {
    let connection = try connection()
    for dangling in [
      "SELECT count(*) FROM ZEVERYTHING WHERE ZANIMAL NOT IN (SELECT Z_PK FROM ZANIMAL)",
      "SELECT count(*) FROM ZEVERYTHING WHERE ZANIMAL IS NULL",
      """
      SELECT count(*) FROM ZEVERYTHING JOIN ZANIMAL ON ZANIMAL.Z_PK = ZEVERYTHING.ZANIMAL
      WHERE ZANIMAL.Z_ENT != ZEVERYTHING.Z1_ANIMAL
      """,
      """
      SELECT count(*) FROM ZANIMAL WHERE ZCHIP IS NOT NULL
        AND ZCHIP NOT IN (SELECT Z_PK FROM ZCHIP WHERE ZCAT = ZANIMAL.Z_PK)
      """,
      """
      SELECT count(*) FROM ZCHIP WHERE ZCAT IS NOT NULL
        AND ZCAT NOT IN (SELECT Z_PK FROM ZANIMAL WHERE ZANIMAL.ZCHIP = ZCHIP.Z_PK)
      """,
      "SELECT count(*) FROM ZTOY WHERE Z5SPARES NOT IN (SELECT Z_PK FROM ZCHIP)",
      "SELECT count(*) FROM ZTOY WHERE ZBOX NOT IN (SELECT Z_PK FROM ZBOX)",
      "SELECT count(*) FROM Z_2TOYS WHERE Z_2CATS NOT IN (SELECT Z_PK FROM ZANIMAL)",
    ] {
      #expect(try connection.value(dangling) == 0, "\(dangling)")
    }
    #expect(
      try #require(connection.value("SELECT count(*) FROM ZANIMAL WHERE ZCHIP > 0")?.int64) > 0)
  }
}
