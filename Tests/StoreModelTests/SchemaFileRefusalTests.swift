import JSONText
import Testing

@testable import StoreModel

@Suite struct SchemaFileRefusalTests {
  private static func schema(_ entities: String, version: String = "V1") -> String {
    """
    { "format_version": 1, "app": "Zoo", "version": "\(version)", "identifiers": ["1.0.0"],
      "entities": [\(entities)] }
    """
  }

  @Test(arguments: [
    (schema(#"{ "name": "Ape", "parent": "Ape" }"#), "'Ape' inherits from itself"),
    (
      schema(#"{ "name": "Ape", "parent": "Bat" }, { "name": "Bat", "parent": "Ape" }"#),
      "'Ape' inherits from itself"
    ),
    (schema(#"{ "name": "Ape" }, { "name": "APE" }"#), "differ only in case"),
    (schema(#"{ "name": "" }"#), "invalid name"),
    (schema(#"{ "name": "A\u0000" }"#), "invalid name"),
    (schema("", version: "../V2"), "contain slashes"),
    (schema(#"{ "name": "Ape", "parent": "Aep" }, { "name": "Apes" }"#), "unknown entity"),
    (schema(#"{ "name": "Ape", "atributes": [] }"#), "unknown key 'atributes'"),
    (
      schema(#"{ "name": "Ape", "attributes": [{ "name": "a", "type": "Text" }] }"#), "'Text'"
    ),
    (schema(#"{ "name": "Ape" }, { "name": "Ape" }"#), "duplicate entity"),
  ])
  func `what no model can be is refused with its place`(text: String, sentence: String) {
    let error = #expect(throws: JSONError.self) {
      try SchemaFile(parsing: Array(text.utf8), file: "zoo.schema.json")
    }
    #expect(error?.description.hasPrefix("zoo.schema.json:") == true)
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test func `a schema is read from its own text again`() throws {
    let text = Self.schema(
      #"""
      { "name": "Pet", "abstract": true, "attributes": [
          { "name": "born", "type": "Date", "optional": true, "default": { "date": 0.5 } } ],
        "relationships": [{ "name": "owner", "to": "Human", "inverse": "pets", "optional": true }] },
      { "name": "Human", "relationships": [{ "name": "pets", "to": "Pet", "inverse": "owner",
        "many": true, "ordered": true, "delete": "cascade" }], "unique": [["pets"]] }
      """#)
    let schema = try SchemaFile(parsing: Array(text.utf8), file: nil)
    #expect(try SchemaFile(parsing: Array(schema.text.utf8), file: nil) == schema)
  }
}
