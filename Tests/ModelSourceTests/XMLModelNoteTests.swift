import StoreModel
import Testing

@testable import ModelSource

/// What the reader drops or doubts is noted with its position.
@Suite struct XMLModelNoteTests {
  private static func read(_ body: String) throws -> (model: Model, notes: [String]) {
    var reader = XMLModelReader(file: "M/contents")
    let model = try reader.model(Array("<model>\n\(body)\n</model>".utf8))
    return (model, reader.notes)
  }

  private static func message(_ body: String) -> String? {
    let error = #expect(throws: ModelSourceError.self) { try read(body) }
    return error?.description
  }

  @Test(arguments: [
    ("Binary", "abc"), ("Transformable", "0"), ("Integer 16", "70000"), ("Integer 32", "1.5"),
    ("Integer 32", "99999999999"), ("Integer 64", " 7"), ("Boolean", "maybe"), ("Double", "1,5"),
    ("Double", "nan"), ("Double", "0x1p3"), ("Float", "inf"), ("Float", "1e300"), ("Decimal", "x"),
    ("Decimal", "1e400"), ("UUID", "zz"), ("URI", "not a url %%"),
  ])
  func `a default that isn't of the type is ignored`(type: String, text: String) throws {
    let (model, notes) = try Self.read(
      """
      <entity name="E">
        <attribute name="a" attributeType="\(type)" defaultValueString="\(text)"/>
      </entity>
      """)
    #expect(model["E"]?.attributes.first?.defaultValue == nil)
    #expect(
      notes == [
        "M/contents:3:3: the default '\(text)' of 'E.a' isn't a value of type \(type), "
          + "and is ignored"
      ])
  }

  @Test func `a date takes no text as default, and only a number of seconds`() throws {
    let (model, notes) = try Self.read(
      """
      <entity name="E">
        <attribute name="a" attributeType="Date" defaultDateTimeInterval="zz"/>
        <attribute name="b" attributeType="Date" defaultValueString="2001"/>
      </entity>
      """)
    #expect(model["E"]?.attributes.allSatisfy { $0.defaultValue == nil } == true)
    #expect(
      notes == [
        "M/contents:3:3: the default 'zz' of 'E.a' isn't a value of type Date, and is ignored",
        "M/contents:4:3: 'defaultValueString' of 'E.b' isn't for the type Date, and is ignored",
      ])
  }

  @Test func `the integer that Xcode makes of NO is noted`() throws {
    let (model, notes) = try Self.read(
      """
      <entity name="E">
        <attribute name="a" attributeType="Integer 32" defaultValueString="NO"/>
      </entity>
      """)
    #expect(model["E"]?.attributes.first?.defaultValue == .integer(0))
    #expect(
      notes == [
        "M/contents:3:3: the default 'NO' of 'E.a' isn't a value of type Integer 32; it becomes 0"
      ])
  }

  @Test func `indexes that aren't what they seem are noted`() throws {
    let (model, notes) = try Self.read(
      """
      <entity name="E"><attribute name="a" attributeType="String"/>
        <fetchIndex name="tree"><fetchIndexElement property="a" type="RTree"/></fetchIndex>
        <fetchIndex name="part" partialIndexPredicate="a != nil"><fetchIndexElement property="a"/></fetchIndex>
        <fetchIndex name="tree"><fetchIndexElement property="a"/></fetchIndex>
        <fetchIndex name="none"/>
        <fetchIndex name="sum"><fetchIndexElement expression="a + 1"/></fetchIndex>
      </entity>
      """)
    #expect(model["E"]?.indexes.map(\.name) == ["a", "tree"])
    #expect(
      notes == [
        "M/contents:3:3: the index 'tree' of 'E' is an R-tree; no migration leads to this model",
        "M/contents:4:3: the index 'part' of 'E' has a predicate, and is ignored",
        "M/contents:5:3: the index 'tree' of 'E' has the name of another one, and is ignored",
        "M/contents:6:3: the index 'none' of 'E' has no elements, and is ignored",
        "M/contents:7:3: the index 'sum' of 'E' has an expression, and is ignored",
      ])
  }

  @Test(arguments: [
    ("property=\"a\" type=\"Hash\"", "'type' is 'Hash'; expected Binary or RTree"),
    (
      "property=\"a\" order=\"sideways\"",
      "'order' is 'sideways'; expected ascending or descending"
    ),
    ("property=\"b\"", "unknown property 'b' in the index 'i' of 'E'"),
  ])
  func `a strange index is refused with its position`(element: String, message: String) {
    let body = """
      <entity name="E"><attribute name="a" attributeType="String"/>
        <fetchIndex name="i">
          <fetchIndexElement \(element)/></fetchIndex></entity>
      """
    #expect(Self.message(body) == "M/contents:4:5: error: \(message)")
  }

  @Test func `a second configuration of one name is refused`() {
    #expect(
      Self.message("<configuration name=\"C\"/>\n<configuration name=\"C\"/>")
        == "M/contents:3:1: error: duplicate configuration 'C'; remove one")
  }

  @Test(arguments: ["", "NSManagedObject", ".E"])
  func `a class that no store has is none`(name: String) throws {
    let body = "<entity name=\"E\" representedClassName=\"\(name)\"/>"
    let entity = try #require(try Self.read(body).model["E"])
    #expect(entity.className == nil)
  }

  @Test func `inverses that aren't mutual are noted`() throws {
    let notes = try Self.read(
      """
      <entity name="A">
        <relationship name="r" destinationEntity="B" inverseName="x" inverseEntity="B"/>
        <relationship name="s" destinationEntity="B" inverseName="x" inverseEntity="C"/>
        <relationship name="t" destinationEntity="B" inverseName="z"/>
        <relationship name="u" destinationEntity="B" inverseName="y"/></entity>
      <entity name="B"><relationship name="x" destinationEntity="A" inverseName="r"/>
        <relationship name="y" destinationEntity="A"/></entity>
      <entity name="C"/>
      """
    ).notes
    #expect(
      notes == [
        "M/contents:4:3: 'inverseEntity' of 'A.s' is 'C', but it leads to 'B'",
        "M/contents:4:3: the inverse 'B.x' of 'A.s' has the inverse 'A.r' itself",
        "M/contents:5:3: the inverse 'B.z' of 'A.t' is missing",
        "M/contents:6:3: the inverse 'B.y' of 'A.u' has no inverse itself",
      ])
  }

  @Test func `a to-many relationship in an index is noted`() throws {
    let (model, notes) = try Self.read(
      """
      <entity name="E">
        <attribute name="a" attributeType="String"/>
        <relationship name="r" toMany="YES" destinationEntity="E" inverseName="r"/>
        <fetchIndex name="i">
          <fetchIndexElement property="r"/>
          <fetchIndexElement property="a"/>
        </fetchIndex>
      </entity>
      """)
    #expect(model["E"]?.indexes.map(\.name) == ["i"])
    #expect(
      notes == [
        "M/contents:6:5: 'r' in the index 'i' of 'E' is to-many; a migration makes the index "
          + "without it"
      ])
  }

  @Test func `what a schema doesn't have is counted`() throws {
    let notes = try Self.read(
      """
      <entity name="E" coreSpotlightDisplayNameExpression="a">
        <attribute name="a" attributeType="String" minValueString="1" maxValueString="2"
          spotlightIndexingEnabled="YES" allowsCloudEncryption="YES" storedInTruthFile="YES"/>
        <attribute name="b" attributeType="String" regularExpressionString="b"
          spotlightIndexingEnabled="NO" derived="YES" derivationExpression="a"/>
        <userInfo><entry key="k" value="1"/><entry key="k" value="2"/></userInfo>
        <fetchedProperty name="f"><fetchRequest name="g" entity="E"/></fetchedProperty>
      </entity>
      <configuration name="C" usedWithCloudKit="NO"/>
      <composite name="D"><relationship name="r"/></composite>
      <fetchRequest name="h" entity="E"/><fetchRequest name="i" entity="E"/>
      """
    ).notes
    #expect(
      notes == [
        "M/contents:11:21: the element 'relationship' in a composite is ignored",
        "M/contents:5:3: 'E.b' is derived: its expression is ignored, and its entity's hash unknown",
        "M/contents:7:39: a second value of 'k' in 'userInfo' is ignored",
        "M/contents: 3 validation rules are ignored", "M/contents: 2 fetch requests are ignored",
        "M/contents: 1 fetched property's request is ignored",
        "M/contents: 2 settings for Spotlight are ignored",
        "M/contents: 1 setting for CloudKit is ignored",
        "M/contents: 1 'storedInTruthFile' is ignored",
      ])
  }
}
