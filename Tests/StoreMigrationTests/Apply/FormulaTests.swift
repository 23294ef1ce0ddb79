import RowInspection
import JSONText
import Migrations
import Platform
import SQLite
import StoreProof
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// Steps that compute values: by a formula, by a table, from a row's identity; and requirements.
@Suite struct FormulaTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  // MARK: An app

  private static func schema(_ version: String, _ attributes: String) -> String {
    """
    { "format_version": 1, "app": "gym", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
      { "name": "Owner", "attributes": [{ "name": "name", "type": "String" }],
        "relationships": [{ "name": "workouts", "to": "Workout", "max": 0, "inverse": "owner" }] },
      { "name": "Activity", "attributes": [{ "name": "day", "type": "Integer 64" }] },
      { "name": "Workout", "parent": "Activity", "attributes": [\(attributes)],
        "relationships": [
          { "name": "owner", "to": "Owner", "inverse": "workouts", "optional": true }] } ] }
    """
  }

  private static let old = schema(
    "V1", #"{ "name": "feet", "type": "Integer 64" }, { "name": "state", "type": "Integer 16" }"#)

  private static let new = schema(
    "V2",
    """
    { "name": "metres", "type": "Double" }, { "name": "state", "type": "String" },
    { "name": "label", "type": "String" }, { "name": "uid", "type": "UUID" },
    { "name": "reference", "type": "String" }
    """)

  private static let steps = #"""
    { "require": "Workout", "sql": "feet >= 0", "because": "a length isn't negative" },
    { "compute": "Workout.label", "sql": "coalesce(owner.name, '-') || ' ' || feet" },
    { "compute": "Workout.metres", "sql": "round(feet * 0.3048, 2)",
      "inverse": { "feet": "round(metres / 0.3048)" } },
    { "drop": "Workout.feet" },
    { "map": "Workout.state", "values": { "0": "open", "1": "it's done", "2": "gone" } },
    { "new-uuid": "Workout.uid" }, { "new-uuid": "Workout.reference" }
    """#

  private func migrator(_ steps: String = steps) throws -> StoreMigrator {
    try StoreMigrator([SchemaFile(Self.old), SchemaFile(Self.new)], steps: [steps])
  }

  /// Creates a store at the old version whose workouts have these lengths.
  private func makeStore(feet: [Int64]) throws {
    let model = try SchemaFile(Self.old).model
    try createFixture(
      app: "gym", version: "V1", model: model, at: path,
      options: FixtureOptions(rows: 5 * feet.count))
    let connection = try Connection(path: path, mode: .readWrite)
    let keys = try connection.rows("SELECT Z_PK FROM ZACTIVITY WHERE Z_ENT = 2 ORDER BY 1")
    try #require(!keys.isEmpty)
    for (place, key) in keys.enumerated() {
      try connection.execute(
        "UPDATE ZACTIVITY SET ZFEET = ?1, ZSTATE = ?2 WHERE Z_PK = ?3",
        [.integer(feet[place % feet.count]), .integer(Int64(place % 3)), key[0]])
    }
  }

  private func error(of steps: String) throws -> String {
    let migrator = try migrator(steps)
    var messages: [String] = []
    do throws(MigrationError) {
      messages += try migrator.plan(for: path).refusals.map(\.message)
    } catch {
      messages.append("\(error)")
    }
    do throws(MigrationError) { _ = try migrator.apply(to: path) } catch {
      messages.append("\(error)")
    }
    #expect(messages.count == 2 && messages.first == messages.last, "\(messages)")
    return messages.first ?? ""
  }

  // MARK: Values

  @Test func `values are what a slow interpreter makes of them, and come back`() throws {
    var random = SeededGenerator(printing: #function)
    let feet = (0..<12).map { _ in Int64(random.below(100_000)) }
    try makeStore(feet: feet)
    let before = try rows(of: "ZACTIVITY", in: path)
    let owners = try rows(of: "ZOWNER", in: path)
    let migrator = try migrator()
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.isEmpty && plan.blockers.isEmpty)
    let report = try migrator.apply(to: path)
    #expect(try migrator.verify(path).isPassed)
    for entry in report.ledger where ["feet", "state"].contains(entry.property) {
      #expect(entry.converted == entry.rows && entry.addsUp || entry.identical > 0, "\(entry)")
    }
    var seen: Set<Value> = []
    for (old, new) in zip(before, try rows(of: "ZACTIVITY", in: path)) {
      #expect(old["Z_PK"] == new["Z_PK"])
      guard old["Z_ENT"] == .integer(2) else {
        #expect(new["ZUID"] == .null && new["ZMETRES"] == .null && new["ZLABEL"] == .null)
        continue
      }
      let feet = try #require(old["ZFEET"]?.int64)
      #expect(new["ZMETRES"] == .real((Double(feet) * 30.48).rounded() / 100))
      let state = try #require(old["ZSTATE"]?.int64)
      #expect(new["ZSTATE"] == .text(["open", "it's done", "gone"][Int(state)]))
      let owner = owners.first { $0["Z_PK"] == old["ZOWNER"] }?["ZNAME"]?.string ?? "-"
      #expect(new["ZLABEL"] == .text("\(owner) \(feet)"))
      let uid = try #require(new["ZUID"]?.bytes)
      #expect(uid.count == 16 && uid[6] >> 4 == 8 && uid[8] >> 6 == 2)
      #expect(uuidBytes(try #require(new["ZREFERENCE"]?.string)) != nil)
      seen.insert(.blob(uid))
    }
    #expect(seen.count == before.count { $0["Z_ENT"] == .integer(2) })
    _ = try migrator.rollback(path)
    #expect(try rows(of: "ZACTIVITY", in: path) == before)
  }

  @Test func `a formula reads the UUID that its row gets`() throws {
    try makeStore(feet: [10, 20])
    let newUUIDs = #"{ "new-uuid": "Workout.uid" }, { "new-uuid": "Workout.reference" }"#
    let others = Self.steps.replacing(",\n" + newUUIDs, with: "")
    let migrator = try migrator(
      newUUIDs + ", " + others.replacing("' ' || feet", with: "hex(uid) || reference"))
    let before = try rows(of: "ZACTIVITY", in: path)
    let owners = try rows(of: "ZOWNER", in: path)
    _ = try migrator.apply(to: path)
    #expect(try migrator.verify(path).isPassed)
    for row in try rows(of: "ZACTIVITY", in: path) where row["Z_ENT"] == .integer(2) {
      let uid = try #require(row["ZUID"]?.bytes)
      let reference = try #require(row["ZREFERENCE"]?.string)
      let owner = owners.first { $0["Z_PK"] == row["ZOWNER"] }?["ZNAME"]?.string ?? "-"
      #expect(row["ZLABEL"] == .text(owner + Hexadecimal.encode(uid).uppercased() + reference))
    }
    _ = try migrator.rollback(path)
    #expect(try rows(of: "ZACTIVITY", in: path) == before)
  }

  @Test func `a formula over a sub-entity reads what it inherits`() throws {
    try makeStore(feet: [10, 20])
    let migrator = try migrator(
      Self.steps.replacing("' ' || feet", with: "' ' || day")
        .replacing("feet >= 0", with: "feet >= 0 AND day IS NOT NULL"))
    let before = try rows(of: "ZACTIVITY", in: path)
    _ = try migrator.apply(to: path)
    #expect(try migrator.verify(path).isPassed)
    for (old, new) in zip(before, try rows(of: "ZACTIVITY", in: path))
    where old["Z_ENT"] == .integer(2) {
      let day = try #require(old["ZDAY"]?.int64)
      #expect(new["ZLABEL"]?.string?.hasSuffix(" \(day)") == true)
    }
    _ = try migrator.rollback(path)
    #expect(try rows(of: "ZACTIVITY", in: path) == before)
  }

  @Test func `later rows go back by the inverses`() throws {
    try makeStore(feet: [10, 20])
    let migrator = try migrator()
    _ = try migrator.apply(to: path)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        """
        UPDATE ZACTIVITY SET ZMETRES = 304.8, ZSTATE = 'gone'
        WHERE Z_PK = (SELECT min(Z_PK) FROM ZACTIVITY WHERE Z_ENT = 2)
        """)
    }
    _ = try migrator.rollback(path, laterWrites: .keep)
    let row = try #require(
      try rows(of: "ZACTIVITY", in: path).first { $0["Z_ENT"] == .integer(2) })
    #expect(row["ZFEET"] == .integer(1_000) && row["ZSTATE"] == .integer(2))
  }

  @Test func `values replaced without an inverse go one way, and later ones are parked`() throws {
    try makeStore(feet: [10, 20])
    let same = try SchemaFile(Self.old.replacing(#""V1""#, with: #""V2""#))
    let step = #"{ "compute": "Workout.feet", "sql": "feet + 1" }"#
    let migrator = try StoreMigrator([SchemaFile(Self.old), same], steps: [step])
    let plan = try migrator.plan(for: path)
    #expect(plan.steps.map(\.isReversible) == [false] && !plan.losses.isEmpty)
    let before = try rows(of: "ZACTIVITY", in: path)
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["all"]))
    try Connection(path: path, mode: .readWrite).execute(
      """
      UPDATE ZACTIVITY SET ZFEET = 99
      WHERE Z_PK = (SELECT min(Z_PK) FROM ZACTIVITY WHERE Z_ENT = 2)
      """)
    let report = try migrator.rollback(path, laterWrites: .keep)
    #expect(report.parked == ["Workout.feet": 1])
    let workouts = before.filter { $0["Z_ENT"] == .integer(2) }.map { $0["ZFEET"] }
    let after = try rows(of: "ZACTIVITY", in: path).filter { $0["Z_ENT"] == .integer(2) }
    // The attribute is mandatory, so a parked value leaves that from before.
    #expect(after.map { $0["ZFEET"] } == workouts)
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["all"]))
    let again = try rows(of: "ZACTIVITY", in: path).first { $0["Z_ENT"] == .integer(2) }
    #expect(again?["ZFEET"] == .integer(99))
  }

  @Test func `a row's explanation has what a formula reads and makes`() throws {
    try makeStore(feet: [10])
    let row = try #require(
      try rows(of: "ZACTIVITY", in: path).first { $0["Z_ENT"] == .integer(2) })
    let explanation = try migrator().explain("Workout/\(row["Z_PK"]?.int64 ?? 0)", of: path)
    let label = try #require(explanation.events.first { $0.object == "Workout.label" })
    #expect(label.before.map(\.property) == ["feet", "owner"])
    #expect(label.after.map(\.property) == ["label"])
    let metres = try #require(explanation.fates.first { $0.target?.property == "metres" })
    #expect(metres.sources.map(\.property) == ["feet"])
    #expect(metres.rules == ["computed: round(feet * 0.3048, 2)"])
  }

  @Test func `a UUID is the same in every run, and in no other row`() throws {
    try makeStore(feet: [1, 2])
    _ = try migrator().apply(to: path)
    let first = try rows(of: "ZACTIVITY", in: path).map { $0["ZUID"] }
    _ = try migrator().rollback(path)
    _ = try migrator().apply(to: path)
    #expect(try rows(of: "ZACTIVITY", in: path).map { $0["ZUID"] } == first)
    let made = first.compactMap { $0?.bytes }
    #expect(Set(made).count == made.count && !made.isEmpty)
  }

  // MARK: Refusals

  @Test func `what a row can't become is refused, by entity and key`() throws {
    try makeStore(feet: [3, 7])
    let typed = try error(of: Self.steps.replacing("round(feet * 0.3048, 2)", with: "feet || 'm'"))
    #expect(typed.contains("'metres' would be a text by its formula, and is Double"), "\(typed)")
    let missing = try error(of: Self.steps.replacing("round(feet * 0.3048, 2)", with: "NULL"))
    #expect(missing.contains("'metres' would be NULL by its formula"), "\(missing)")
    let unnamed = try error(of: Self.steps.replacing(#""0": "open", "#, with: ""))
    #expect(unnamed.contains("'state' has a value that 'values' doesn't name"), "\(unnamed)")
    let required = try error(of: Self.steps.replacing("feet >= 0", with: "feet <> 7"))
    #expect(required.contains("isn't as required: a length isn't negative"), "\(required)")
  }

  @Test func `what an inverse doesn't give back is a loss`() throws {
    try makeStore(feet: [100, 150])
    let plan = try migrator(Self.steps.replacing("feet * 0.3048, 2", with: "feet * 0.003048"))
      .plan(for: path)
    #expect(plan.losses.map(\.step) == ["V1-V2:Workout.feet"])
    #expect(plan.blockers.map(\.code) == ["data-loss"])
    let without = try migrator(
      Self.steps.replacing(#","inverse""#, with: "").replacing(
        ",\n  \"inverse\": { \"feet\": \"round(metres / 0.3048)\" }", with: "")
    ).plan(for: path)
    #expect(without.losses.map(\.step) == ["V1-V2:Workout.feet"])
  }

  @Test func `a mistake in a formula has its place in the file`() throws {
    try makeStore(feet: [1])
    let message = try error(of: #"{ "compute": "Workout.label", "sql": "1 + inches" }"#)
    #expect(
      message.contains("V1-V2.json:1:116: the formula of 'Workout.label' can't be used"),
      "\(message)")
    #expect(message.contains("no such column: inches"))
  }
}
