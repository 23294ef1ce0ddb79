import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// People with addresses, in a store that has both in one entity, or in two.
struct SplitFixture {
  /// How the store has the addresses.
  enum Form: Equatable {
    /// As attributes of the people.
    case joined

    /// As rows that people link to.
    case apart(Inverse)
  }

  /// The relationship from addresses to people.
  enum Inverse: String, CaseIterable { case none, one, many }

  /// An address.
  struct Values: Hashable {
    var street: String?
    var city: String?
    var floor: Int64?

    static let empty = Values()
    var isEmpty: Bool { self == .empty }
  }

  /// The rows of a store.
  ///
  /// A person with an even key is an employee.
  struct Content: Equatable {
    /// The names of the people, by key.
    var names: [Int64: String] = [:]

    /// The addresses of people, if they are attributes.
    var values: [Int64: Values] = [:]

    /// The addresses of people, if they are rows.
    var links: [Int64: Int64] = [:]
    var addresses: [Int64: Values] = [:]

    /// What a reader sees: the address of each person, wherever it is.
    var seen: [Int64: Values] {
      names.keys.reduce(into: [:]) { seen, key in
        seen[key] = values[key] ?? links[key].flatMap { addresses[$0] } ?? .empty
      }
    }
  }

  let path: String

  // MARK: Models

  static func schema(_ version: String, _ form: Form, more: String = "") -> String {
    func attribute(_ name: String, _ type: String) -> String {
      #"{ "name": "\#(name)", "type": "\#(type)", "optional": true }"#
    }
    let name = attribute("name", "String")
    let added = version == "V1" ? "" : #"{ "name": "Archive" }, "#
    let employee = #"{ "name": "Employee", "parent": "Person" }"#
    let rest = [attribute("city", "String"), attribute("floor", "Integer 64")]
      .joined(separator: ", ")
    let header =
      #""format_version": 1, "app": "people", "version": "\#(version)", "identifiers": ["\#(version)"]"#
    guard case .apart(let inverse) = form else {
      return """
        { \(header), "entities": [ \(added)
          { "name": "Person", "attributes": [\(name), \(attribute("street", "String")), \(rest)] },
          \(employee) ] }
        """
    }
    let back =
      switch inverse {
      case .none: ""
      case .one: #"{ "name": "people", "to": "Person", "optional": true, "inverse": "address" }"#
      case .many:
        #"{ "name": "people", "to": "Person", "optional": true, "many": true, "max": 0, "inverse": "address" }"#
      }
    let inverseName = inverse == .none ? "" : #", "inverse": "people""#
    return """
      { \(header), "entities": [ \(added)
        { "name": "Person", "attributes": [\(name)], "relationships": [
          { "name": "address", "to": "Address", "optional": true\(inverseName) }] },
        \(employee),
        { "name": "Address", "attributes": [\(attribute("line", "String")), \(rest)\(more)], "relationships": [\(back)] } ] }
      """
  }

  static func split(per: String) -> String {
    #"{ "split": "Person", "into": "Address", "attributes": { "street": "line", "city": "city", "floor": "floor" }, "link": "address", "per": "\#(per)" }"#
  }

  static let inline =
    #"{ "inline": "Person.address", "attributes": { "line": "street", "city": "city", "floor": "floor" } }"#

  static func model(_ version: String, _ form: Form) throws -> Model {
    try SchemaFile(parsing: Array(schema(version, form).utf8), file: nil).model
  }

  static func migrator(
    _ steps: String, from old: Form, to new: Form, more: [String] = ["", ""]
  ) throws -> StoreMigrator {
    let text = """
      { "format_version": 1, "app": "people", "from": "V1", "to": "V2", "steps": [{ "add": "Archive" }, \(steps)] }
      """
    return StoreMigrator(
      catalog: Catalog(
        versions: try [schema("V1", old, more: more[0]), schema("V2", new, more: more[1])].map {
          ModelVersion(try SchemaFile(parsing: Array($0.utf8), file: nil))
        },
        migrations: [try Migration(parsing: Array(text.utf8), file: "V1-V2.json")]))
  }

  // MARK: Stores

  /// Creates a store of the old version.
  func make(_ content: Content, _ form: Form) throws {
    let model = try Self.model("V1", form)
    try createFixture(
      app: "people", version: "V1", model: model, at: path, options: FixtureOptions(rows: 0))
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DELETE FROM ZPERSON")
    if form != .joined { try connection.execute("DELETE FROM ZADDRESS") }
    for key in content.names.keys.sorted() {
      try add(person: key, content, form, "V1", connection)
    }
    for (key, values) in content.addresses {
      try add(address: key, values, form, "V1", connection)
    }
    try link(content, form, "V1", connection)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000")
  }

  static func number(_ entity: String, _ form: Form, _ version: String) throws -> Int64 {
    Int64(try #require(EntityNumbering(try model(version, form)).number(of: entity)))
  }

  func add(
    person key: Int64, _ content: Content, _ form: Form, _ version: String,
    _ connection: borrowing Connection
  ) throws {
    let entity = try Self.number(key.isMultiple(of: 2) ? "Employee" : "Person", form, version)
    let name = content.names[key].map { Value.text($0) } ?? .null
    try connection.execute(
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, ?2, 1, ?3)",
      [.integer(key), .integer(entity), name])
    guard form == .joined, let values = content.values[key] else { return }
    try connection.execute(
      "UPDATE ZPERSON SET ZSTREET = ?2, ZCITY = ?3, ZFLOOR = ?4 WHERE Z_PK = ?1",
      [.integer(key)] + values.stored)
  }

  func add(
    address key: Int64, _ values: Values, _ form: Form, _ version: String,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZLINE, ZCITY, ZFLOOR) VALUES (?1, ?2, 1, ?3, ?4, ?5)",
      [.integer(key), .integer(try Self.number("Address", form, version))] + values.stored)
  }

  /// Writes the links of a store with rows for addresses.
  func link(
    _ content: Content, _ form: Form, _ version: String, _ connection: borrowing Connection
  ) throws {
    guard case .apart(let inverse) = form else { return }
    for (person, address) in content.links {
      try connection.execute(
        "UPDATE ZPERSON SET ZADDRESS = ?2 WHERE Z_PK = ?1", [.integer(person), .integer(address)])
      guard inverse == .one else { continue }
      try connection.execute(
        "UPDATE ZADDRESS SET ZPEOPLE = ?1 WHERE Z_PK = ?2", [.integer(person), .integer(address)])
      let entity = try Self.number(person.isMultiple(of: 2) ? "Employee" : "Person", form, version)
      let layout = StoreLayout(try Self.model(version, form))
      let column = layout.table(of: "Address")?.column(
        .entityKey(entity: "Address", relationship: "people"))
      if let column {
        try connection.execute(
          "UPDATE ZADDRESS SET \(column.name) = \(entity) WHERE Z_PK = ?1", [.integer(address)])
      }
    }
  }

  /// Reads a store of a version.
  func content(_ form: Form, _ version: String) throws -> Content {
    var content = Content()
    for row in try rows(of: "ZPERSON", in: path) {
      let key = row["Z_PK"]?.int64 ?? 0
      content.names[key] = row["ZNAME"]?.string ?? ""
      let entity = key.isMultiple(of: 2) ? "Employee" : "Person"
      #expect(try row["Z_ENT"]?.int64 == Self.number(entity, form, version))
      if form == .joined {
        content.values[key] = Values(row, street: "ZSTREET")
      } else {
        content.links[key] = row["ZADDRESS"]?.int64
      }
    }
    guard case .apart(let inverse) = form else { return content }
    let column = StoreLayout(try Self.model(version, form)).table(of: "Address")?
      .column(.entityKey(entity: "Address", relationship: "people"))?.name
    for row in try rows(of: "ZADDRESS", in: path) {
      let key = row["Z_PK"]?.int64 ?? 0
      content.addresses[key] = Values(row, street: "ZLINE")
      #expect(try row["Z_ENT"]?.int64 == Self.number("Address", form, version))
      guard inverse == .one else { continue }
      // Both columns of a one-to-one relationship say the same.
      let person = content.links.first { $0.value == key }?.key
      #expect(row["ZPEOPLE"]?.int64 == person)
      if let column, let person {
        let entity = person.isMultiple(of: 2) ? "Employee" : "Person"
        #expect(try row[column]?.int64 == Self.number(entity, form, version))
      }
    }
    return content
  }

  /// Returns random people; values repeat, and some are missing.
  static func randomContent(_ form: Form, _ random: inout SeededGenerator) -> Content {
    func values() -> Values {
      Values(
        street: [nil, "", "Elm", "elm", "\u{C9}", "E\u{301}"][random.below(6)],
        city: [nil, "Ulm", "Bonn"][random.below(3)], floor: [nil, nil, 0, 3][random.below(4)])
    }
    var content = Content()
    for key in 1...(1 + Int64(random.below(12))) where random.below(5) > 0 {
      content.names[key] = "p\(key)"
      if form == .joined { content.values[key] = values() }
    }
    guard case .apart(let inverse) = form else { return content }
    for key in 1...(1 + Int64(random.below(8))) { content.addresses[key] = values() }
    for person in content.names.keys.sorted() where random.below(4) > 0 {
      let address = 1 + Int64(random.below(content.addresses.count))
      if inverse == .one && content.links.values.contains(address) { continue }
      content.links[person] = address
    }
    return content
  }
}

extension SplitFixture.Values {
  fileprivate init(_ row: [String: Value], street: String) {
    self.init(
      street: row[street]?.string, city: row["ZCITY"]?.string, floor: row["ZFLOOR"]?.int64)
  }

  /// The values with the bytes of texts.
  var bytes: [[UInt8]?] {
    [street.map { Array($0.utf8) }, city.map { Array($0.utf8) }, floor.map { [UInt8($0)] }]
  }

  /// The values as columns store them.
  var stored: [Value] {
    [street.map { .text($0) } ?? .null, city.map { .text($0) } ?? .null, Value(floor)]
  }
}
