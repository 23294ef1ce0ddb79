import RowInspection
import Migrations
import Platform
import RowRewriting
import SQLite
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// What the proof and explanations say about relinked relationships, and chains of them.
@Suite struct RelinkProofTests {
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

  private static let manyToMany = Form(tags: .many, notes: .ordered)
  private static let oneToMany = Form(tags: .one, notes: .ordered)
  private static let keepNewest = #"{ "relink": "Note.tags", "keep": "newest rank" }"#

  private static let small = RelinkFixture.Content(
    notes: [1: 5, 2: 6], tags: [1: 10, 2: 30, 3: 20],
    links: [
      Link(note: 1, tag: 1, notePosition: 1024), Link(note: 1, tag: 2, notePosition: 1024),
      Link(note: 1, tag: 3, notePosition: 2048), Link(note: 2, tag: 3, notePosition: 1024),
    ])

  /// Attaches an empty file for a new store.
  private func attachNewFile(_ connection: borrowing Connection) throws {
    for number in 0..<100 {
      let path = folder.path("new-\(number).store")
      do { _ = try FileDescriptor(creating: path) } catch { continue }
      return try connection.attach(path: path, as: NewStore.schema, mode: .readWriteAlone)
    }
    Issue.record("no file could be made")
  }

  private func program(
    _ steps: String, from old: Form, to new: Form, _ store: StoreDescription
  ) throws -> (StoreProgram, ModelVersion) {
    let text = """
      { "format_version": 1, "app": "notes", "from": "V1", "to": "V2", "steps": [{ "add": "Archive" }, \(steps)] }
      """
    let models = try [("V1", old), ("V2", new)].map { try RelinkFixture.model($0, $1) }
    let lineage = try Lineage(identityOf: models[0]).applying(
      Migration(parsing: Array(text.utf8), file: nil), source: models[0], target: models[1])
    let schema = try SchemaFile(
      parsing: Array(RelinkFixture.schema("V2", new).utf8), file: nil)
    return (
      try ProgramBuilder(
        lineage: lineage, source: models[0], target: models[1], store: store, options: [:]
      ).program(), ModelVersion(schema)
    )
  }

  private func findings(
    _ steps: String, from old: Form, to new: Form, tampering sql: String
  ) throws -> [String] {
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let (program, target) = try program(steps, from: old, to: new, store)
    try attachNewFile(connection)
    _ = try NewStore(program: program, store: store, target: target).write(connection)
    if !sql.isEmpty { try connection.execute(sql) }
    let ledger = Ledger(
      program: program, store: store, sourceSchema: "main", targetSchema: { _ in NewStore.schema })
    return try ledger.result(connection).findings.map(\.message)
  }

  @Test func `the proof finds links that aren't as the steps say`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    func found(_ sql: String) throws -> String {
      try findings(Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany, tampering: sql)
        .joined(separator: "\n")
    }
    #expect(try found("") == "")
    // Another of its links, no link, and a link that it never had.
    for key in ["1", "NULL"] {
      let message = try found("UPDATE new.ZNOTE SET ZTAGS = \(key) WHERE Z_PK = 1")
      #expect(message.contains("'Note.tags' isn't relinked as the steps say for 1 link"))
      #expect(message.contains("'ZTAGS' differs from the expected value"))
    }
    #expect(try found("UPDATE new.ZNOTE SET ZTAGS = 1 WHERE Z_PK = 2").contains("isn't relinked"))
    #expect(
      try found("UPDATE new.ZNOTE SET Z_FOK_TAGS = 7 WHERE Z_PK = 1")
        .contains("'Z_FOK_TAGS' differs from the expected value"))
  }

  @Test func `the proof finds a missing, extra or moved link of a join table`() throws {
    var content = Self.small
    content.links = content.links.filter { $0.tag == 3 }
    try fixture.make(content, Self.oneToMany)
    let join = try #require(
      StoreLayout(try RelinkFixture.model("V2", Self.manyToMany)).joinTables.first)
    let table = "new.\(join.name)"
    func found(_ sql: String) throws -> String {
      try findings(
        #"{ "relink": "Note.tags" }"#, from: Self.oneToMany, to: Self.manyToMany, tampering: sql
      ).joined(separator: "\n")
    }
    #expect(try found("") == "")
    #expect(try found("DELETE FROM \(table) WHERE rowid = 1").contains("isn't relinked"))
    #expect(
      try found("UPDATE \(table) SET \(join.columnNames[2]) = 7 WHERE rowid = 1")
        .contains("differs from the expected links in 2 rows"))
    #expect(
      try found("INSERT INTO \(table) VALUES (1, 1, 5)").contains("isn't relinked as the steps say")
    )
  }

  @Test func `the proof finds a wrong choice of links`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let (program, target) = try program(
      Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany, store)
    try attachNewFile(connection)
    _ = try NewStore(program: program, store: store, target: target).write(connection)
    let links = try #require(program.relinked.first)
    try links.prepare(connection, schema: "main")
    func faults() throws -> Int64 {
      try links.faults(schema: "main") { _ in NewStore.schema }.reduce(0) {
        try $0 + (connection.value($1)?.int64 ?? 0)
      }
    }
    #expect(try faults() == 0)
    // The links and the new store agree on a link that isn't the newest.
    let name = try #require(
      connection.value(
        "SELECT name FROM temp.sqlite_schema WHERE type = 'table' AND name LIKE 'links main%'")?
        .string)
    try connection.execute(
      """
      UPDATE temp.\(quoteIdentifier(name)) SET choice = CASE \
      WHEN min(owner, other) = 1 AND max(owner, other) = 1 THEN NULL ELSE 0 END \
      WHERE owner = 1;
      UPDATE new.ZNOTE SET ZTAGS = 1 WHERE Z_PK = 1
      """)
    #expect(try faults() > 0)
  }

  @Test func `a saved plan is applied, and is stale once the order of links changes`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany)
    var request = MigrationRequest()
    request.acceptedLosses = ["all"]
    let plan = try migrator.planFile(for: path, request)
    #expect(try PlanFile(parsing: Array(plan.text.utf8), file: nil) == plan)
    let report = try migrator.apply(plan, to: path)
    #expect(report.conversions == plan.plan.conversions && report.conversions.count == 1)
    _ = try migrator.rollback(path)
    try Connection(path: path, mode: .readWrite).execute("UPDATE ZTAG SET ZRANK = 1 WHERE Z_PK = 2")
    #expect(throws: MigrationError.self) { try migrator.apply(plan, to: path) }
    #expect(try fixture.content(Self.manyToMany, "V1").pairs == Self.small.pairs)
  }

  /// Runs the statements of a plan, and returns the path of the new store.
  private func run(_ script: [String], _ fixture: RelinkFixture) throws -> String {
    let connection = try Connection(path: fixture.path, mode: .readWrite)
    try attachNewFile(connection)
    for statement in script { try connection.execute(statement) }
    let file = try connection.value("SELECT file FROM pragma_database_list WHERE name = 'new'")
    return try #require(file?.string)
  }

  @Test func `the statements of a plan make the links that apply makes`() throws {
    for (content, old, new, step) in [
      (Self.small, Self.manyToMany, Self.oneToMany, Self.keepNewest),
      (
        RelinkFixture.Content(
          notes: [1: 5], tags: [3: 20], links: [Link(note: 1, tag: 3, notePosition: 1024)]),
        Self.oneToMany, Self.manyToMany, #"{ "relink": "Note.tags" }"#
      ),
    ] {
      let fixture = RelinkFixture(path: folder.path("\(old.tags).store"))
      try fixture.make(content, old)
      let migrator = try RelinkFixture.migrator(step, from: old, to: new)
      let other = RelinkFixture(path: try run(migrator.script(for: fixture.path, .init()), fixture))
      var request = MigrationRequest()
      request.acceptedLosses = ["all"]
      _ = try migrator.apply(to: fixture.path, request)
      #expect(try other.content(new, "V2") == fixture.content(new, "V2"))
    }
  }

  @Test func `explain shows the link before and after`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let migrator = try RelinkFixture.migrator(
      Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany)
    let rules = try migrator.explain("Note/1", of: path).events.map(\.rule)
    #expect(rules == ["linked with one row, which is chosen by 'newest rank'"])
  }

  @Test func `a chain of migrations relinks to one and back to many`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let forms = [("V1", Self.manyToMany), ("V2", Self.oneToMany), ("V3", Self.manyToMany)]
    let texts = [
      (#""from": "V1", "to": "V2""#, #"{ "add": "Archive" }, \#(Self.keepNewest)"#),
      (#""from": "V2", "to": "V3""#, #"{ "relink": "Note.tags" }"#),
    ].map { #"{ "format_version": 1, "app": "notes", \#($0), "steps": [\#($1)] }"# }
    let migrator = StoreMigrator(
      catalog: Catalog(
        versions: try forms.map { version, form in
          ModelVersion(
            try SchemaFile(
              parsing: Array(RelinkFixture.schema(version, form).utf8), file: nil))
        },
        migrations: try texts.map { try Migration(parsing: Array($0.utf8), file: nil) }))
    var request = MigrationRequest()
    request.acceptedLosses = ["V1-V2:Note.tags"]
    _ = try migrator.apply(to: path, request)
    #expect(try fixture.content(Self.manyToMany, "V3").pairs == [[1, 2], [2, 3]])
    #expect(try migrator.verify(path).isPassed)
    _ = try migrator.rollback(path)
    #expect(try fixture.content(Self.manyToMany, "V1") == Self.small)
  }
}
