import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// Notes and tags with links between them, in a store of any form of the relationship.
struct RelinkFixture {
  /// How many rows a relationship leads to.
  enum Side: String, CaseIterable {
    case absent, one, many, ordered

    var isToMany: Bool { self == .many || self == .ordered }
  }

  /// The two relationships: from notes to tags, and from tags to notes.
  struct Form: Equatable, CustomStringConvertible {
    var tags: Side
    var notes: Side

    var description: String { "\(tags)/\(notes)" }

    static let all = Side.allCases.filter { $0 != .absent }.flatMap { tags in
      Side.allCases.map { Form(tags: tags, notes: $0) }
    }
  }

  /// A link, with the position of each row in the order of the other's relationship.
  struct Link: Hashable {
    var note: Int64
    var tag: Int64
    var notePosition: Int64?
    var tagPosition: Int64?

    var pair: [Int64] { [note, tag] }
  }

  /// The ranks of notes and tags by key, and the links.
  ///
  /// A note with an even key is a memo.
  struct Content: Equatable {
    var notes: [Int64: Int64?] = [:]
    var tags: [Int64: Int64?] = [:]
    var links: Set<Link> = []

    var pairs: Set<[Int64]> { Set(links.map(\.pair)) }
  }

  let path: String

  // MARK: Models

  static func schema(_ version: String, _ form: Form, isMandatory: Bool = false) -> String {
    func relationship(_ name: String, _ side: Side, to entity: String, inverse: String?) -> String {
      let many = side.isToMany ? #", "many": true, "max": 0"# : ""
      let order = side == .ordered ? #", "ordered": true"# : ""
      let back = inverse.map { #", "inverse": "\#($0)""# } ?? ""
      let optional = isMandatory && side == .one && name == "tags" ? "false" : "true"
      return side == .absent
        ? ""
        : #"{ "name": "\#(name)", "to": "\#(entity)", "optional": \#(optional)\#(many)\#(order)\#(back) }"#
    }
    let tags = relationship(
      "tags", form.tags, to: "Tag", inverse: form.notes == .absent ? nil : "notes")
    let notes = relationship("notes", form.notes, to: "Note", inverse: "tags")
    // A new entity with a low number gives the others new numbers.
    let added = version == "V1" ? "" : #"{ "name": "Archive" }, "#
    let rank = #""attributes": [{ "name": "rank", "type": "Integer 64", "optional": true }]"#
    return """
      { "format_version": 1, "app": "notes", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        \(added){ "name": "Note", \(rank), "relationships": [\(tags)] },
        { "name": "Memo", "parent": "Note" },
        { "name": "Tag", \(rank), "relationships": [\(notes)] } ] }
      """
  }

  static func model(_ version: String, _ form: Form) throws -> Model {
    try SchemaFile(parsing: Array(schema(version, form).utf8), file: nil).model
  }

  static func migrator(
    _ steps: String, from old: Form, to new: Form, isMandatory: Bool = false
  ) throws -> StoreMigrator {
    let text = """
      { "format_version": 1, "app": "notes", "from": "V1", "to": "V2", "steps": [{ "add": "Archive" }\(steps.isEmpty ? "" : ", ")\(steps)] }
      """
    return StoreMigrator(
      catalog: Catalog(
        versions: try [schema("V1", old), schema("V2", new, isMandatory: isMandatory)].map {
          ModelVersion(try SchemaFile(parsing: Array($0.utf8), file: nil))
        },
        migrations: [try Migration(parsing: Array(text.utf8), file: "V1-V2.json")]))
  }

  // MARK: Stores

  /// Creates a store of the old version.
  func make(_ content: Content, _ form: Form) throws {
    let model = try Self.model("V1", form)
    try createFixture(
      app: "notes", version: "V1", model: model, at: path, options: FixtureOptions(rows: 0))
    let numbering = EntityNumbering(model)
    func number(_ name: String) -> Int { numbering.number(of: name) ?? 0 }
    let connection = try Connection(path: path, mode: .readWrite)
    let joins = StoreLayout(model).joinTables.map(\.name)
    for name in ["ZNOTE", "ZTAG"] + joins { try connection.execute("DELETE FROM \(name)") }
    for (key, rank) in content.notes {
      let entity = number(key.isMultiple(of: 2) ? "Memo" : "Note")
      try connection.execute(
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (?1, \(entity), 1, ?2)",
        [.integer(key), Value(rank)])
    }
    for (key, rank) in content.tags {
      try connection.execute(
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (?1, \(number("Tag")), 1, ?2)",
        [.integer(key), Value(rank)])
    }
    for link in content.links { try insert(link, form, "V1", connection) }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000")
  }

  /// Writes a link into a store of a version.
  func insert(
    _ link: Link, _ form: Form, _ version: String, _ connection: borrowing Connection
  ) throws {
    for place in try Self.places(form, version) {
      let keys = [place.note: Value.integer(link.note), place.tag: .integer(link.tag)]
      var values = keys
      if let column = place.notePosition { values[column] = Value(link.notePosition) }
      if let column = place.tagPosition { values[column] = Value(link.tagPosition) }
      if let column = place.number {
        let numbering = EntityNumbering(try Self.model(version, form))
        let name = link.note.isMultiple(of: 2) ? "Memo" : "Note"
        values[column] = .integer(Int64(numbering.number(of: name) ?? 0))
      }
      let key = values.removeValue(forKey: "Z_PK")
      let names = values.keys.sorted()
      let list = names.compactMap { values[$0] }
      if let key {
        let set = names.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
        try connection.execute(
          "UPDATE \(place.table) SET \(set) WHERE Z_PK = ?\(names.count + 1)", list + [key])
      } else {
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try connection.execute(
          "INSERT INTO \(place.table) (\(names.joined(separator: ", "))) VALUES (\(places))", list)
      }
    }
  }

  /// Reads a store of a version.
  func content(_ form: Form, _ version: String) throws -> Content {
    var content = Content()
    for row in try rows(of: "ZNOTE", in: path) {
      content.notes[row["Z_PK"]?.int64 ?? 0] = .some(row["ZRANK"]?.int64)
    }
    for row in try rows(of: "ZTAG", in: path) {
      content.tags[row["Z_PK"]?.int64 ?? 0] = .some(row["ZRANK"]?.int64)
    }
    let numbering = EntityNumbering(try Self.model(version, form))
    for (index, place) in try Self.places(form, version).enumerated() {
      var links: Set<Link> = []
      for row in try rows(of: place.table, in: path) {
        guard let note = row[place.note]?.int64, let tag = row[place.tag]?.int64 else { continue }
        links.insert(
          Link(
            note: note, tag: tag, notePosition: place.notePosition.flatMap { row[$0]?.int64 },
            tagPosition: place.tagPosition.flatMap { row[$0]?.int64 }))
        if let column = place.number {
          let name = note.isMultiple(of: 2) ? "Memo" : "Note"
          #expect(row[column]?.int64 == numbering.number(of: name).map(Int64.init))
        }
      }
      // Both columns of a one-to-one relationship say the same.
      #expect(index == 0 || links == content.links)
      content.links = links
    }
    return content
  }

  /// A table with links, and its columns.
  private struct Place {
    let table: String
    let note: String
    let tag: String
    var notePosition: String?
    var tagPosition: String?
    var number: String?
  }

  private static func places(_ form: Form, _ version: String) throws -> [Place] {
    let layout = StoreLayout(try model(version, form))
    if let join = layout.joinTables.first {
      let sides = [join.first, join.second].sorted { $0.entity < $1.entity }
      return [
        Place(
          table: join.name, note: sides[0].keyColumn, tag: sides[1].keyColumn,
          notePosition: sides[0].orderingColumn, tagPosition: sides[1].orderingColumn)
      ]
    }
    let note = try #require(layout.table(of: "Note"))
    let tag = try #require(layout.table(of: "Tag"))
    var places: [Place] = []
    if let key = note.column(.foreignKey(entity: "Note", relationship: "tags")) {
      places.append(
        Place(
          table: "ZNOTE", note: "Z_PK", tag: key.name,
          notePosition: note.column(.ordering(entity: "Note", relationship: "tags"))?.name))
    }
    if let key = tag.column(.foreignKey(entity: "Tag", relationship: "notes")) {
      places.append(
        Place(
          table: "ZTAG", note: key.name, tag: "Z_PK",
          tagPosition: tag.column(.ordering(entity: "Tag", relationship: "notes"))?.name,
          number: tag.column(.entityKey(entity: "Tag", relationship: "notes"))?.name))
    }
    if let key = tag.column(.inverselessKey(source: "Note", relationship: "tags")) {
      places.append(
        Place(
          table: "ZTAG", note: key.name, tag: "Z_PK",
          tagPosition: tag.column(.inverselessOrdering(source: "Note", relationship: "tags"))?.name
        ))
    }
    return places
  }
}

extension Value {
  init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
}
