import StoreModel
import Testing

@testable import ModelSource

@Suite struct XMLModelReaderTests {
  private static func model(_ body: String) throws -> (model: Model, notes: [String]) {
    var reader = XMLModelReader(file: "M/contents")
    let model = try reader.model(Array("<model>\n\(body)\n</model>".utf8))
    return (model, reader.notes)
  }

  private static func attribute(_ text: String) throws -> Attribute {
    let body = "<entity name=\"E\"><attribute name=\"a\" \(text)/></entity>"
    return try #require(try model(body).model["E"]?.attributes.first)
  }

  @Test func `an entity has everything that its element says`() throws {
    let (model, notes) = try Self.model(
      """
      <entity name="Base" representedClassName="App.Base" isAbstract="YES" elementID="Old"
        versionHashModifier="2" syncable="YES">
        <attribute name="id" attributeType="UUID" usesScalarValueType="NO"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key="a" value="b"/></userInfo>
      </entity>
      <entity name="Leaf" representedClassName=".Leaf" parentEntity="Base">
        <fetchedProperty name="found"><fetchRequest name="f" entity="Leaf"/></fetchedProperty>
      </entity>
      <configuration name="Cloud"><memberEntity name="Leaf"/></configuration>
      <fetchRequest name="all" entity="Leaf"/>
      <elements><element name="Leaf" positionX="1"/></elements>
      """)
    #expect(
      notes == [
        "M/contents: 1 fetch request is ignored",
        "M/contents: 1 fetched property's request is ignored",
      ])
    let base = try #require(model["Base"])
    #expect(base.className == "App.Base" && base.isAbstract && base.renamingIdentifier == "Old")
    #expect(base.versionHashModifier == "2" && base.uniquenessConstraints == [["id"]])
    #expect(base.userInfo == ["a": .string("b")])
    let leaf = try #require(model["Leaf"])
    #expect(leaf.superentityName == "Base" && leaf.className == nil)
    #expect(leaf.properties == [.fetched(name: "found")])
    #expect(model.configurations == ["Cloud": ["Leaf"]] && model.dialect == .coreData)
  }

  @Test func `an attribute has everything that its element says`() throws {
    let attribute = try Self.attribute(
      """
      attributeType="Binary" optional="YES" elementID="b" versionHashModifier="x"
      allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" allowsCloudEncryption="YES"
      """)
    #expect(attribute.isOptional && attribute.renamingIdentifier == "b")
    #expect(attribute.versionHashModifier == "x" && attribute.allowsExternalStorage)
    #expect(attribute.isPreservedAfterDeletion)
    let derived = try Self.attribute(
      "attributeType=\"String\" derived=\"YES\" derivationExpression=\"b.c\"")
    #expect(derived.isDerived)
    let object = try Self.attribute(
      "attributeType=\"Transformable\" valueTransformerName=\"T\" customClassName=\"C\"")
    #expect(object.valueTransformerName == "T" && object.valueClassName == "C")
    #expect(try Self.attribute("transient=\"YES\"").type == .undefined)
  }

  @Test(arguments: [
    ("Integer 16", "3", ModelValue.integer(3)), ("Integer 64", "NO", .integer(0)),
    ("Boolean", "YES", .boolean(true)), ("Double", "1.5", .real(1.5)),
    ("Float", "0.5", .real(0.5)), ("Decimal", "1.25", .decimal("1.25")),
    ("String", "", .string("")), ("URI", "https://a.b", .url("https://a.b")),
    ("UUID", "00000000-0000-0000-0000-0000000000FF", .uuid(Array(repeating: 0, count: 15) + [255])),
  ])
  func `defaults have the type of their attribute`(
    type: String, text: String, value: ModelValue
  ) throws {
    let attribute = try Self.attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == value)
  }

  @Test func `the default of a date is an interval`() throws {
    let attribute = try Self.attribute("attributeType=\"Date\" defaultDateTimeInterval=\"86400\"")
    #expect(attribute.defaultValue == .date(86_400))
  }

  @Test func `a relationship has everything that its element says`() throws {
    let model = try Self.model(
      """
      <entity name="A"><relationship name="bs" optional="YES" toMany="YES" minCount="1"
        maxCount="5" ordered="YES" deletionRule="No Action" destinationEntity="B" inverseName="a"
        inverseEntity="B" elementID="old"/></entity>
      <entity name="B"><relationship name="a" maxCount="1" deletionRule="Deny"
        destinationEntity="A" inverseName="bs" inverseEntity="A"/></entity>
      """
    ).model
    #expect(
      model["A"]?.relationships == [
        Relationship(
          name: "bs", destinationName: "B", inverseName: "a", maxCount: 5, minCount: 1,
          deleteRule: .noAction, isOrdered: true, isOptional: true, renamingIdentifier: "old")
      ])
    #expect(
      model["B"]?.relationships == [
        Relationship(
          name: "a", destinationName: "A", inverseName: "bs", deleteRule: .deny, isOptional: false)
      ])
  }

  @Test func `a composite has the elements of the one that it names`() throws {
    let model = try Self.model(
      """
      <entity name="E"><attribute name="home" optional="YES" attributeType="Composite"
        elementName="Address"/></entity>
      <composite name="Address">
        <attribute name="city" optional="YES" attributeType="String"/>
        <attribute name="place" attributeType="Composite"><attribute name="x" attributeType="Double"/></attribute>
      </composite>
      """
    ).model
    let home = try #require(model["E"]?.attributes.first)
    #expect(home.leaves.map(\.cellName) == ["home.city", "home.place.x"])
  }

  @Test func `indexes have both forms`() throws {
    let entity = try #require(
      try Self.model(
        """
        <entity name="E">
          <attribute name="a" attributeType="String"/>
          <attribute name="b" attributeType="String" indexed="YES"/>
          <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="descending"/></fetchIndex>
          <fetchIndex name="byAB"><fetchIndexElement property="a" type="Binary" order="ascending"/>
            <fetchIndexElement property="b" type="RTree" order="ascending"/></fetchIndex>
          <compoundIndexes><compoundIndex><index value="b"/><index value="a"/></compoundIndex></compoundIndexes>
        </entity>
        """
      ).model["E"])
    #expect(entity.indexes.map(\.name) == ["b", "a", "b_a", "byA", "byAB"])
    #expect(entity.indexes[3].elements == [.init(propertyName: "a", isAscending: false)])
    #expect(entity.indexes[4].elements[1].collationType == 1)
    #expect(entity.compoundIndexes == [["b", "a"], ["a", "b"]])
    #expect(!entity.attributes.contains { !$0.isIndexed })
  }

  @Test func `what the reader doesn't know is named with its position`() throws {
    let notes = try Self.model(
      """
      <entity name="E" future="1">
        <attribute name="a" attributeType="String" other="2"/>text
        <wonder/>
      </entity>
      """
    ).notes
    #expect(
      notes == [
        "M/contents:2:1: the attribute 'future' of 'entity' is ignored",
        "M/contents:4:3: the element 'wonder' in 'entity' is ignored",
        "M/contents:2:1: the text in 'entity' is ignored",
        "M/contents:3:3: the attribute 'other' of 'attribute' is ignored",
      ])
  }

  @Test(arguments: [
    ("<entity/>", "2:1: error: 'entity' has no name"),
    (
      "<entity name=\"a/b\"/>",
      "2:1: error: invalid name; it must not contain slashes or control characters"
    ),
    ("<entity name=\"E\"/><entity name=\"E\"/>", "2:19: error: duplicate entity 'E'; remove one"),
    (
      "<entity name=\"E\"/><entity name=\"e\"/>",
      "2:19: error: 'E' and 'e' differ only in case; rename one"
    ),
    (
      "<entity name=\"E\" isAbstract=\"maybe\"/>",
      "2:1: error: 'isAbstract' is 'maybe'; expected YES or NO"
    ),
    ("<entity name=\"E\" parentEntity=\"F\"/>", "2:1: error: unknown entity 'F'"),
    (
      "<entity name=\"E\" parentEntity=\"E\"/>",
      "2:1: error: 'E' inherits from itself; remove the cycle"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\"/></entity>",
      "2:18: error: 'E.a' has no 'attributeType'"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Strin\"/></entity>",
      "2:18: error: unknown attribute type 'Strin'; did you mean 'String'?"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\"/></entity>",
      "2:18: error: the composite of 'E.a' isn't in the model; add it, or remove this"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" c=\"C\"/></entity><composite name=\"C\"><attribute name=\"b\" attributeType=\"Composite\" c=\"C\"/></composite>",
      "2:100: error: the composite 'C' contains itself"
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\"/></entity>",
      "2:18: error: 'E.r' has no 'destinationEntity'"
    ),
    (
      "<entity name=\"Entry\"><relationship name=\"r\" destinationEntity=\"Entri\"/></entity>",
      "2:22: error: unknown entity 'Entri'; did you mean 'Entry'?"
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" maxCount=\"9999999999\"/></entity>",
      "2:18: error: 'maxCount' is '9999999999'; expected an integer"
    ),
    (
      "<entity name=\"E\"><uniquenessConstraints><uniquenessConstraint><constraint value=\"x\"/></uniquenessConstraint></uniquenessConstraints></entity>",
      "2:63: error: unknown property 'x' in a uniqueness constraint of 'E'"
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" toMany=\"YES\" "
        + "minCount=\"9\" maxCount=\"2\"/></entity>",
      "2:18: error: 'E.r' has from 9 to 2 objects; mend the counts"
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" maxCount=\"1\" "
        + "minCount=\"-5\"/></entity>",
      "2:18: error: 'E.r' has from -5 to 1 objects; mend the counts"
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" maxCount=\"3\"/></entity>",
      "2:18: error: 'maxCount' of 'E.r' is 3, but 'toMany' isn't YES"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\"/></entity>"
        + "<entity name=\"F\" parentEntity=\"E\"><attribute name=\"a\" attributeType=\"Date\"/></entity>",
      "2:105: error: 'F.a' is Date, but String in a super-entity; rename one"
    ),
  ])
  func `a strange model is refused with its position`(body: String, message: String) throws {
    let error = #expect(throws: ModelSourceError.self) { try Self.model(body) }
    #expect(error?.description == "M/contents:" + message)
  }

  @Test func `composites in composites stay small`() throws {
    let composites = (0..<15).map { number in
      let parts = (0..<9).map {
        "<attribute name=\"a\($0)\" attributeType=\"Composite\" c=\"C\(number + 1)\"/>"
      }
      return "<composite name=\"C\(number)\">\(parts.joined())</composite>"
    }
    let last =
      "<composite name=\"C15\"><attribute name=\"x\" attributeType=\"String\"/></composite>"
    let entity =
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" c=\"C0\"/></entity>"
    #expect(throws: ModelSourceError.self) {
      try Self.model(composites.joined() + last + entity)
    }
  }

  @Test func `entities that inherit too deeply are refused`() {
    let entities = (0..<2_000).map { number in
      "<entity name=\"E\(number)\"\(number > 0 ? " parentEntity=\"E\(number - 1)\"" : "")/>"
    }
    let error = #expect(throws: ModelSourceError.self) { try Self.model(entities.joined()) }
    #expect(error?.description.contains("super-entities; the limit is 63") == true)
  }

  @Test func `another root is refused`() throws {
    var reader = XMLModelReader(file: "M/contents")
    let error = #expect(throws: ModelSourceError.self) {
      try reader.model(Array("<plist/>".utf8))
    }
    #expect(
      error?.description == "M/contents:1:1: error: expected the element 'model', not 'plist'")
  }
}
