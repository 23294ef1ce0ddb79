import Platform
import StoreModel
import Testing

/// The vectors of `StoreFormat.md` §10, from stores that SwiftData wrote.
@Suite struct VersionHashTests {
  private static let crafting = Model(entities: [
    Entity(
      name: "Item",
      properties: [
        .attribute(Attribute(name: "name", type: .string)),
        .relationship(
          Relationship(
            name: "craftingRecipe", destinationName: "CraftingRecipe", inverseName: "producedItem")),
      ],
      uniquenessConstraints: [["name"]]),
    Entity(
      name: "Component",
      properties: [
        .attribute(Attribute(name: "count", type: .integer64)),
        .attribute(Attribute(name: "id", type: .uuid)),
        .relationship(
          Relationship(
            name: "craftingRecipe", destinationName: "CraftingRecipe",
            inverseName: "requiredComponents")),
        .relationship(Relationship(name: "item", destinationName: "Item")),
      ]),
  ])

  @Test func `an attribute's hash follows from name, flags and type`() throws {
    let item = try #require(Self.crafting["Item"])
    let component = try #require(Self.crafting["Component"])
    #expect(
      item["name"]?.versionHash(in: []).map(spelled)
        == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
    #expect(
      component["count"]?.versionHash(in: []).map(spelled)
        == "10c63432e146403e41c353966b9f13381473de687ffe91c247a13d0a7c9a2e08")
    #expect(
      component["id"]?.versionHash(in: []).map(spelled)
        == "46e346089e33fecd04fba2e19257ba31b84ed548b653138327d5bff60d9fe00d")
  }

  @Test(arguments: [
    (
      Relationship(
        name: "craftingRecipe", destinationName: "CraftingRecipe", inverseName: "producedItem"),
      "bb446eed26136570e657cf7d0812393ff0065b313829205ef234f46f73628aeb"
    ),
    (
      Relationship(
        name: "craftingRecipe", destinationName: "CraftingRecipe",
        inverseName: "requiredComponents"),
      "f9aa4270fa2c25d135a0d365742a51bc748434ae6fc0ae6daf3ab758cf420c85"
    ),
    (
      Relationship(name: "item", destinationName: "Item"),
      "c1f142d10e37de557cea01e6e3bd5ddd823311004168328865fc96178d909eae"
    ),
    (
      Relationship(
        name: "requiredComponents", destinationName: "Component", inverseName: "craftingRecipe",
        maxCount: 0, isOptional: false),
      "8e5863da9b634f0a062624a9ae6547c6b67d0f3d6418bc429bf17dc627c8d3a4"
    ),
  ])
  func `a relationship's hash follows from both its ends`(
    relationship: Relationship, hash: String
  ) {
    #expect(spelled(relationship.versionHash(in: [])) == hash)
  }

  @Test func `a relationship that is its own inverse doesn't hash the inverse's name`() {
    func hash(inverse: String?, of name: String = "Person") -> [UInt8]? {
      let friends = Relationship(
        name: "friends", destinationName: "Person", inverseName: inverse, maxCount: 0)
      let entities = [
        Entity(name: "Person", properties: [.relationship(friends)]),
        Entity(name: "Child", superentityName: "Person"),
      ]
      return VersionHashes(Model(entities: entities)).entities[name]
    }
    #expect(hash(inverse: "friends") == hash(inverse: nil))
    #expect(hash(inverse: "friends", of: "Child") == hash(inverse: nil, of: "Child"))
    #expect(hash(inverse: "enemies") != hash(inverse: nil))
  }

  @Test func `an entity's hash follows from its properties and constraints`() {
    #expect(
      VersionHashes(Self.crafting).entities.mapValues(spelled) == [
        "Item": "683a2c663d51fe60fba4165feb790087bed871d837ba64e81eb1e8836428c2a5",
        "Component": "fc80203a8a339b148fd0b6c3b0e586a260591563cf6780a406e69f18a69f8406",
      ])
  }

  @Test func `digest and checksum cover the entities in the order of their names`() {
    let hashes = VersionHashes(entities: [
      "Item": bytes("683a2c663d51fe60fba4165feb790087bed871d837ba64e81eb1e8836428c2a5"),
      "CraftingRecipe": bytes("acc6c82026903fd8bd74a3965988ffb840c0794119ccc9d6b360a0a753104617"),
      "Component": bytes("fc80203a8a339b148fd0b6c3b0e586a260591563cf6780a406e69f18a69f8406"),
    ])
    #expect(
      hashes.digest
        == "A5Wl4kx9t4E3cM3yzavCOQqJQdCB39tXlY+wt1k1UfmbZsQcnPCWeVwbriN/XVzC+q0oCR5RcQRJv4zwhS97Ug=="
    )
    #expect(hashes.checksum == "6T24D3nNvz6qsg0dO7y7IA3tlbZ0QpK/AwmP5KiXXgw=")
  }

  @Test func `a composite's hash is made of its leaves alone`() {
    let unit = Attribute(
      name: "unit", type: .composite,
      elements: [Attribute(name: "unit", type: .string, isOptional: true)])
    let renamed = Attribute(
      name: "measure", type: .composite, isOptional: true, elements: unit.elements)
    #expect(
      spelled(unit.versionHash)
        == "12ba0c6c7d7c619aab124222ee19a1bb720e8f397003465a8c930120169c574f")
    #expect(renamed.versionHash == unit.versionHash)
    let ingredient = Entity(
      name: "Ingredient",
      properties: [
        .attribute(Attribute(name: "id", type: .uuid)), .attribute(unit),
        .attribute(Attribute(name: "value", type: .double)),
        .relationship(
          Relationship(
            name: "ingredientBase", destinationName: "IngredientBase", isOptional: false)),
      ])
    #expect(
      VersionHashes(Model(entities: [ingredient])).entities["Ingredient"].map(spelled)
        == "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a")
  }

  @Test func `defaults, classes, old names and notes don't enter`() {
    let plain = Attribute(name: "a", type: .string)
    let noted = Attribute(
      name: "a", type: .string, defaultValue: .string("x"), valueClassName: "Other",
      renamingIdentifier: "b", userInfo: ["k": .boolean(true)])
    #expect(noted.versionHash == plain.versionHash)
  }

  @Test func `flags, storage and modifiers enter, each in its own way`() {
    let attributes = [
      Attribute(name: "a", type: .binary), Attribute(name: "a", type: .binary, isOptional: true),
      Attribute(name: "a", type: .binary, isReadOnly: true),
      Attribute(name: "a", type: .binary, allowsExternalStorage: true),
      Attribute(name: "a", type: .binary, versionHashModifier: "1"),
      Attribute(name: "a", type: .string),
    ]
    #expect(Set(attributes.map(\.versionHash)).count == attributes.count)
  }

  @Test func `a cycle of super-entities ends`() {
    let model = Model(entities: [
      Entity(name: "A", superentityName: "B"), Entity(name: "B", superentityName: "A"),
    ])
    #expect(VersionHashes(model).entities.count == 2)
  }

  @Test func `names are ordered by UTF-16 code units`() {
    let names = ["\u{FF5E}", "\u{1F600}", "b", "B", "e\u{301}", "\u{E9}"]
    #expect(
      names.sorted { $0.precedes($1) } == ["B", "b", "e\u{301}", "\u{E9}", "\u{1F600}", "\u{FF5E}"])
  }
}

private func spelled(_ bytes: [UInt8]) -> String {
  Hexadecimal.encode(bytes)
}

private func bytes(_ hexadecimal: String) -> [UInt8] {
  Hexadecimal.decode(hexadecimal) ?? []
}
