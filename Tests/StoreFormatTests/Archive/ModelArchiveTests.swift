import PropertyList
import StoreFormat
import StoreModel
import TestSupport
import Testing

@Suite struct ModelArchiveTests {
  @Test(arguments: (0..<100).map { UInt64($0) })
  func `any model is the same after it was written and read`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let model = Model.random(using: &generator)
    #expect(try ModelCache.decode(ModelCache.encode(model)) == model, "seed \(seed)")
  }

  @Test func `what a composite, a relationship and an index say is kept`() throws {
    let model = Model(
      entities: [
        Entity(
          name: "Note", className: "NoteObject",
          properties: [
            .attribute(
              Attribute(
                name: "tags", type: .transformable, isOptional: true,
                valueClassName: "Array<String>",
                valueTransformerName: "NSSecureUnarchiveFromData", renamingIdentifier: "labels")),
            .attribute(
              Attribute(
                name: "scan", type: .binary, allowsExternalStorage: true,
                isPreservedAfterDeletion: true, otherFlags: 32, versionHashModifier: "2")),
            .attribute(Attribute(name: "ratio", type: .float, defaultValue: .real(0.5))),
            .attribute(Attribute(name: "third", type: .float, defaultValue: .real(1.0 / 3))),
            .relationship(
              Relationship(
                name: "pages", destinationName: "Note", maxCount: 0, minCount: 2,
                deleteRule: .deny, isOrdered: true, isOptional: false)),
            .fetched(name: "recent"),
          ],
          uniquenessConstraints: [["ratio", "third"], ["scan"]],
          indexes: [
            FetchIndex(
              name: "both",
              elements: [
                .init(propertyName: "third", isAscending: false),
                .init(propertyName: "ratio", collationType: 1),
              ])
          ],
          compoundIndexes: [["third", "ratio"]], renamingIdentifier: "Memo",
          versionHashModifier: "x", userInfo: ["why": .array([.string("because"), .boolean(true)])])
      ], versionIdentifiers: ["2", "1.0.0"], configurations: ["default": ["Note"], "none": []],
      dialect: .swiftData17)
    #expect(try Model(KeyedArchive(model)) == model)
  }

  @Test func `inherited properties are listed again and read once`() throws {
    let model = Model(
      entities: [
        Entity(name: "A", properties: [.attribute(Attribute(name: "a", type: .string))]),
        Entity(
          name: "B", superentityName: "A",
          properties: [.attribute(Attribute(name: "b", type: .string))]),
        Entity(name: "C", superentityName: "B"),
      ])
    let archive = try KeyedArchive(model)
    let copies = archive.objects.filter { object in
      guard let name = object["NSPropertyName"]?.uidValue else { return false }
      return archive.objects[Int(name)] == .string("a")
    }
    #expect(copies.count == 3)
    #expect(try Model(archive) == model)
  }

  @Test func `properties that stand for inherited ones are read as old systems meant them`() throws
  {
    let model = Model(
      entities: [
        Entity(name: "A", properties: [.attribute(Attribute(name: "a", type: .string))]),
        Entity(
          name: "B", superentityName: "A",
          properties: [.attribute(Attribute(name: "b", type: .string))]),
      ], dialect: .coreData)
    var editor = ArchiveEditor(try KeyedArchive(model))
    let owner = try editor.number("NSEntityName", "B")
    let copies = editor.objects.indices.filter {
      editor.objects[$0]["NSPropertyName"] != nil
        && editor.objects[$0]["NSEntity"] == .uid(UInt64(owner))
    }
    let original = try editor.number("NSPropertyName", "a")
    let proxy = editor.addClass("_NSPropertyDescriptionProxy", "NSObject")
    for number in copies {
      guard let name = editor.objects[number]["NSPropertyName"]?.uidValue,
        editor.objects[Int(name)] == .string("a")
      else { continue }
      editor.objects[number] = .dictionary([
        "$class": proxy, "NSUnderlyingProperty": .uid(UInt64(original)),
        "NSEntity": .uid(UInt64(owner)),
      ])
    }
    #expect(try Model(editor.archive()) == model)
  }

  @Test func `properties in a dictionary of known keys are read, empty places left out`() throws {
    let model = Model(
      entities: [Entity(name: "A", properties: [.attribute(Attribute(name: "a", type: .string))])])
    var editor = ArchiveEditor(try KeyedArchive(model))
    let entity = try editor.number("NSEntityName", "A")
    let number = try #require(editor.objects[entity]["NSProperties"]?.uidValue)
    let list = editor.objects[Int(number)]
    let token = editor.add(.string("empty"))
    let unused = editor.add(.string("unused"))
    let keys = editor.add(
      .dictionary(["NS.objects": .array((list["NS.keys"]?.arrayValue ?? []) + [unused])]))
    let values = editor.add(
      .dictionary(["NS.objects": .array((list["NS.objects"]?.arrayValue ?? []) + [token])]))
    let mapping = editor.add(.dictionary(["keys": keys, "length": .integer(2)]))
    editor.objects[Int(number)] = .dictionary([
      "searchMapping": mapping, "values": values, "emptyToken": token,
    ])
    #expect(try Model(editor.archive()) == model)
  }

  @Test func `derived and Codable attributes are described, but not written`() throws {
    var derived = Attribute(name: "count", type: .integer64)
    derived.isDerived = true
    let codable = Attribute(name: "value", type: .codable)
    let nested = Attribute(name: "outer", type: .composite, elements: [codable])
    let model = Model(entities: [
      Entity(name: "A", properties: [.attribute(derived), .attribute(nested)])
    ])
    #expect(
      model.unsupportedFeatures.map(\.description) == [
        "'A.count' is a derived attribute",
        "'A.outer.value' is an attribute of type Codable (2200)",
      ])
    let error = #expect(throws: ArchiveError.self) { try ModelCache.encode(model) }
    #expect(
      error?.description
        == "'A.count' is a derived attribute, which can't be written; leave it out of the model")
  }

  @Test func `a derived attribute and one of type Codable are read`() throws {
    let model = Model(entities: [
      Entity(
        name: "A",
        properties: [
          .attribute(Attribute(name: "count", type: .integer64)),
          .attribute(Attribute(name: "value", type: .binary)),
        ])
    ])
    var editor = ArchiveEditor(try KeyedArchive(model))
    let derived = editor.addClass(
      "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
    try editor.set(editor.number("NSPropertyName", "count"), "$class", derived)
    try editor.set(editor.number("NSPropertyName", "value"), "NSAttributeType", .integer(2200))
    let read = try Model(editor.archive())
    #expect(read["A"]?.attributes.map(\.isDerived) == [true, false])
    #expect(read["A"]?.attributes.map(\.type) == [.integer64, .codable])
    #expect(read.unsupportedFeatures.map(\.attributeName) == ["count", "value"])
  }

  @Test func `counts without a limit and keys that are no texts don't stand in the way`() throws {
    let model = Model(entities: [
      Entity(
        name: "A",
        properties: [
          .relationship(
            Relationship(name: "a", destinationName: "A", maxCount: .max, minCount: .min))
        ], userInfo: ["k": .string("v")])
    ])
    #expect(try Model(KeyedArchive(model)) == model)

    var editor = ArchiveEditor(try KeyedArchive(model))
    let entity = try editor.number("NSEntityName", "A")
    let info = try #require(editor.objects[entity]["NSUserInfo"]?.uidValue)
    let number = editor.add(.integer(7))
    let keys = try #require(editor.objects[Int(info)]["NS.keys"]?.arrayValue)
    let values = try #require(editor.objects[Int(info)]["NS.objects"]?.arrayValue)
    try editor.set(Int(info), "NS.keys", .array(keys + [number]))
    try editor.set(Int(info), "NS.objects", .array(values + [number]))
    #expect(try Model(editor.archive()) == model)
  }

  @Test func `a model that refers to what it does not have is not written`() {
    let entity = Entity(
      name: "A",
      properties: [.relationship(Relationship(name: "b", destinationName: "B"))])
    for (model, problem) in [
      (Model(entities: [entity]), "'A.b' refers to unknown entity 'B'"),
      (
        Model(entities: [Entity(name: "A", superentityName: "B")]),
        "'A' refers to unknown entity 'B'"
      ),
      (
        Model(entities: [Entity(name: "A", superentityName: "A")]),
        "the entity 'A' inherits from itself"
      ),
      (Model(entities: [Entity(name: "A"), Entity(name: "A")]), "duplicate name 'A'"),
      (
        Model(entities: [Entity(name: "A")], configurations: ["c": ["B"]]),
        "'c' refers to unknown entity 'B'"
      ),
    ] {
      let error = #expect(throws: ArchiveError.self) { try KeyedArchive(model) }
      #expect(error?.description == problem)
    }
  }
}
