import Migrations
import StoreModel
import Testing

/// What steps that split and inline entities refuse, with its place, and their inverses.
@Suite struct SplitLineageTests {
  private static let names = ["name", "street", "city"]

  private static func attribute(_ name: String, _ more: String = "") -> String {
    #"{ "name": "\#(name)", "type": "String", "optional": true\#(more) }"#
  }

  private static func model(_ entities: String) throws -> ModelVersion {
    let text = """
      { "format_version": 1, "app": "people", "version": "V", "identifiers": ["V"], "entities": [\(entities)] }
      """
    return ModelVersion(try SchemaFile(parsing: Array(text.utf8), file: nil))
  }

  private static func joined(_ more: String = "", _ others: String = "") throws -> ModelVersion {
    try model(
      #"{ "name": "Person", "attributes": [\#(attribute("name")), \#(attribute("street", more)), \#(attribute("city"))] }\#(others)"#
    )
  }

  /// People with addresses, linked by `Person.address`.
  private static func apart(
    link: String = "", back: String? = #", "many": true, "max": 0"#, street: String = "",
    more: String = "", relationships: String = "", others: String = "", address: String = ""
  ) throws -> ModelVersion {
    let inverse = back == nil ? "" : #", "inverse": "people""#
    let people =
      back.map {
        #"{ "name": "people", "to": "Person", "optional": true, "inverse": "address"\#($0) }"#
      } ?? ""
    return try model(
      """
      { "name": "Person", "attributes": [\(attribute("name"))], "relationships": [
        { "name": "address", "to": "Address", "optional": true\(inverse)\(link) }] },
      { "name": "Address"\(address), "attributes": [\(attribute("street", street)), \(attribute("city"))\(more)], "relationships": [\(people)\(relationships)] }\(others)
      """)
  }

  private static let split =
    #"{ "split": "Person", "into": "Address", "attributes": ["street", "city"], "link": "address", "per": "row" }"#
  private static let inline =
    #"{ "inline": "Person.address", "attributes": ["street", "city"] }"#

  private static func byValue(_ step: String) -> String {
    step.replacing(#""row""#, with: #""value""#)
  }

  private func migration(_ steps: String) throws -> Migration {
    let text = """
      { "format_version": 1, "app": "people", "from": "V1", "to": "V2", "steps": [
        \(steps)] }
      """
    return try Migration(parsing: Array(text.utf8), file: "V1-V2.json")
  }

  private func failure(
    _ steps: String, from old: ModelVersion, to new: ModelVersion
  ) throws -> String {
    do {
      _ = try Lineage(identityOf: old.model).applying(
        migration(steps), source: old.model, target: new.model)
    } catch { return "\(error)" }
    return ""
  }

  // MARK: Reading

  @Test func `a step is read strictly, with the place of a mistake`() throws {
    func mistake(_ step: String) -> String {
      do { _ = try migration(step) } catch { return "\(error)" }
      return ""
    }
    #expect(mistake(Self.split) == "" && mistake(Self.inline) == "")
    for (step, message) in [
      (
        Self.split.replacing(#""row""#, with: #""rows""#),
        "V1-V2.json:2:103: error: unknown name 'rows'; did you mean 'row'?"
      ),
      (
        Self.split.replacing(#"["street", "city"]"#, with: "[]"),
        "V1-V2.json:2:57: error: no attribute is named; name those that move"
      ),
      (
        Self.split.replacing(#""city""#, with: #""street""#),
        "V1-V2.json:2:68: error: 'street' is named twice; name each attribute once"
      ),
      (
        Self.split.replacing(#", "per": "row""#, with: ""),
        "V1-V2.json:2:3: error: key 'per' is missing"
      ),
      (
        #"{ "split": "Person.street", "to": ["Employee.street"], "link": "a" }"#,
        "V1-V2.json:2:66: error: 'link' is about an entity, and 'Person.street' is an attribute; remove it"
      ),
      (
        #"{ "split": "Person", "to": ["Employee.street"] }"#,
        "V1-V2.json:2:30: error: an entity is split by 'into'; see 'Splitting an entity'"
      ),
      (
        #"{ "inline": "Person", "attributes": ["street"] }"#,
        "V1-V2.json:2:15: error: 'Person' is an entity; write Person.attribute"
      ),
    ] {
      #expect(mistake(step) == message)
    }
  }

  @Test func `the text of a step is read as the same step, and the inverse leads back`() throws {
    let (old, new) = (try Self.joined(), try Self.apart())
    for (step, from, to) in [
      (Self.split, old, new), (Self.byValue(Self.split), old, new), (Self.inline, new, old),
    ] {
      let migration = try migration(step)
      let again = try Migration(parsing: Array(migration.text().utf8), file: nil)
      #expect(again.steps == migration.steps)
      let inverse = migration.inverse(source: from.model, target: to.model)
      _ = try Lineage(identityOf: to.model).applying(
        inverse, source: to.model, target: from.model)
      #expect(inverse.steps.map(\.verb) == [step == Self.inline ? "split" : "inline"])
    }
    let renamed = Self.split.replacing(
      #"["street", "city"]"#, with: #"{ "street": "line", "city": "city" }"#)
    #expect(try migration(renamed).text().contains(#"{ "street": "line", "city": "city" }"#))
  }

  // MARK: Splitting

  @Test func `what can't be split is refused, with the place of the step`() throws {
    let old = try Self.joined()
    let place = "migration 'V1-V2', step 1: V1-V2.json:2:14: 'split' can't change 'Person': "
    let external = #", "external": true"#
    for (step, from, to, reason) in [
      (
        Self.split, old, try Self.apart(link: #", "many": true, "max": 0"#),
        "'address' isn't a to-one relationship to 'Address' in the target"
      ),
      (
        Self.split, old, try Self.apart(back: #", "many": true, "max": 0, "ordered": true"#),
        "'Address.people' is ordered; the rows have no order"
      ),
      (
        Self.byValue(Self.split), old, try Self.apart(back: ""),
        "'Address.people' is to-one, and several rows may have one value; make it to-many, or use 'row'"
      ),
      (
        Self.split, old, try Self.apart(others: #", { "name": "Villa", "parent": "Address" }"#),
        "'Address' is abstract, or has a super-entity or sub-entities"
      ),
      (
        Self.split, old, try Self.apart(address: #", "abstract": true"#),
        "'Address' is abstract, or has a super-entity or sub-entities"
      ),
      (
        Self.byValue(Self.split), try Self.joined(external), try Self.apart(street: external),
        "'Person.street' allows external storage, and its files can't be shared; use 'row'"
      ),
      (
        Self.split, try Self.joined(external), try Self.apart(),
        "'Person.street' allows external storage in one version only, or has another name in the version before"
      ),
    ] {
      #expect(try failure(step, from: from, to: to) == place + reason)
    }
    #expect(
      try failure(Self.split, from: Self.joined(external), to: Self.apart(street: external)) == "")
  }

  @Test func `attributes of the new entity have steps of their own`() throws {
    let old = try Self.joined()
    let new = try Self.apart(more: ", " + Self.attribute("id"))
    #expect(
      try failure(Self.split, from: old, to: new).contains("'Address.id'"))
    #expect(
      try failure(Self.split + #", { "new-uuid": "Address.id" }"#, from: old, to: new) == "")
    for step in [
      #"{ "delete": "Address", "where": "1", "because": "x" }"#, #"{ "drop": "Address" }"#,
      #"{ "require": "Address", "sql": "1", "because": "x" }"#,
      #"{ "sequence": "Address.id", "by": ["city"] }"#,
    ] {
      #expect(
        try failure(Self.split + ", " + step, from: old, to: new)
          .contains("its rows are made by 'split' in the same run; migrate in two runs"))
    }
    #expect(
      try failure(Self.split + #", { "drop": "Person.address" }"#, from: old, to: new)
        .contains("its links are made by 'split' in the same run"))
  }

  // MARK: Inlining

  @Test func `what can't be inlined is refused, with the place of the step`() throws {
    let new = try Self.joined()
    let place =
      "migration 'V1-V2', step 1: V1-V2.json:2:15: 'inline' can't change 'Person.address': "
    for (step, from, to, reason) in [
      (
        Self.inline, try Self.apart(link: #", "many": true, "max": 0"#), new,
        "it isn't a to-one relationship of the version before"
      ),
      (
        Self.inline, try Self.apart(others: #", { "name": "Villa", "parent": "Address" }"#), new,
        "'Address' has a super-entity or sub-entities"
      ),
      (
        Self.inline, try Self.apart(more: ", " + Self.attribute("note")), new,
        "'Address.note' has no place; name it, or drop it by an earlier step"
      ),
      (
        Self.inline,
        try Self.apart(
          relationships: #", { "name": "old", "to": "Person", "optional": true }"#), new,
        "'Address.old' has no place; drop it by an earlier step"
      ),
      (
        Self.inline, try Self.apart(back: #", "many": true, "max": 0, "ordered": true"#), new,
        "'Address.people' is ordered, and a rollback couldn't find the order again"
      ),
      (
        Self.inline, try Self.apart(street: #", "external": true"#), new,
        "'Address.street' allows external storage, and several rows can't share its files"
      ),
    ] {
      #expect(try failure(step, from: from, to: to) == place + reason)
    }
  }

  @Test func `rows that other steps read or remove can't be inlined`() throws {
    let (old, new) = (try Self.apart(), try Self.joined())
    for (step, reason) in [
      (
        #"{ "delete": "Address", "where": "1", "because": "x" }"#,
        "rows of 'Address' are removed in the same run; migrate in two runs"
      ),
      (
        #"{ "require": "Address", "sql": "1", "because": "x" }"#,
        "rows of 'Address' are converted or checked in the same run; migrate in two runs"
      ),
    ] {
      let message = try failure(step + ", " + Self.inline, from: old, to: new)
      #expect(message.contains(reason), "\(message)")
    }
  }
}
