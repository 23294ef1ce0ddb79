import RowInspection
import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Steps that delete rows, unite equal ones, and number them.
@Suite struct RowRemovalTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  // MARK: An app

  /// The model of a version; in the new one, tags are unique and items have a rank.
  private static func schema(
    _ version: String, unique: String = "", item: String = "", isMandatory: Bool = false
  ) -> String {
    """
    { "format_version": 1, "app": "notes", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
      { "name": "Tag", "attributes": [
          { "name": "name", "type": "String", "optional": true },
          { "name": "updatedAt", "type": "Date", "optional": true }],
        "relationships": [
          { "name": "items", "to": "Item", "many": true, "max": 0, "ordered": true, "optional": true, "inverse": "tag" },
          { "name": "notes", "to": "Note", "many": true, "max": 0, "optional": true, "inverse": "tags" },
          { "name": "children", "to": "Tag", "many": true, "max": 0, "optional": true, "inverse": "parent" },
          { "name": "badge", "to": "Badge", "optional": true, "inverse": "tag" },
          { "name": "parent", "to": "Tag", "optional": true, "inverse": "children" }]\(unique) },
      { "name": "Badge", "relationships": [
          { "name": "tag", "to": "Tag", "optional": true, "inverse": "badge" }] },
      { "name": "Item", "attributes": [{ "name": "title", "type": "String", "optional": true }\(item)],
        "relationships": [
          { "name": "tag", "to": "Tag", "inverse": "items", "optional": \(!isMandatory) }] },
      { "name": "Note", "attributes": [{ "name": "text", "type": "String", "optional": true }],
        "relationships": [
          { "name": "tags", "to": "Tag", "many": true, "max": 0, "ordered": true, "optional": true, "inverse": "notes" }] } ] }
    """
  }

  private static let unite = #"""
    { "unite": "Tag", "by": ["name"], "keep": "newest updatedAt", "links": "merge" }
    """#

  private static let sequence = #"""
    { "sequence": "Item.rank", "by": ["title"], "from": 1, "within": "tag" }
    """#

  private func migrator(
    _ steps: String, isUnique: Bool = false, isMandatory: Bool = false
  ) throws -> StoreMigrator {
    let rank = steps.contains("Item.rank") ? #", { "name": "rank", "type": "Integer 32" }"# : ""
    let unique = isUnique ? #", "unique": [["name"]]"# : ""
    let schemas = [
      Self.schema("V1", isMandatory: isMandatory),
      Self.schema("V2", unique: unique, item: rank, isMandatory: isMandatory),
    ]
    return try StoreMigrator(schemas.map { try SchemaFile($0) }, steps: [steps])
  }

  private struct Tag: Equatable {
    var name: String?
    var updatedAt: Int64?
    var parent: Int64?
  }

  private struct Item: Equatable {
    var title: String
    var tag: Int64?
    var position: Int64
  }

  /// The rows of a store, by key; links between notes and tags have a position.
  private struct Content: Equatable {
    var tags: [Int64: Tag] = [:]
    var items: [Int64: Item] = [:]
    var links: [[Int64]: Int64] = [:]
  }

  /// Three tags, of which two have one name; 3 is the newest.
  private static let small = Content(
    tags: [
      1: Tag(name: "home", updatedAt: 10, parent: nil),
      2: Tag(name: "work", updatedAt: 5, parent: 1),
      3: Tag(name: "home", updatedAt: 20, parent: 1),
    ],
    items: [
      1: Item(title: "b", tag: 1, position: 1024), 2: Item(title: "a", tag: 1, position: 2048),
      3: Item(title: "c", tag: 3, position: 1024), 4: Item(title: "d", tag: 2, position: 1024),
    ],
    links: [[1, 1]: 1024, [1, 3]: 2048, [2, 1]: 1024, [2, 2]: 2048])

  private static func join() throws -> JoinTable {
    let model = try SchemaFile(schema("V1")).model
    return try #require(StoreLayout(model).joinTables.first)
  }

  private func makeStore(_ content: Content, isMandatory: Bool = false) throws {
    let text = Self.schema("V1", isMandatory: isMandatory)
    let model = try SchemaFile(text).model
    try createFixture(
      app: "notes", version: "V1", model: model, at: path, options: FixtureOptions(rows: 0))
    let numbering = EntityNumbering(model)
    func number(_ name: String) -> Int { numbering.number(of: name) ?? 0 }
    let join = try Self.join()
    let connection = try Connection(path: path, mode: .readWrite)
    for name in ["ZTAG", "ZITEM", "ZNOTE", "ZBADGE", join.name] {
      try connection.execute("DELETE FROM \(name)")
    }
    for (key, tag) in content.tags {
      try connection.execute(
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZUPDATEDAT, ZPARENT) VALUES (?1, \(number("Tag")), 1, ?2, ?3, ?4)",
        [
          .integer(key), tag.name.map { .text($0) } ?? .null, Value(tag.updatedAt),
          Value(tag.parent),
        ])
    }
    for (key, item) in content.items {
      try connection.execute(
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTAG, Z_FOK_TAG) VALUES (?1, \(number("Item")), 1, ?2, ?3, ?4)",
        [
          .integer(key), .text(item.title), Value(item.tag),
          item.tag == nil ? .null : .integer(item.position),
        ])
    }
    for note in Set(content.links.keys.map { $0[0] }) {
      try connection.execute(
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (?1, \(number("Note")), 1)", [.integer(note)]
      )
    }
    for (link, position) in content.links {
      let isFirst = join.first.entity == "Note"
      let columns = [join.first.keyColumn, join.second.keyColumn] + join.columnNames.dropFirst(2)
      try connection.execute(
        "INSERT INTO \(join.name) (\(columns.joined(separator: ", "))) VALUES (?1, ?2, ?3)",
        [.integer(link[isFirst ? 0 : 1]), .integer(link[isFirst ? 1 : 0]), .integer(position)])
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000")
  }

  private func content() throws -> Content {
    var content = Content()
    for row in try rows(of: "ZTAG", in: path) {
      content.tags[row["Z_PK"]?.int64 ?? 0] = Tag(
        name: row["ZNAME"]?.string, updatedAt: row["ZUPDATEDAT"]?.int64,
        parent: row["ZPARENT"]?.int64)
    }
    for row in try rows(of: "ZITEM", in: path) {
      content.items[row["Z_PK"]?.int64 ?? 0] = Item(
        title: row["ZTITLE"]?.string ?? "", tag: row["ZTAG"]?.int64,
        position: row["Z_FOK_TAG"]?.int64 ?? 0)
    }
    let join = try Self.join()
    let keys = [join.first, join.second].sorted { $0.entity < $1.entity }.map(\.keyColumn)
    for row in try rows(of: join.name, in: path) {
      content.links[keys.map { row[$0]?.int64 ?? 0 }] = row[join.columnNames[2]]?.int64 ?? 0
    }
    return content
  }

  private func accepting(_ losses: String...) -> MigrationRequest {
    var request = MigrationRequest()
    request.acceptedLosses = losses
    return request
  }

  // MARK: Deleting

  @Test func `rows that a condition names are deleted, and links to them become NULL`() throws {
    try makeStore(Self.small)
    let before = try content()
    let migrator = try migrator(
      #"{ "delete": "Tag", "where": "name = 'home' AND parent.name IS NULL", "because": "old" }"#)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.map(\.step) == ["V1-V2:Tag"] && plan.losses.map(\.rows) == [1])
    #expect(plan.steps.map(\.rows) == [1] && !plan.isReversible)
    #expect(try failure { _ = try migrator.apply(to: path) }.contains("V1-V2:Tag"))
    let report = try migrator.apply(to: path, accepting("V1-V2:Tag"))
    for entry in report.ledger { #expect(entry.addsUp, "\(entry)") }
    #expect(report.ledger.contains { $0.property == "name" && $0.setAside == 1 })
    #expect(report.ledger.contains { $0.property == "tag" && $0.setAside == 2 })
    let after = try content()
    #expect(
      after.tags.keys.sorted() == [2, 3] && after.tags.values.allSatisfy { $0.parent == nil })
    #expect(after.items.mapValues(\.tag) == [1: nil, 2: nil, 3: 3, 4: 2])
    #expect(after.links.keys.sorted { $0[1] < $1[1] } == [[2, 2], [1, 3]])
    #expect(try migrator.verify(path).isPassed)
    _ = try migrator.rollback(path)
    #expect(try content() == before)
  }

  @Test func `steps that remove rows of one entity have names of their own`() throws {
    try makeStore(Self.small)
    let migrator = try migrator(
      #"{ "delete": "Tag", "where": "name = 'work'", "because": "over" }, \#(Self.unite)"#)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.map(\.step) == ["V1-V2:Tag", "V1-V2:Tag#2"])
    #expect(plan.losses.map(\.rows) == [1, 1] && plan.steps.map(\.rows) == [1, 1])
    for name in plan.losses.map(\.step) {
      let other = try #require(plan.losses.map(\.step).first { $0 != name })
      let message = try failure { _ = try migrator.apply(to: path, accepting(name)) }
      #expect(message.contains("1 of '\(other)'") && !message.contains("'\(name)'"), "\(message)")
    }
    _ = try migrator.apply(to: path, accepting("V1-V2:Tag", "V1-V2:Tag#2"))
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `a mandatory link to a deleted row is refused, by entity and key`() throws {
    var small = Self.small
    small.items[5] = nil
    try makeStore(small, isMandatory: true)
    let migrator = try migrator(
      #"{ "delete": "Tag", "where": "name = 'work'", "because": "over" }"#, isMandatory: true)
    let planned = try failure { _ = try migrator.plan(for: path) }
    #expect(planned.contains("Item/4: 'tag' is mandatory, and links to a row"), "\(planned)")
    #expect(try failure { _ = try migrator.apply(to: path, accepting("all")) } == planned)
  }

  // MARK: Uniting

  @Test func `of equal rows one stays and takes over the links`() throws {
    try makeStore(Self.small)
    let before = try content()
    let migrator = try migrator(Self.unite, isUnique: true)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.map(\.rows) == [1] && plan.blockers.map(\.code) == ["data-loss"])
    let report = try migrator.apply(to: path, accepting("V1-V2:Tag"))
    for entry in report.ledger { #expect(entry.addsUp, "\(entry)") }
    let after = try content()
    #expect(
      after.tags == [
        2: Tag(name: "work", updatedAt: 5, parent: 3),
        3: Tag(name: "home", updatedAt: 20, parent: nil),
      ])
    #expect(after.items.mapValues(\.tag) == [1: 3, 2: 3, 3: 3, 4: 2])
    let order = after.items.filter { $0.value.tag == 3 }.sorted {
      $0.value.position < $1.value.position
    }
    #expect(order.map(\.key) == [3, 1, 2])
    #expect(Set(after.links.keys) == [[1, 3], [2, 3], [2, 2]])
    #expect(try migrator.verify(path).isPassed)
    _ = try migrator.rollback(path)
    #expect(try content() == before)
  }

  @Test func `rows that were united come back with their links after later writes`() throws {
    try makeStore(Self.small)
    let migrator = try migrator(Self.unite, isUnique: true)
    _ = try migrator.apply(to: path, accepting("all"))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZTAG SET ZNAME = 'house' WHERE Z_PK = 3")
      try connection.execute("UPDATE ZITEM SET ZTAG = 2 WHERE Z_PK = 2")
      let join = try Self.join()
      let keys = [join.first, join.second].sorted { $0.entity < $1.entity }.map(\.keyColumn)
      try connection.execute("DELETE FROM \(join.name) WHERE \(keys[0]) = 2 AND \(keys[1]) = 3")
    }
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.notes.isEmpty)
    let after = try content()
    #expect(after.tags.mapValues(\.name) == [1: "home", 2: "work", 3: "house"])
    #expect(after.tags.mapValues(\.parent) == Self.small.tags.mapValues(\.parent))
    #expect(after.items.mapValues(\.tag) == [1: 1, 2: 2, 3: 3, 4: 2])
    #expect(Set(after.links.keys) == [[1, 1], [1, 3], [2, 2]])
  }

  @Test func `a link of a row that came back is emptied if its row was deleted since`() throws {
    var content = Self.small
    content.tags[1]?.parent = 2
    content.tags[2]?.parent = nil
    content.tags[3]?.parent = nil
    try makeStore(content)
    let migrator = try migrator(Self.unite, isUnique: true)
    _ = try migrator.apply(to: path, accepting("all"))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let join = try Self.join()
      let keys = [join.first, join.second].sorted { $0.entity < $1.entity }.map(\.keyColumn)
      try connection.execute("DELETE FROM \(join.name) WHERE \(keys[1]) = 2")
      try connection.execute("UPDATE ZITEM SET ZTAG = NULL, Z_FOK_TAG = NULL WHERE ZTAG = 2")
      try connection.execute("DELETE FROM ZTAG WHERE Z_PK = 2")
    }
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(
      report.notes == ["1 link that came back leads nowhere: its row was deleted since"]
    )
    #expect(try self.content().tags.mapValues(\.parent) == [1: nil, 3: nil])
  }

  @Test func `explain says which row stays`() throws {
    try makeStore(Self.small)
    let migrator = try migrator(Self.unite, isUnique: true)
    let lost = try migrator.explain("Tag/1", of: path)
    #expect(lost.events.map(\.rule) == ["united with Tag/3: equal by name"])
    #expect(lost.newEntity == nil && lost.fate == "united")
    let won = try migrator.explain("Tag/3", of: path)
    #expect(won.events.map(\.rule) == ["kept: 1 row is united with it"] && won.newEntity == "Tag")
    #expect(
      try migrator.explain("Tag/2", of: path).events.map(\.rule) == ["kept: no other row is equal"])
  }

  @Test func `texts are equal by their bytes, or but for the case of A to Z`() throws {
    var content = Content()
    let names = ["Ä", "ä", "caf\u{E9}", "cafe\u{301}", "Home", "HOME", "home ", nil, nil]
    for (place, name) in names.enumerated() {
      content.tags[Int64(place + 1)] = Tag(name: name, updatedAt: nil, parent: nil)
    }
    try makeStore(content)
    let step =
      #"{ "unite": "Tag", "by": ["name"], "keep": "first", "compare": "case-insensitive" }"#
    let exact = try migrator(step.replacing(#", "compare": "case-insensitive""#, with: ""))
    #expect(try exact.plan(for: path).losses.isEmpty)
    _ = try migrator(step).apply(to: path, accepting("all"))
    #expect(try self.content().tags.keys.sorted() == [1, 2, 3, 4, 5, 7, 8, 9])
  }

  @Test func `a uniqueness that stays broken is refused`() throws {
    try makeStore(Self.small)
    let migrator = try migrator(
      #"{ "unite": "Tag", "by": ["updatedAt"], "keep": "first" }"#, isUnique: true)
    #expect(try migrator.plan(for: path).blockers.map(\.code) == ["not-unique"])
  }

  @Test func `a one-to-one link can't be moved, but become NULL`() throws {
    try makeStore(Self.small)
    let number = EntityNumbering(
      try SchemaFile(Self.schema("V1")).model
    ).number(of: "Badge")
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        """
        INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (7, \(number ?? 0), 1, 1);
        UPDATE ZTAG SET ZBADGE = 7 WHERE Z_PK = 1
        """)
    }
    let planned = try failure { _ = try migrator(Self.unite).plan(for: path) }
    #expect(
      planned.contains("Badge/7: 'tag' is the only link to a row that is united"), "\(planned)")
    let step = Self.unite.replacing("merge", with: "nullify")
    _ = try migrator(step).apply(to: path, accepting("all"))
    #expect(try rows(of: "ZBADGE", in: path).map { $0["ZTAG"] } == [.null])
  }

  @Test func `links to rows that don't stay can become NULL`() throws {
    try makeStore(Self.small)
    let migrator = try migrator(
      #"{ "unite": "Tag", "by": ["name"], "keep": "oldest updatedAt", "links": "nullify" }"#)
    _ = try migrator.apply(to: path, accepting("all"))
    let after = try content()
    #expect(after.items.mapValues(\.tag) == [1: 1, 2: 1, 3: nil, 4: 2])
    #expect(Set(after.links.keys) == [[1, 1], [2, 1], [2, 2]])
  }

  // MARK: Numbering

  @Test func `rows are numbered in an order, also within a link`() throws {
    try makeStore(Self.small)
    let migrator = try migrator(Self.sequence)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.isEmpty && plan.blockers.isEmpty && plan.isReversible)
    _ = try migrator.apply(to: path)
    let ranks = try rows(of: "ZITEM", in: path).map { $0["ZRANK"] }
    #expect(ranks == [.integer(2), .integer(1), .integer(1), .integer(1)])
    #expect(try migrator.verify(path).isPassed)
    #expect(
      try migrator.explain("Item/1", of: path).events.isEmpty)
    _ = try migrator.rollback(path)
    let united = try self.migrator("\(Self.unite), \(Self.sequence)", isUnique: true)
    _ = try united.apply(to: path, accepting("all"))
    let moved = try rows(of: "ZITEM", in: path).map { $0["ZRANK"] }
    #expect(moved == [.integer(2), .integer(1), .integer(3), .integer(1)])
  }

  // MARK: The reader

  @Test func `a mistake has its place in the file`() throws {
    func message(_ step: String) throws -> String {
      try failure { _ = try migrator(step).plan(for: path) }
    }
    try makeStore(Self.small)
    for (verb, place, others) in [
      ("delete", 88, #""where": "1", "because": "x""#),
      ("unite", 87, #""by": ["name"], "keep": "first""#),
      ("require", 89, #""sql": "1", "because": "x""#),
    ] {
      #expect(
        try message(#"{ "\#(verb)": "Tag.name", \#(others) }"#).contains(
          """
          V1-V2.json:1:\(place): error: 'Tag.name' is a property, and the step is about rows; \
          write 'Tag'
          """))
    }
    #expect(
      try message(#"{ "unite": "Tag", "by": [], "keep": "first" }"#).contains("the array is empty"))
    #expect(
      try message(#"{ "unite": "Tag", "by": ["name"], "keep": "last" }"#)
        .contains("'last' names no row; write 'first', 'newest NAME' or 'oldest NAME'"))
    #expect(
      try message(#"{ "unite": "Tag", "by": ["name"], "keep": "newest  + age" }"#)
        .contains("V1-V2.json:1:129: the formula of 'Tag' can't be used"))
    #expect(
      try message(#"{ "sequence": "Item.title", "by": ["title"] }"#)
        .contains("'Item.title' already exists"))
  }

  @Test func `a step is written as it was read`() throws {
    let steps = """
      \(Self.unite.replacing(#", "links": "merge""#, with: #", "compare": "case-insensitive", "links": "nullify""#)),
      \(Self.sequence),
      { "delete": "Note", "where": "text IS NULL", "because": "empty" }
      """
    let text = """
      { "format_version": 1, "app": "notes", "from": "V1", "to": "V2", "steps": [\(steps)] }
      """
    let migration = try Migration(parsing: Array(text.utf8), file: nil)
    let again = try Migration(parsing: Array(migration.text().utf8), file: nil)
    #expect(again.steps == migration.steps && again.steps.count == 3)
  }

  // MARK: Random rows

  /// What the steps make of rows, one after the other, in the plainest way.
  private struct Interpreter {
    var content: Content
    var place: [Int64: Int] = [:]
    var target: [Int64: Int64?] = [:]

    mutating func delete(_ isDeleted: (Tag) -> Bool) {
      for (key, tag) in content.tags where isDeleted(tag) { remove(key, for: nil) }
    }

    mutating func unite(by value: (Tag) -> String?, _ isBefore: (Tag, Tag) -> Bool?) {
      let groups = Dictionary(grouping: content.tags.filter { value($0.value) != nil }) {
        value($0.value)
      }
      for group in groups.values {
        let order = group.sorted { isBefore($0.value, $1.value) ?? ($0.key < $1.key) }
        for (index, loser) in order.enumerated().dropFirst() {
          place[loser.key] = index + 1
          remove(loser.key, for: order[0].key)
        }
      }
    }

    private mutating func remove(_ key: Int64, for winner: Int64?) {
      content.tags[key] = nil
      for (old, present) in target where present == key { target[old] = .some(winner) }
      target[key] = .some(winner)
    }

    private func link(_ key: Int64?) -> Int64? {
      guard let key, let moved = target[key] else { return key }
      return moved
    }

    /// Moves the links, and returns the order of the items of each tag.
    mutating func moveLinks() -> [Int64: [Int64]] {
      for (key, tag) in content.tags {
        let parent = link(tag.parent)
        content.tags[key]?.parent = parent == key && tag.parent != key ? nil : parent
      }
      let old = content.items
      for (key, item) in old {
        let tag = link(item.tag)
        content.items[key]?.tag = tag
      }
      let links = content.links.keys.compactMap { pair in
        link(pair[1]).map { ([pair[0], $0], Int64(0)) }
      }
      content.links = Dictionary(links, uniquingKeysWith: { first, _ in first })
      let items = content.items
      return Dictionary(grouping: items.keys.filter { items[$0]?.tag != nil }) {
        items[$0]?.tag ?? 0
      }.mapValues { keys in
        keys.sorted { order(old[$0], $0).lexicographicallyPrecedes(order(old[$1], $1)) }
      }
    }

    private func order(_ item: Item?, _ key: Int64) -> [Int64] {
      let tag = item?.tag ?? 0
      return [Int64(place[tag] ?? 0), tag, item?.position ?? 0, key]
    }
  }

  private static func randomContent(_ random: inout SeededGenerator) -> Content {
    var content = Content()
    let names: [String?] = ["a", "A", "b", "c", nil]
    for key in 1...(1 + Int64(random.below(12))) {
      content.tags[key] = Tag(
        name: names[random.below(names.count)],
        updatedAt: random.below(4) == 0 ? nil : Int64(random.below(4)),
        parent: random.below(2) == 0 ? nil : 1 + Int64(random.below(12)))
    }
    for (key, tag) in content.tags where tag.parent.map({ content.tags[$0] == nil }) == true {
      content.tags[key]?.parent = nil
    }
    let keys = content.tags.keys.sorted()
    for key in 1...(1 + Int64(random.below(20))) {
      let tag = random.below(5) == 0 ? nil : keys[random.below(keys.count)]
      content.items[key] = Item(
        title: "t\(random.below(5))", tag: tag, position: tag == nil ? 0 : 1024 * key)
    }
    for _ in 0..<random.below(20) {
      content.links[[1 + Int64(random.below(4)), keys[random.below(keys.count)]]] =
        1024 * Int64(1 + random.below(9))
    }
    return content
  }

  @Test func `random rows become what a slow interpreter makes of them, and come back`() throws {
    var random = SeededGenerator(printing: #function)
    for _ in 0..<25 { try RowRemovalTests().checkRandomRows(&random) }
  }

  private func checkRandomRows(_ random: inout SeededGenerator) throws {
    let before = Self.randomContent(&random)
    try makeStore(before)
    var interpreter = Interpreter(content: before)
    var steps: [String] = []
    if random.below(2) == 0 {
      steps.append(
        #"{ "delete": "Tag", "where": "updatedAt = 1 OR name = 'c'", "because": "-" }"#)
      interpreter.delete { $0.updatedAt == 1 || $0.name == "c" }
    }
    let isNewest = random.below(2) == 0
    let ignoresCase = random.below(2) == 0
    steps.append(
      """
      { "unite": "Tag", "by": ["name"], "keep": "\(isNewest ? "newest" : "oldest") updatedAt" \
      \(ignoresCase ? #", "compare": "case-insensitive""# : "") }
      """)
    interpreter.unite(by: { ignoresCase ? $0.name?.lowercased() : $0.name }) { left, right in
      guard left.updatedAt != right.updatedAt else { return nil }
      guard let first = left.updatedAt else { return false }
      guard let second = right.updatedAt else { return true }
      return isNewest ? first > second : first < second
    }
    if random.below(2) == 0 {
      steps.append(#"{ "delete": "Tag", "where": "updatedAt = 2", "because": "-" }"#)
      interpreter.delete { $0.updatedAt == 2 }
    }
    let migrator = try migrator(steps.joined(separator: ", "), isUnique: true)
    let report = try migrator.apply(to: path, accepting("all"))
    for entry in report.ledger { #expect(entry.addsUp, "\(entry)") }
    let order = interpreter.moveLinks()
    let after = try content()
    #expect(after.tags == interpreter.content.tags)
    #expect(after.items.mapValues(\.tag) == interpreter.content.items.mapValues(\.tag))
    #expect(Set(after.links.keys) == Set(interpreter.content.links.keys))
    for (tag, items) in order {
      let found = after.items.filter { $0.value.tag == tag }
        .sorted { ($0.value.position, $0.key) < ($1.value.position, $1.key) }
      #expect(found.map(\.key) == items, "tag \(tag)")
    }
    #expect(try migrator.verify(path).isPassed)
    _ = try migrator.rollback(path)
    #expect(try content() == before)
  }
}
