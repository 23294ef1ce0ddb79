/// Documents of each format that together have every key.
enum FileExamples {
  static let steps = [
    #"{ "add": "Item" }"#,
    #"{ "add": "Item.count", "default": 5 }"#,
    #"{ "add": "Item.day", "default": { "date": 757382400.0 } }"#,
    #"{ "add": "Item.size", "default": { "dictionary": { "kind": "small", "parts": [1, null] } } }"#,
    #"{ "add": "Item.owner", "default": { "uuid": "83EB81E1-76C3-45D4-95B7-D5CE7985CC96" } }"#,
    #"{ "add": "Item.price", "default": { "decimal": "1.50" } }"#,
    #"{ "add": "Item.page", "default": { "url": "https://example.com" } }"#,
    #"{ "add": "Item.image", "default": { "data": "AQI=" } }"#,
    #"{ "drop": "Item" }"#,
    #"{ "rename": "Item.title", "to": "name" }"#,
    #"{ "convert": "Item.count", "to": "amount", "with": "real" }"#,
    #"{ "convert": ["Item.quantity", "Item.notes"], "to": ["quantity", "unit", "notes"], "with": "quantity" }"#,
    #"{ "merge": ["Cat.name", "Dog.name"], "to": "Animal.name" }"#,
    #"{ "split": "Animal.name", "to": ["Cat.name", "Dog.name"] }"#,
    #"{ "backfill": "Item.entityID", "from": "id", "with": "json-text" }"#,
    #"{ "backfill": "Book.shelf", "where": "null", "from": "shelfName", "matching": "name" }"#,
    #"{ "backfill": "Item.userID", "option": "user-id" }"#,
    #"{ "backfill": "Item.count", "where": "zero", "value": 1 }"#,
    #"{ "compute": "Item.metres", "sql": "feet * 0.3048", "inverse": { "feet": "metres / 0.3048" } }"#,
    #"{ "map": "Task.state", "values": { "0": "open", "1": "done" }, "else": "refuse" }"#,
    #"{ "retype": "Entry.day", "format": "yyyy-MM-dd", "else": null }"#,
    #"{ "new-uuid": "Item.id" }"#,
    #"{ "sequence": "Item.position", "by": ["createdAt"], "from": 0, "within": "list" }"#,
    #"{ "delete": "Event", "where": "state = 'sent'", "because": "the server has them" }"#,
    #"{ "unite": "Tag", "by": ["name"], "keep": "newest day", "compare": "exact", "links": "merge" }"#,
    #"{ "relink": "Book.authors", "keep": "first" }"#,
    #"{ "split": "Person", "into": "Address", "attributes": ["street", "city"], "link": "address", "per": "row" }"#,
    #"{ "split": "Person", "into": "Address", "attributes": { "street": "line" }, "link": "address", "per": "value" }"#,
    #"{ "inline": "Person.address", "attributes": { "line": "street" } }"#,
    #"{ "require": "Item", "sql": "count > 0", "because": "an item has a count" }"#,
  ]

  static func migration(_ step: String) -> String {
    """
    { "$schema": "migration-1.json", "format_version": 1, "app": "App", "from": "V1", "to": "V2",
      "note": "why", "constants": { "foot": 0.3048 }, "steps": [ \(step) ] }
    """
  }

  static let schema = """
    { "$schema": "schema-1.json", "format_version": 1, "app": "App", "version": "V1",
      "note": "why", "identifiers": ["1.0.0"], "dialect": "coreData",
      "configurations": { "main": ["Item"] },
      "entities": [
        { "name": "Thing", "abstract": true, "class": "Thing", "renamed_from": "Object",
          "hash_modifier": "a", "info": { "kind": "b", "list": [1, { "date": 0.0 }] } },
        { "name": "Item", "parent": "Thing", "fetched": ["recent"], "unique": [["name"]],
          "compound_indexes": [["name", "count"]],
          "indexes": [{ "name": "byName", "elements": [
            { "property": "name", "descending": true, "kind": 0 }] }],
          "attributes": [
            { "name": "name", "type": "String", "optional": true, "indexed": true },
            { "name": "count", "type": "Integer 64", "default": 1, "read_only": true, "flags": 0 },
            { "name": "id", "type": "UUID", "default":
              { "uuid": "83EB81E1-76C3-45D4-95B7-D5CE7985CC96" } },
            { "name": "page", "type": "URI", "default": { "url": "https://example.com" } },
            { "name": "price", "type": "Decimal", "default": { "decimal": "1.50" } },
            { "name": "image", "type": "Binary", "external": true, "preserved": true,
              "default": { "data": "AQI=" } },
            { "name": "any", "type": "Transformable", "transformer": "T", "class": "NSArray" },
            { "name": "late", "type": "Date", "transient": true },
            { "name": "length", "type": "Integer 32", "derived": true },
            { "name": "size", "type": "Composite", "default": { "dictionary": { "kind": "a" } },
              "elements": [{ "name": "kind", "type": "String" }] }
          ],
          "relationships": [
            { "name": "parts", "to": "Thing", "many": true, "max": 0, "min": 1, "delete": "cascade",
              "ordered": true, "optional": true, "transient": false },
            { "name": "other", "to": "Item", "inverse": "other" }
          ] }
      ] }
    """

  static let captured = """
    { "format_version": 1, "app": "App", "version": "V1@first", "identifiers": [], "hashes": {},
      "model_cache": "AQI=", "entities": [] }
    """

  static let converters = """
    { "$schema": "converters-1.json", "format_version": 1, "app": "App", "note": "why",
      "converters": [
        { "name": "metres", "inverse": "feet", "from": "Double", "to": "Double", "range": [0, 9],
          "sql": "value * 0.3048",
          "swift": ["static func metres(_ value: Double?) -> Double? { value }"] },
        { "name": "feet", "inverse": "metres", "from": "Double", "to": "Double",
          "sql": "value / 0.3048" }
      ] }
    """

  static let edition = """
    { "$schema": "edition-1.json", "format_version": 1, "app": "App", "edition": "V9@first",
      "identifiers": ["0.0.9"], "note": "why",
      "signs": [
        { "no_inverse": "Item.parts" }, { "has": "Item.a" }, { "lacks": "Item.b" },
        { "unique": "Item.c" }, { "mandatory": "Item.d" }
      ] }
    """
}
