import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Relinking beside later writes, other steps, damaged links, and mistakes in the file.
@Suite struct RelinkCaseTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let fixture: RelinkFixture

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
    fixture = RelinkFixture(path: path)
  }

  private typealias Form = RelinkFixture.Form
  private typealias Link = RelinkFixture.Link
  private typealias Content = RelinkFixture.Content

  private static let manyToMany = Form(tags: .many, notes: .many)
  private static let oneToMany = Form(tags: .one, notes: .many)
  private static let keepNewest = #"{ "relink": "Note.tags", "keep": "newest rank" }"#

  private static let small = Content(
    notes: [1: 5, 2: 6], tags: [1: 10, 2: 30, 3: 20],
    links: [
      Link(note: 1, tag: 1), Link(note: 1, tag: 2), Link(note: 1, tag: 3), Link(note: 2, tag: 3),
    ])

  private static let accepting = MigrationRequest(acceptedLosses: ["all"])

  private func change(_ sql: String) throws {
    try Connection(path: path, mode: .readWrite).execute(sql)
  }

  private func apply(_ migrator: StoreMigrator) throws {
    try migrator.applyAndVerify(path, Self.accepting)
  }

  // MARK: Later writes

  @Test func `links that were left out come back beside later writes`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany)
    try apply(migrator)
    try change("UPDATE ZNOTE SET ZTAGS = 3 WHERE Z_PK = 1; DELETE FROM ZTAG WHERE Z_PK = 1")
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(
      report.notes == ["1 link that came back leads nowhere: its row was deleted since"]
    )
    let after = try fixture.content(Self.manyToMany, "V1")
    #expect(after.pairs == [[1, 3], [2, 3]] && after.tags.keys.sorted() == [2, 3])
  }

  @Test func `links that were added since are parked if the old version has no place`() throws {
    var content = Self.small
    content.links = [Link(note: 1, tag: 2), Link(note: 2, tag: 2)]
    try fixture.make(content, Self.oneToMany)
    let migrator = try RelinkFixture.migrator(
      #"{ "relink": "Note.tags" }"#, from: Self.oneToMany, to: Self.manyToMany)
    try apply(migrator)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try fixture.insert(Link(note: 1, tag: 3), Self.manyToMany, "V2", connection)
    }
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try fixture.content(Self.oneToMany, "V1").pairs == [[1, 2], [2, 2]])
    try apply(migrator)
    #expect(try fixture.content(Self.manyToMany, "V2").pairs == [[1, 2], [1, 3], [2, 2]])
  }

  @Test func `a moved link that was removed since doesn't come back`() throws {
    var content = Self.small
    content.tags = [1: 10, 2: 20, 3: 20]
    content.links = [Link(note: 1, tag: 3), Link(note: 2, tag: 3)]
    try fixture.make(content, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      """
      { "unite": "Tag", "by": ["rank"], "keep": "first" },
      { "relink": "Note.tags", "keep": "first" }
      """, from: Self.manyToMany, to: Self.oneToMany)
    try apply(migrator)
    #expect(try fixture.content(Self.oneToMany, "V2").pairs == [[1, 2], [2, 2]])
    try change("UPDATE ZNOTE SET ZTAGS = NULL WHERE Z_PK = 1")
    _ = try migrator.rollback(path, laterWrites: .keep)
    content.links.remove(Link(note: 1, tag: 3))
    #expect(try fixture.content(Self.manyToMany, "V1") == content)
  }

  @Test func `a link that is emptied has no position`() throws {
    let old = Form(tags: .one, notes: .ordered)
    var content = Self.small
    content.links = [
      Link(note: 1, tag: 1, notePosition: 1024), Link(note: 2, tag: 1, notePosition: 2048),
    ]
    try fixture.make(content, old)
    let migrator = try RelinkFixture.migrator(
      #"{ "relink": "Tag.notes", "keep": "first" }"#, from: old,
      to: Form(tags: .one, notes: .one))
    try apply(migrator)
    try change(
      "UPDATE ZNOTE SET ZTAGS = NULL WHERE ZTAGS = 1; DELETE FROM ZTAG WHERE Z_PK = 1")
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.notes == ["1 link that came back leads nowhere: its row was deleted since"])
    let notes = try rows(of: "ZNOTE", in: path)
    #expect(notes.map { $0["ZTAGS"] } == [.null, .null])
    #expect(notes.map { $0["Z_FOK_TAGS"] } == [.null, .null])
  }

  // MARK: Other steps

  @Test func `a formula may have any character beside a step that relinks`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      """
      { "delete": "Tag", "where": "rank = 30 AND length('\\u0001') = 1", "because": "old" },
      { "relink": "Note.tags", "keep": "newest rank * length('\\u0001')" }
      """, from: Self.manyToMany, to: Self.oneToMany)
    try apply(migrator)
    #expect(try fixture.content(Self.oneToMany, "V2").pairs == [[1, 3], [2, 3]])
  }

  @Test func `links of united rows are united before one is chosen`() throws {
    var content = Self.small
    content.tags = [1: 10, 2: 10, 3: 20]
    try fixture.make(content, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      """
      { "relink": "Note.tags", "keep": "first" },
      { "unite": "Tag", "by": ["rank"], "keep": "first" }
      """, from: Self.manyToMany, to: Self.oneToMany)
    #expect(try migrator.plan(for: path).losses.map(\.rows).sorted() == [1, 1])
    try apply(migrator)
    #expect(try fixture.content(Self.oneToMany, "V2").pairs == [[1, 1], [2, 3]])
    _ = try migrator.rollback(path)
    #expect(try fixture.content(Self.manyToMany, "V1") == content)
  }

  @Test func `a row that becomes to-many takes over the links of rows united with it`() throws {
    let content = Content(
      notes: [1: 5, 3: 5, 5: 6], tags: [1: 10, 2: 30],
      links: [Link(note: 1, tag: 1), Link(note: 3, tag: 2), Link(note: 5, tag: 2)])
    try fixture.make(content, Self.oneToMany)
    let migrator = try RelinkFixture.migrator(
      #"{ "unite": "Note", "by": ["rank"], "keep": "first" }, { "relink": "Note.tags" }"#,
      from: Self.oneToMany, to: Self.manyToMany)
    try apply(migrator)
    #expect(try fixture.content(Self.manyToMany, "V2").pairs == [[1, 1], [1, 2], [5, 2]])
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try fixture.content(Self.oneToMany, "V1") == content)
  }

  // MARK: Links of one entity

  private static func people(_ version: String, isToMany: Bool) -> String {
    let many = #", "many": true, "max": 0"#
    return """
      { "format_version": 1, "app": "people", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "Person", "relationships": [
          { "name": "friends", "to": "Person", "inverse": "friendsOf", "optional": true\(isToMany ? many : "") },
          { "name": "friendsOf", "to": "Person", "inverse": "friends", "optional": true\(many) }] } ] }
      """
  }

  @Test func `links within one entity keep the name of their table when they come back`() throws {
    let schemas = try [("V1", true), ("V2", false)].map {
      try SchemaFile(parsing: Array(Self.people($0, isToMany: $1).utf8), file: nil)
    }
    let text = """
      { "format_version": 1, "app": "people", "from": "V1", "to": "V2",
        "steps": [{ "relink": "Person.friends", "keep": "first" }] }
      """
    let migrator = StoreMigrator(
      catalog: Catalog(
        versions: schemas.map { ModelVersion($0) },
        migrations: [try Migration(parsing: Array(text.utf8), file: "V1-V2.json")]))
    try createFixture(
      app: "people", version: "V1", model: schemas[0].model, at: path,
      options: FixtureOptions(rows: 0))
    let join = try #require(StoreLayout(schemas[0].model).joinTables.first)
    let friend = join.first.relationship == "friends" ? join.second : join.first
    let person = join.first.relationship == "friends" ? join.first : join.second
    func links() throws -> Set<[Int64]> {
      Set(
        try rows(of: join.name, in: path).map {
          [$0[person.keyColumn]?.int64 ?? 0, $0[friend.keyColumn]?.int64 ?? 0]
        })
    }
    try change("DELETE FROM ZPERSON; DELETE FROM \(join.name); UPDATE Z_PRIMARYKEY SET Z_MAX = 9")
    for key in 1...3 {
      try change("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 1, 1)")
    }
    let names = "(\(person.keyColumn), \(friend.keyColumn))"
    try change("INSERT INTO \(join.name) \(names) VALUES (1, 2), (1, 3), (2, 2), (3, 1)")
    let before = try links()
    try apply(migrator)
    #expect(
      try rows(of: "ZPERSON", in: path).map { $0["ZFRIENDS"] } == [
        .integer(2), .integer(2), .integer(1),
      ])
    try change("UPDATE ZPERSON SET ZFRIENDS = 1 WHERE Z_PK = 2")
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try links() == before.subtracting([[2, 2]]).union([[2, 1]]))
  }

  // MARK: Rows without links

  @Test func `a mandatory link that is missing is refused, by entity and key`() throws {
    var content = Self.small
    content.notes[3] = .some(nil)
    try fixture.make(content, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany, isMandatory: true)
    let planned = try failure { _ = try migrator.plan(for: path) }
    #expect(
      planned.contains("Note/3: 'tags' is mandatory, and no link is left for it"), "\(planned)")
    #expect(try failure { _ = try migrator.apply(to: path, Self.accepting) } == planned)
  }

  @Test func `a formula that fails in a choice of links is named by row, without the value`() throws
  {
    try fixture.make(Self.small, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      #"{ "relink": "Note.tags", "keep": "newest json('[' || rank || iif(rank = 20, '', ']'))" }"#,
      from: Self.manyToMany, to: Self.oneToMany)
    let planned = try failure { _ = try migrator.plan(for: path) }
    #expect(
      planned.contains("Tag/3: 'V1-V2:Note.tags' can't be computed by its formula: malformed JSON"),
      "\(planned)")
    #expect(try failure { _ = try migrator.apply(to: path, Self.accepting) } == planned)
  }

  @Test func `a link to a row that doesn't exist is left out`() throws {
    var content = Self.small
    content.links = [Link(note: 1, tag: 99), Link(note: 2, tag: 2)]
    try fixture.make(content, Self.oneToMany)
    let migrator = try RelinkFixture.migrator(
      #"{ "relink": "Note.tags" }"#, from: Self.oneToMany, to: Self.manyToMany)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.isEmpty)
    #expect(
      plan.conversions.first?.classes.map { "\($0.name) \($0.count)" } == [
        "linked 1", "left-out 0", "missing 1",
      ])
    let report = try migrator.applyAndVerify(path)
    #expect(report.conversions == plan.conversions)
    let entry = try #require(report.ledger.first { $0.property == "tags" })
    #expect(entry.setAside == 1 && entry.setAsideEmpty == 1)
    #expect(try fixture.content(Self.manyToMany, "V2").pairs == [[2, 2]])
    _ = try migrator.rollback(path)
    #expect(try fixture.content(Self.oneToMany, "V1") == content)
  }

  // MARK: The reader, and proposals

  @Test func `a mistake says what to write`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    func message(_ steps: String, to new: Form = Self.oneToMany) throws -> String {
      try failure {
        _ = try RelinkFixture.migrator(steps, from: Self.manyToMany, to: new).plan(for: path)
      }
    }
    #expect(
      try message("").contains(
        "'Note.tags' becomes to-one, and its links are stored in another way; add a step"))
    #expect(
      try message(#"{ "relink": "Note.tags" }"#).contains("say by 'keep' which of the linked rows"))
    #expect(
      try message(#"\#(Self.keepNewest), { "relink": "Tag.notes" }"#)
        .contains("'relink' can't change 'Tag.notes': it is to-many in both versions"))
    #expect(
      try message(#"\#(Self.keepNewest), \#(Self.keepNewest)"#).contains("another step does"))
    #expect(
      try message(#"{ "relink": "Note.tags", "keep": "newest rnk" }"#)
        .contains("V1-V2.json:1:139: the formula of 'Tag' can't be used"))
    #expect(
      try message(#"{ "relink": "Note.tags", "kep": "first" }"#)
        .contains("V1-V2.json:1:123: error: unknown key 'kep'; did you mean 'keep'?"))
    #expect(try message(#"{ "relink": "Note" }"#).contains("'Note' is an entity"))
    let other = RelinkFixture(path: folder.path("other.store"))
    var content = Self.small
    content.links = []
    try other.make(content, Self.oneToMany)
    let back = try failure {
      _ = try RelinkFixture.migrator(Self.keepNewest, from: Self.oneToMany, to: Self.manyToMany)
        .plan(for: other.path)
    }
    #expect(back.contains("it becomes to-many, so every link stays; remove 'keep'"))
  }

  @Test(arguments: [
    #"{ "relink": "Note.tags", "keep": "first" }, { "rename": "Note.tags", "to": "label" }"#,
    #"{ "rename": "Note.tags", "to": "label" }, { "relink": "Note.label", "keep": "first" }"#,
  ])
  func `a relationship may be renamed before or after, and the inverse leads back`(
    steps: String
  ) throws {
    func model(_ text: String) throws -> Model {
      try SchemaFile(parsing: Array(text.utf8), file: nil).model
    }
    let old = try model(RelinkFixture.schema("V1", Self.manyToMany))
    let new = try model(
      RelinkFixture.schema("V2", Self.oneToMany).replacing(#""tags""#, with: #""label""#))
    let text = """
      { "format_version": 1, "app": "notes", "from": "V1", "to": "V2", "steps": [{ "add": "Archive" }, \(steps)] }
      """
    let migration = try Migration(parsing: Array(text.utf8), file: nil)
    let forward = try Lineage(identityOf: old).applying(migration, source: old, target: new)
    #expect(forward.relinks.map(\.source) == [PropertyPath(entity: "Note", property: "tags")])
    let back = try Lineage(identityOf: new).applying(
      migration.inverse(source: old, target: new), source: new, target: old)
    #expect(back.relinks.map(\.source) == [PropertyPath(entity: "Note", property: "label")])
    #expect(back.relinks.map(\.keep) == [nil])
  }

  @Test func `a migration inferred from two models relinks, or asks which link stays`() throws {
    func inferred(_ old: Form, _ new: Form) throws -> InferredMigration {
      let versions = try [("V1", old), ("V2", new)].map { version, form in
        ModelVersion(
          try SchemaFile(
            parsing: Array(RelinkFixture.schema(version, form).utf8), file: nil))
      }
      return InferredMigration(from: versions[0], to: versions[1])
    }
    let wider = try inferred(Self.oneToMany, Self.manyToMany)
    let path = PropertyPath(entity: "Note", property: "tags")
    #expect(wider.migration.steps.contains(.relink(path, keep: nil)))
    #expect(wider.openQuestions.isEmpty)
    let narrower = try inferred(Self.manyToMany, Self.oneToMany)
    #expect(
      narrower.openQuestions.map(\.example) == [#"{ "relink": "Note.tags", "keep": "first" }"#])
    let steps = narrower.migration.steps + [.relink(path, keep: .first)]
    let migration = Migration(app: "notes", from: "V1", to: "V2", steps: steps)
    #expect(
      try Migration(parsing: Array(migration.text().utf8), file: nil).steps == migration.steps)
  }
}
