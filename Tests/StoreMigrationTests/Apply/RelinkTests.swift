import Migrations
import SQLite
import StoreFormat
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Steps that change how many rows a relationship leads to.
@Suite struct RelinkTests {
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

  /// Two notes; the first has three tags, of which 2 is the newest.
  private static let small = Content(
    notes: [1: 5, 2: 6], tags: [1: 10, 2: 30, 3: 20],
    links: [
      Link(note: 1, tag: 1), Link(note: 1, tag: 2), Link(note: 1, tag: 3), Link(note: 2, tag: 3),
    ])

  private static let keepNewest = #"{ "relink": "Note.tags", "keep": "newest rank" }"#

  private static let accepting = MigrationRequest(acceptedLosses: ["all"])

  @discardableResult
  private func apply(_ migrator: StoreMigrator) throws -> ApplyReport {
    try migrator.applyAndVerify(path, Self.accepting)
  }

  private func change(_ sql: String) throws {
    try Connection(path: path, mode: .readWrite).execute(sql)
  }

  // MARK: To one, and to many

  @Test func `a row keeps the link that the step names, and the others are a loss`() throws {
    try fixture.make(Self.small, Self.manyToMany)
    let before = try fixture.content(Self.manyToMany, "V1")
    let migrator = try RelinkFixture.migrator(
      Self.keepNewest, from: Self.manyToMany, to: Self.oneToMany)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.map(\.step) == ["V1-V2:Note.tags"] && plan.losses.map(\.rows) == [2])
    #expect(plan.blockers.map(\.code) == ["data-loss"] && !plan.isReversible)
    let links = try #require(plan.conversions.first)
    #expect(links.object == "Note.tags" && links.target == "Note.tags" && links.rows == 4)
    #expect(links.classes.map(\.name) == ["linked", "left-out"])
    #expect(links.classes.map(\.count) == [2, 2])
    #expect(try failure { _ = try migrator.apply(to: path) }.contains("V1-V2:Note.tags"))
    let report = try apply(migrator)
    #expect(report.ledger.contains { $0.property == "tags" && $0.setAside == 2 })
    #expect(try fixture.content(Self.oneToMany, "V2").pairs == [[1, 2], [2, 3]])
    _ = try migrator.rollback(path)
    #expect(try fixture.content(Self.manyToMany, "V1") == before)
  }

  @Test func `links of a to-one relationship become those of a to-many one, without loss`() throws {
    var content = Self.small
    content.links = [Link(note: 1, tag: 2), Link(note: 2, tag: 2)]
    try fixture.make(content, Self.oneToMany)
    let migrator = try RelinkFixture.migrator(
      #"{ "relink": "Note.tags" }"#, from: Self.oneToMany, to: Self.manyToMany)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.isEmpty && plan.blockers.isEmpty && plan.isReversible)
    try apply(migrator)
    #expect(try fixture.content(Self.manyToMany, "V2") == content)
    _ = try migrator.rollback(path)
    #expect(try fixture.content(Self.oneToMany, "V1") == content)
  }

  @Test func `random links become what a slow interpreter makes of them, and come back`() throws {
    var random = SeededGenerator(printing: #function)
    let changes = Form.all.flatMap { old in Form.all.map { (old, $0) } }.shuffled(using: &random)
    var checked = 0
    for (old, new) in changes where checked < 12 {
      guard let plan = RelinkInterpreter.Plan(from: old, to: new, &random) else { continue }
      checked += 1
      try RelinkTests().check(plan, from: old, to: new, &random)
    }
    #expect(checked == 12)
  }

  private func check(
    _ plan: RelinkInterpreter.Plan, from old: Form, to new: Form, _ random: inout SeededGenerator
  ) throws {
    let content = RelinkInterpreter.randomContent(old, &random)
    try fixture.make(content, old)
    let before = try fixture.content(old, "V1")
    #expect(before == content, "\(old)")
    var interpreter = RelinkInterpreter(content, from: old, to: new)
    interpreter.run(plan.steps)
    let migrator = try RelinkFixture.migrator(plan.text, from: old, to: new)
    let lost = try migrator.plan(for: path).losses.reduce(0) { $0 + $1.rows }
    let places = lostPlaces(of: content, from: old, to: new)
    #expect(
      lost == Int64(content.links.count - interpreter.pairs.count + places),
      "\(old) to \(new): \(plan.text)")
    try apply(migrator)
    let after = try fixture.content(new, "V2")
    #expect(after.notes == content.notes && after.tags == content.tags)
    #expect(after.pairs == interpreter.pairs, "\(old) to \(new): \(plan.text)")
    for (isOfNotes, side) in [(true, new.tags), (false, new.notes)] where side == .ordered {
      for key in (isOfNotes ? content.notes : content.tags).keys {
        let found = after.links.filter { $0.pair[isOfNotes ? 0 : 1] == key }.sorted { left, right in
          let places = [left, right].map { isOfNotes ? $0.tagPosition : $0.notePosition }
          return [places[0] ?? -1, left.pair[isOfNotes ? 1 : 0]]
            .lexicographicallyPrecedes([places[1] ?? -1, right.pair[isOfNotes ? 1 : 0]])
        }
        #expect(
          found.map { $0.pair[isOfNotes ? 1 : 0] }
            == interpreter.order(of: key, isOfNotes: isOfNotes),
          "\(old) to \(new): \(plan.text)")
      }
    }
    try checkWaysBack(migrator, from: old, before)
  }

  /// Counts the places, other than those of the order of keys, of a relationship that loses its order.
  private func lostPlaces(of content: Content, from old: Form, to new: Form) -> Int {
    var lost = 0
    for (isOfNotes, before, after, inverse) in [
      (true, old.tags, new.tags, new.notes), (false, old.notes, new.notes, new.tags),
    ] where before == .ordered && (after == .many || after == .absent && inverse != .absent) {
      for key in (isOfNotes ? content.notes : content.tags).keys {
        let links = content.links.filter { $0.pair[isOfNotes ? 0 : 1] == key }
          .map { link -> [Int64] in
            let place = isOfNotes ? link.tagPosition : link.notePosition
            return [place ?? -1, link.pair[isOfNotes ? 1 : 0]]
          }
        let inOrder = links.sorted { $0.lexicographicallyPrecedes($1) }.map { $0[1] }
        lost += zip(inOrder, inOrder.sorted()).count { $0 != $1 }
      }
    }
    return lost
  }

  private func checkWaysBack(
    _ migrator: StoreMigrator, from old: Form, _ before: Content
  ) throws {
    _ = try migrator.rollback(path)
    #expect(try fixture.content(old, "V1") == before)
    _ = try migrator.apply(to: path, Self.accepting)
    // A note that is written since doesn't change what comes back.
    try change("UPDATE ZNOTE SET ZRANK = 99 WHERE Z_PK = 1")
    _ = try migrator.rollback(path, laterWrites: .keep)
    var merged = before
    merged.notes[1] = .some(99)
    #expect(try fixture.content(old, "V1") == merged)
  }
}
