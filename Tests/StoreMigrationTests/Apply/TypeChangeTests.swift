import JSONText
import Migrations
import RowInspection
import SQLite
import StoreProof
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// Attributes whose type changes, constants and options in formulas, and what plans count of them.
@Suite struct TypeChangeTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  // MARK: An app

  private static let types: [(name: String, old: String, new: String, rest: String)] = [
    ("day", "String", "Date", #", "format": "yyyy-MM-dd""#),
    ("moment", "Date", "String", ""),
    ("count", "String", "Integer 16", ""),
    ("amount", "String", "Double", ""),
    ("weight", "Double", "String", ""),
    ("flag", "Integer 64", "Boolean", ""),
    ("done", "Boolean", "Integer 32", ""),
    ("note", "Binary", "String", ""),
    ("key", "String", "Binary", #", "format": "base64""#),
    ("uid", "String", "UUID", ""),
    ("size", "Integer 64", "Integer 16", ""),
  ]

  private static func schema(_ version: String, _ attributes: [String]) throws -> SchemaFile {
    let text = """
      { "format_version": 1, "app": "log", "version": "\(version)", "identifiers": ["\(version)"],
        "entities": [{ "name": "Entry", "attributes": [\(attributes.joined(separator: ", "))] }] }
      """
    return try SchemaFile(text)
  }

  private static func attribute(_ name: String, _ type: String) -> String {
    #"{ "name": "\#(name)", "type": "\#(type)", "optional": true }"#
  }

  private func makeStore(_ schema: SchemaFile, rows: [[String: Value]]) throws {
    try createFixture(
      app: "log", version: "V1", model: schema.model, at: path,
      options: FixtureOptions(rows: 12 * rows.count + 20))
    let connection = try Connection(path: path, mode: .readWrite)
    let keys = try connection.rows("SELECT Z_PK FROM ZENTRY ORDER BY 1")
    try #require(keys.count >= rows.count)
    try connection.execute(
      "DELETE FROM ZENTRY WHERE Z_PK > ?1", [keys[rows.count - 1][0]])
    for (key, row) in zip(keys, rows) {
      for (name, value) in row {
        try connection.execute(
          "UPDATE ZENTRY SET Z\(name.uppercased()) = ?1 WHERE Z_PK = ?2", [value, key[0]])
      }
    }
  }

  private func messages(
    _ migrator: StoreMigrator, _ request: MigrationRequest = MigrationRequest()
  ) -> [String] {
    var messages: [String] = []
    do throws(MigrationError) {
      messages += try migrator.plan(for: path, request).refusals.map(\.message)
    } catch {
      messages.append("\(error)")
    }
    do throws(MigrationError) { _ = try migrator.apply(to: path, request) } catch {
      messages.append("\(error)")
    }
    return messages
  }

  @Test(arguments: [
    ("Integer 16", "feet * 1000"), ("Integer 32", "feet * 1000000000"),
    ("Boolean", "1 + (feet > 1)"),
    ("Double", "feet * 9e999"), ("Date", "feet * 9e999"), ("Float", "feet * 1e39"),
  ])
  func `a number that its type doesn't hold is refused`(type: String, formula: String) throws {
    let old = try Self.schema("V1", [Self.attribute("feet", "Integer 64")])
    let new = try Self.schema(
      "V2", [Self.attribute("feet", "Integer 64"), Self.attribute("made", type)])
    try makeStore(old, rows: [["feet": .integer(40)]])
    let step = #"{ "compute": "Entry.made", "sql": "\#(formula)" }"#
    let messages = messages(try StoreMigrator([old, new], steps: [step]))
    #expect(messages.count == 2)
    #expect(messages.allSatisfy { $0.contains("by its formula that \(type) doesn't hold") })
  }

  @Test func `a default that its type doesn't hold is refused, in a step and in a schema`() throws {
    let old = try Self.schema("V1", [Self.attribute("feet", "Integer 64")])
    try makeStore(old, rows: [[:]])
    for (type, value) in [
      ("Integer 16", "40000"), ("Integer 32", "-3000000000"), ("Float", "1e39"),
    ] {
      let made = #"{ "name": "made", "type": "\#(type)", "optional": true"#
      let new = try Self.schema("V2", [Self.attribute("feet", "Integer 64"), made + " }"])
      let step = #"{ "add": "Entry.made", "default": \#(value) }"#
      let refused = messages(try StoreMigrator([old, new], steps: [step]))
      #expect(refused.count == 2)
      #expect(refused.allSatisfy { $0.contains("the value for 'Entry.made' isn't \(type)") })
      guard type != "Float" else { continue }
      let schema = try Self.schema(
        "V2", [Self.attribute("feet", "Integer 64"), made + #", "default": \#(value) }"#])
      let again = messages(
        try StoreMigrator([old, schema], steps: [#"{ "add": "Entry.made" }"#]))
      #expect(again == refused)
    }
  }

  @Test func `a number by an inverse that the old type doesn't hold is parked`() throws {
    let old = try Self.schema("V1", [Self.attribute("feet", "Integer 16")])
    let new = try Self.schema("V2", [Self.attribute("length", "String")])
    try makeStore(old, rows: [["feet": 40], ["feet": 50]])
    let steps = #"""
      { "compute": "Entry.length", "sql": "text_from_number(feet)",
        "inverse": { "feet": "integer_from_text(length)" } }, { "drop": "Entry.feet" }
      """#
    let migrator = try StoreMigrator([old, new], steps: [steps])
    func write(_ length: Int) throws {
      _ = try migrator.apply(to: path)
      try Connection(path: path, mode: .readWrite)
        .execute("UPDATE ZENTRY SET ZLENGTH = '\(length)' WHERE ZLENGTH <> '50'")
    }
    try write(40_000)
    #expect(try migrator.rollback(path, laterWrites: .keep).parked == ["Entry.length": 1])
    #expect(try rows(of: "ZENTRY", in: path).map { $0["ZFEET"] } == [40, 50])
    try write(4_000)
    #expect(try migrator.rollback(path, laterWrites: .keep).parked.isEmpty)
    #expect(try rows(of: "ZENTRY", in: path).map { $0["ZFEET"] } == [4_000, 50])
  }

  // MARK: Formulas that fail

  /// Returns the one message of `plan` and `apply` about a formula for a text.
  private func refusal(of formula: String, notes: [Value]) throws -> String {
    let old = try Self.schema("V1", [Self.attribute("note", "String")])
    let new = try Self.schema(
      "V2", [Self.attribute("note", "String"), Self.attribute("made", "String")])
    try makeStore(old, rows: notes.map { ["note": $0] })
    let step = #"{ "compute": "Entry.made", "sql": "\#(formula)" }"#
    let messages = messages(try StoreMigrator([old, new], steps: [step]))
    #expect(messages.count == 2 && messages.first == messages.last, "\(messages)")
    return messages.first ?? ""
  }

  @Test func `a text that isn't UTF-8 is refused`() throws {
    let message = try refusal(of: "CAST(x'41ff' AS TEXT)", notes: ["a"])
    #expect(message.contains("'made' would be a text by its formula that isn't UTF-8"))
    #expect(message.contains("Entry/"))
  }

  @Test func `a function that fails is named by row and place, without the value`() throws {
    let message = try refusal(
      of: "json_extract(note, '$.name')", notes: [#"{ "name": "a" }"#, "secret {", .null])
    #expect(
      message.contains(
        "'made' can't be computed by its formula (V1-V2.json:1:109): malformed JSON"), "\(message)")
    #expect(message.contains("Entry/") && !message.contains("secret"))
    let key = try #require(
      try rows(of: "ZENTRY", in: path).first { $0["ZNOTE"] == "secret {" }?["Z_PK"]?.int64)
    #expect(message.contains("Entry/\(key):"), "\(message)")
  }

  @Test func `a function that fails in a step that deletes rows is named, too`() throws {
    let schema = try ["V1", "V2"].map { try Self.schema($0, [Self.attribute("note", "String")]) }
    try makeStore(schema[0], rows: [["note": "{}"], ["note": "secret ["]])
    let step = #"{ "delete": "Entry", "where": "json_type(note) = 'array'", "because": "lists" }"#
    let messages = messages(
      try StoreMigrator(schema, steps: [step]), MigrationRequest(acceptedLosses: ["all"]))
    #expect(messages.count == 2)
    for message in messages {
      #expect(message.contains("'V1-V2:Entry' can't be computed by its formula: malformed JSON"))
      #expect(message.contains("Entry/") && !message.contains("secret"), "\(message)")
    }
  }

  @Test func `a formula makes no value that memory can't hold`() throws {
    let message = try refusal(
      of: "replace(printf('%.*c', 300, 'x'), 'x', printf('%.*c', 1000000, 'y'))", notes: ["a"])
    #expect(message.contains("(V1-V2.json:1:109): the result is too large"), "\(message)")
  }

  // MARK: Type changes

  /// Values of the old types, of which some can't be read in the new ones.
  private static func value(_ name: String, _ random: inout SeededGenerator) -> Value {
    if random.below(6) == 0 { return .null }
    let number = Int64(random.below(200_000)) - 100_000
    switch name {
    case "day":
      return .text(
        ["2024-02-29", "2023-02-29", "1999-12-31", "24-1-1", "2010-06-15"][random.below(5)])
    case "moment": return .real(Double(number) + [0, 0.5, 0.123456][random.below(3)])
    case "count": return .text(["\(number)", "\(number % 100)", "x\(number)", ""][random.below(4)])
    case "amount": return .text(["\(number)", "\(Double(number) / 8)", "1,5"][random.below(3)])
    case "weight": return .real([Double(number), Double(number) / 7, -0.0][random.below(3)])
    case "flag", "done": return .integer(Int64(random.below(3)))
    case "size": return .integer([number, -32_768, 32_767, 32_768, -32_769][random.below(5)])
    case "note": return .blob([[], Array("é\n".utf8), [0xFF, 1]][random.below(3)])
    case "key": return .text(["AQI=", "", "AQI", "/w=="][random.below(4)])
    default:
      return .text(
        ["83EB81E1-76C3-45D4-95B7-D5CE7985CC96", "83eb81e1-76c3-45d4-95b7-d5ce7985cc96", "83"][
          random.below(3)])
    }
  }

  /// What a value becomes, worked out in the plainest way; `nil` if it can't be read.
  private static func interpreted(_ name: String, _ value: Value) -> Value? {
    let text = value.string ?? ""
    switch name {
    case "day":
      return ["2024-02-29": 730_857_600, "1999-12-31": -31_708_800, "2010-06-15": 298_252_800][text]
        .map { .integer($0) }
    case "moment":
      let seconds = value.double ?? value.int64.map(Double.init) ?? 0
      let whole = Int64(seconds.rounded(.down))
      var (days, rest) = (0, whole)
      while rest < 0 { (days, rest) = (days - 1, rest + 86_400) }
      while rest >= 86_400 { (days, rest) = (days + 1, rest - 86_400) }
      // The rows are within two days of the start of 2001.
      let date = days < 0 ? "2000-12-\(32 + days)" : "2001-01-0\(1 + days)"
      func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
      // The shortest digits of the value itself, from the fraction that it was made with.
      let part = seconds - Double(whole)
      let fraction =
        part == 0 ? "" : part == 0.5 ? ".5" : seconds > 0 || part < 0.2 ? ".123456" : ".876544"
      return .text(
        "\(date)T\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))\(fraction)Z")
    case "count": return Int16(text).map { .integer(Int64($0)) }
    case "amount": return Double(text).map { .real($0) }
    case "weight":
      let number = value.double ?? 0
      if number.bitPattern == (-0.0).bitPattern { return .text("-0.0") }
      return .text(number == number.rounded() ? "\(Int64(number))" : "\(number)")
    case "flag", "done": return [.integer(0), .integer(1)].contains(value) ? value : nil
    case "size":
      return (value.int64 ?? 0) == Int64(Int16(truncatingIfNeeded: value.int64 ?? 0)) ? value : nil
    case "note": return value == .blob([0xFF, 1]) ? nil : .text(value.bytes ?? [])
    case "key": return ["AQI=": .blob([1, 2]), "": .blob([]), "/w==": .blob([255])][text]
    default:
      return text.count < 36
        ? nil
        : .blob([
          0x83, 0xEB, 0x81, 0xE1, 0x76, 0xC3, 0x45, 0xD4, 0x95, 0xB7, 0xD5, 0xCE, 0x79, 0x85, 0xCC,
          0x96,
        ])
    }
  }

  @Test func `values are read as a slow interpreter reads them, and come back`() throws {
    var random = SeededGenerator(printing: #function)
    let old = try Self.schema("V1", Self.types.map { Self.attribute($0.name, $0.old) })
    let new = try Self.schema("V2", Self.types.map { Self.attribute($0.name, $0.new) })
    let rows = (0..<40).map { _ in
      Dictionary(
        uniqueKeysWithValues: Self.types.map { ($0.name, Self.value($0.name, &random)) })
    }
    try makeStore(old, rows: rows)
    let before = try TestSupport.rows(of: "ZENTRY", in: path)
    let steps = Self.types.map {
      #"{ "retype": "Entry.\#($0.name)"\#($0.rest), "else": null }"#
    }
    let migrator = try StoreMigrator([old, new], steps: [steps.joined(separator: ", ")])
    let plan = try migrator.plan(for: path)
    for type in Self.types {
      let conversion = try #require(
        plan.conversions.first { $0.object == "Entry.\(type.name)" }, "\(type.name)")
      let column = "Z\(type.name.uppercased())"
      let unreadable = before.count {
        $0[column] != .null && Self.interpreted(type.name, $0[column] ?? .null) == nil
      }
      let missing = before.count { $0[column] == .null }
      #expect(
        conversion.classes.map(\.count)
          == [before.count - unreadable - missing, unreadable, missing].map(Int64.init))
      #expect(conversion.classes.map(\.name) == ["read", "unreadable", "nil"])
    }
    let report = try migrator.apply(
      to: path, MigrationRequest(acceptedLosses: ["all"]))
    #expect(report.conversions == plan.conversions)
    #expect(report.ledger.allSatisfy { $0.addsUp })
    #expect(try migrator.verify(path).isPassed)
    for (old, new) in zip(before, try TestSupport.rows(of: "ZENTRY", in: path)) {
      for type in Self.types {
        let column = "Z\(type.name.uppercased())"
        let value = try #require(old[column])
        let expected: Value = value == .null ? .null : Self.interpreted(type.name, value) ?? .null
        #expect(new[column] == expected, "\(type.name): \(value)")
      }
    }
    _ = try migrator.rollback(path)
    #expect(try TestSupport.rows(of: "ZENTRY", in: path) == before)
  }

  @Test func `values that can't be read refuse the migration, with ten of the rows`() throws {
    let old = try Self.schema("V1", [Self.attribute("count", "String")])
    let new = try Self.schema("V2", [Self.attribute("count", "Integer 16")])
    try makeStore(
      old, rows: (0..<14).map { ["count": .text($0 < 2 ? "\($0)" : $0 == 2 ? "40000" : "a")] })
    let migrator = try StoreMigrator([old, new], steps: [#"{ "retype": "Entry.count" }"#])
    let messages = messages(migrator)
    #expect(messages.count == 2 && messages.first == messages.last)
    let message = try #require(messages.first)
    #expect(message.hasPrefix("12 rows can't be migrated; correct them in the app"), "\(message)")
    #expect(message.contains("Entry/3: 'count' can't be read as Integer 16; Entry/4: "))
    #expect(message.hasSuffix("Entry/12: 'count' can't be read as Integer 16; and 2 more"))
  }

  @Test func `a plan shows the first row that loses a value, and a one-way step`() throws {
    let old = try Self.schema("V1", [Self.attribute("count", "String")])
    let new = try Self.schema("V2", [Self.attribute("count", "Integer 16")])
    let migrator = try StoreMigrator(
      [old, new], steps: [#"{ "retype": "Entry.count", "else": null }"#])
    try makeStore(old, rows: ["1", "2", "a", "b"].map { ["count": .text($0)] })
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.map(\.rows) == [2] && plan.steps.map(\.isReversible) == [false])
    #expect(plan.examples.map(\.kind) == ["lost"])
    let example = try #require(plan.examples.first)
    #expect(example.key == 3 && example.before.map(\.attribute) == ["count"])
    #expect(example.after.map(\.fingerprint.kind) == [.null])
    func rules(_ key: Int) throws -> [String] {
      try migrator.explain("Entry/\(key)", of: path).events.map(\.rule)
    }
    #expect(try rules(2) == ["read in the new type"])
    #expect(
      try rules(3) == ["can't be read in the new type; the old value can't be restored"])
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DELETE FROM ZENTRY WHERE Z_PK > 2")
    let harmless = try migrator.plan(for: path)
    #expect(harmless.isReversible && harmless.examples == [])
  }

  @Test(arguments: [
    (#""String""#, #""Binary""#, #", "format": "utf-16""#),
    (#""String""#, #""Date""#, #", "format": "yy""#),
    (#""Date""#, #""Boolean""#, ""), (#""String""#, #""Integer 16""#, #", "format": "utf-8""#),
  ])
  func `a type change that isn't one is refused`(old: String, new: String, rest: String) throws {
    let schemas = try [("V1", old), ("V2", new)].map {
      try Self.schema($0, [#"{ "name": "count", "type": \#($1), "optional": true }"#])
    }
    try makeStore(schemas[0], rows: [[:]])
    let migrator = try StoreMigrator(schemas, steps: [#"{ "retype": "Entry.count"\#(rest) }"#])
    #expect(messages(migrator).allSatisfy { $0.contains("'Entry.count'") })
    #expect(messages(migrator).count == 2)
  }

  // MARK: Formulas

  @Test func `a formula reads constants, and no attribute has the name of one`() throws {
    let old = try Self.schema("V1", [Self.attribute("feet", "Double")])
    let new = try Self.schema(
      "V2", [Self.attribute("metres", "Double"), Self.attribute("since", "Date")])
    let steps = """
      { "compute": "Entry.metres", "sql": "feet * footInMetres", "inverse": { "feet": "metres / FootInMetres" } },
      { "compute": "Entry.since", "sql": "epoch + 1" }, { "drop": "Entry.feet" }
      """
    let constants = #"{ "footInMetres": 0.3048, "epoch": { "date": 86400.0 } }"#
    try makeStore(old, rows: [["feet": 10.0], ["feet": .null]])
    let plan = try StoreMigrator([old, new], steps: [steps], constants: constants).plan(for: path)
    #expect(plan.losses.isEmpty)
    #expect(
      plan.conversions.map { "\($0.object) \($0.classes.map { "\($0.name) \($0.count)" })" } == [
        #"Entry.metres ["computed 1", "nil 1"]"#, #"Entry.since ["computed 2", "nil 0"]"#,
      ])
    _ = try StoreMigrator([old, new], steps: [steps], constants: constants).apply(to: path)
    let row = try #require(try TestSupport.rows(of: "ZENTRY", in: path).first)
    #expect(row["ZMETRES"] == .real(3.048) && row["ZSINCE"] == .integer(86_401))
    _ = try StoreMigrator([old, new], steps: [steps], constants: constants).rollback(path)
    let taken = try StoreMigrator([old, new], steps: [steps], constants: #"{ "Feet": 1 }"#)
    #expect(
      messages(taken).allSatisfy {
        $0.contains("the constant 'Feet' has the name of an attribute; rename the constant")
      })
    #expect(throws: JSONError.self) {
      _ = try StoreMigrator([old, new], steps: [steps], constants: #"{ "a": [1] }"#)
    }
  }

  @Test func `a formula that reads an option needs it`() throws {
    let old = try Self.schema("V1", [Self.attribute("feet", "Double")])
    let new = try Self.schema(
      "V2",
      [
        Self.attribute("feet", "Double"), Self.attribute("owner", "String"),
        Self.attribute("label", "String"),
      ])
    let fill = #"{ "backfill": "Entry.owner", "option": "user-id" }"#
    let steps = fill + #", { "compute": "Entry.label", "sql": "coalesce(owner, '-') || '!'" }"#
    try makeStore(old, rows: [[:], [:]])
    let migrator = try StoreMigrator([old, new], steps: [steps])
    #expect(try migrator.plan(for: path).blockers.map(\.code) == ["user-id-needed"])
    #expect(messages(migrator).count == 1)
    let dropped = try StoreMigrator(
      [
        old,
        try Self.schema(
          "V2", [Self.attribute("feet", "Double"), Self.attribute("label", "String")]),
      ],
      steps: [steps + #", { "drop": "Entry.owner" }"#])
    #expect(try dropped.plan(for: path).blockers.map(\.code) == ["user-id-needed"])
    for step in [
      #"{ "require": "Entry", "sql": "owner <> ''", "because": "a row has an owner" }"#,
      #"{ "delete": "Entry", "where": "owner <> ''", "because": "others own the rest" }"#,
      #"{ "unite": "Entry", "by": ["owner"], "keep": "first", "links": "merge" }"#,
    ] {
      let reading = try StoreMigrator(
        [old, new], steps: [fill + #", { "add": "Entry.label" }, "# + step])
      #expect(
        try reading.plan(for: path).blockers.map(\.code) == ["user-id-needed"], "\(step)")
      let error = #expect(throws: MigrationError.self) { _ = try reading.apply(to: path) }
      #expect(error?.exitStatus == .misuse, "\(step): \(error?.description ?? "")")
      let request = MigrationRequest(userID: "ann", acceptedLosses: ["all"])
      #expect(messages(reading, request).isEmpty, "\(step)")
      _ = try reading.rollback(path)
    }
    _ = try migrator.apply(to: path, MigrationRequest(userID: "ann"))
    #expect(try TestSupport.rows(of: "ZENTRY", in: path).allSatisfy { $0["ZLABEL"] == "ann!" })
  }

  @Test func `what one migration refuses isn't read by the next`() throws {
    let old = try Self.schema("V1", [Self.attribute("state", "Integer 16")])
    let middle = try Self.schema("V2", [Self.attribute("state", "String")])
    let new = try Self.schema(
      "V3", [Self.attribute("state", "String"), Self.attribute("label", "String")])
    let map = #"{ "map": "Entry.state", "values": { "0": "open" } }"#
    let compute = #"{ "compute": "Entry.label", "sql": "coalesce(state, '') || '!'" }"#
    let again = #"{ "compute": "Entry.state", "sql": "coalesce(state, '') || '?'" }"#
    try makeStore(old, rows: [["state": 0], ["state": 7]])
    let messages = messages(
      try StoreMigrator([old, middle, new], steps: [map, "\(compute), \(again)"]))
    #expect(messages.count == 2)
    #expect(messages.allSatisfy { $0.contains("Entry/2: 'state' has a value that 'values'") })
  }

  @Test func `a map counts what it maps and keeps`() throws {
    let schemas = try ["V1", "V2"].map { try Self.schema($0, [Self.attribute("state", "String")]) }
    try makeStore(
      schemas[0], rows: [["state": "a"], ["state": "b"], ["state": "c"], ["state": .null]])
    for (other, name) in [(#""keep""#, "kept"), (#""z""#, "else")] {
      let step = #"{ "map": "Entry.state", "values": { "a": "x" }, "else": \#(other) }"#
      let changed = try Self.schema(
        "V2", [#"{ "name": "state", "type": "String", "optional": true, "hash_modifier": "2" }"#])
      let plan = try StoreMigrator([schemas[0], changed], steps: [step]).plan(for: path)
      #expect(
        plan.conversions.first?.classes.map { "\($0.name) \($0.count)" } == [
          "mapped 1", "\(name) 2", "nil 1",
        ])
    }
  }
}
