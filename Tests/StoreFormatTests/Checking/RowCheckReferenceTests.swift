import SQLite
import StoreModel
import TestSupport
import Testing

@testable import StoreFormat

/// Compares the check's queries with a slow reading of all rows, on stores with random rows.
@Suite struct RowCheckReferenceTests {
  /// The entity numbers: Animal 1, Cat 2, Dog 3, Owner 4, Toy 5.
  private static let model = Model(entities: [
    Entity(
      name: "Animal",
      properties: [
        .attribute(Attribute(name: "name", type: .string)),
        .attribute(Attribute(name: "note", type: .string, isOptional: true)),
      ]),
    Entity(
      name: "Cat", superentityName: "Animal",
      properties: [.attribute(Attribute(name: "lives", type: .integer16))]),
    Entity(name: "Dog", superentityName: "Animal"),
    Entity(
      name: "Owner",
      properties: [
        .relationship(Relationship(name: "animal", destinationName: "Animal")),
        .relationship(Relationship(name: "cat", destinationName: "Cat")),
        .relationship(
          Relationship(name: "toys", destinationName: "Toy", inverseName: "owners", maxCount: 0)),
        .relationship(Relationship(name: "wishes", destinationName: "Toy", maxCount: 0)),
      ]),
    Entity(
      name: "Toy",
      properties: [
        .relationship(
          Relationship(name: "owners", destinationName: "Owner", inverseName: "toys", maxCount: 0))
      ]),
  ])

  @Test(arguments: 1...40)
  func `counting by query and counting by hand agree`(seed: UInt64) throws {
    let connection = try Connection.memory()
    try FreshStore(model: Self.model, uuid: "").write(to: connection)
    var random = SeededGenerator(seed: seed)
    try fill(connection, &random)
    let description = try StoreDescription(reading: connection)
    let findings = try RowCheck(description, model: Self.model).findings(connection)
    #expect(
      Set(findings.map(\.message)) == Set(try expected(connection)), "seed \(seed)")
    #expect(Set(findings.map(\.message)).count == findings.count)
  }

  private func fill(
    _ connection: borrowing Connection, _ random: inout SeededGenerator
  ) throws {
    func some(_ values: Range<Int64>) -> Value {
      Int.random(in: 0..<4, using: &random) == 0
        ? .null : .integer(Int64.random(in: values, using: &random))
    }
    for key in 1...Int64.random(in: 1...12, using: &random) {
      try connection.execute(
        "INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZLIVES, ZNAME) VALUES (?, ?, ?, ?)",
        [.integer(key * 2), some(1..<5), some(1..<9), some(1..<9)])
      try connection.execute(
        "INSERT INTO ZOWNER (Z_PK, Z_ENT, ZANIMAL, Z1_ANIMAL, ZCAT) VALUES (?, 4, ?, ?, ?)",
        [.integer(key), some(1..<9), some(1..<4), some(1..<9)])
      try connection.execute(
        "INSERT INTO ZTOY (Z_PK, Z_ENT, Z4WISHES) VALUES (?, 5, ?)", [.integer(key), some(1..<9)])
      try connection.execute(
        "INSERT OR IGNORE INTO Z_4TOYS (Z_4OWNERS, Z_5TOYS) VALUES (?, ?)",
        [some(1..<14), some(1..<14)])
    }
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = 1",
      [.integer(Int64.random(in: 0..<24, using: &random))])
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_ENT > 3")
  }

  private func expected(_ connection: borrowing Connection) throws -> [String] {
    let animals = try connection.rows(
      "SELECT Z_PK, Z_ENT, ZLIVES, ZNAME FROM ZANIMAL ORDER BY Z_PK")
    let owners = try connection.rows("SELECT Z_PK, ZANIMAL, Z1_ANIMAL, ZCAT FROM ZOWNER")
    let toys = try connection.rows("SELECT Z_PK, Z4WISHES FROM ZTOY")
    let joins = try connection.rows("SELECT Z_4OWNERS, Z_5TOYS FROM Z_4TOYS")
    let entities = Dictionary(uniqueKeysWithValues: animals.map { ($0[0], $0[1]) })
    let (ownerKeys, toyKeys) = (Set(owners.map { $0[0] }), Set(toys.map { $0[0] }))
    let foreign = animals.filter { ![1, 2, 3].contains($0[1].int64 ?? 0) }
    let highest = try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1")?.int64 ?? 0
    let last = animals.last?[0].int64 ?? 0
    let wrong = owners.filter { owner in
      entities[owner[1]].map { $0 != owner[2] } ?? false
    }
    func dangling(_ keys: [Value], _ known: Set<Value>) -> Int {
      keys.count { !$0.isNull && !known.contains($0) }
    }
    func sentence(_ count: Int, _ one: String, _ many: String) -> [String] {
      count == 0 ? [] : ["\(count) \(count == 1 ? one : many)"]
    }
    let kind = "the number of an unrelated entity, first Animal/\(foreign.first?[0].int64 ?? 0)"
    return sentence(
      foreign.count, "row of 'Animal' has \(kind)", "rows of 'Animal' have \(kind)")
      + (highest < last ? ["Z_MAX of 'Animal' is \(highest), below its highest key \(last)"] : [])
      + sentence(
        animals.count { $0[3].isNull }, "row has no value in the mandatory attribute 'Animal.name'",
        "rows have no value in the mandatory attribute 'Animal.name'")
      + sentence(
        animals.count { $0[1] == .integer(2) && $0[2].isNull },
        "row has no value in the mandatory attribute 'Cat.lives'",
        "rows have no value in the mandatory attribute 'Cat.lives'")
      + sentence(
        dangling(owners.map { $0[1] }, Set(entities.keys)),
        "link of 'Owner.animal' has no destination row",
        "links of 'Owner.animal' have no destination row")
      + sentence(
        dangling(owners.map { $0[3] }, Set(entities.keys)),
        "link of 'Owner.cat' has no destination row",
        "links of 'Owner.cat' have no destination row")
      + sentence(
        owners.count { owner in entities[owner[3]].map { $0 != .integer(2) } ?? false },
        "link of 'Owner.cat' leads to a row of another entity than 'Cat'",
        "links of 'Owner.cat' lead to a row of another entity than 'Cat'")
      + sentence(
        wrong.count, "link of 'Owner.animal' has a wrong entity number",
        "links of 'Owner.animal' have a wrong entity number")
      + sentence(
        dangling(toys.map { $0[1] }, ownerKeys),
        "link of 'Owner.wishes' has no source row", "links of 'Owner.wishes' have no source row")
      + sentence(
        dangling(joins.map { $0[0] }, ownerKeys),
        "link of 'Owner.toys' has no source row", "links of 'Owner.toys' have no source row")
      + sentence(
        dangling(joins.map { $0[1] }, toyKeys),
        "link of 'Toy.owners' has no source row", "links of 'Toy.owners' have no source row")
  }
}
