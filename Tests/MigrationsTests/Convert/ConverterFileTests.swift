import JSONText
import Migrations
import SQLite
import TestSupport
import Testing

/// Converters that files state.
@Suite struct ConverterFileTests {
  /// What the tool did when the conversion of moods was part of its code.
  private enum FormerMood {
    static func value(_ number: Double) -> Value {
      let exact = ((number + 1) * 4.5 + 1).rounded(.toNearestOrAwayFromZero)
      return .integer(Int64(min(max(exact, 1), 10)))
    }

    static func valence(_ number: Double) -> Value {
      .real((min(max(number, 1), 10) - 1) / 4.5 - 1)
    }

    /// Returns the class under which a plan counted a number.
    static func kind(
      _ value: Value, _ made: Value, _ back: Value, in range: ClosedRange<Double>
    ) -> String {
      let number = value.double ?? value.int64.map(Double.init) ?? 0
      if made == value { return "exact" }
      switch (value, back) {
      case (.real(let left), .real(let right)) where left.bitPattern == right.bitPattern:
        return "exact"
      case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
        if Int64(exactly: real) == whole { return "exact" }
      default: if value == back { return "exact" }
      }
      return range.contains(number) ? "rounded" : "clamped"
    }
  }

  /// Numbers in, at and around the limits of a mood, and of all sizes.
  private static func numbers(_ random: inout SeededGenerator) -> [Value] {
    var numbers = (0...90).map { Double($0) / 45 - 1 }
    numbers +=
      (1...10).map { (Double($0) - 1) / 4.5 - 1 } + (1...9).map { (Double($0) - 0.5) / 4.5 - 1 }
    numbers += (-4...24).map { Double($0) / 2 }
    numbers += (0..<2_000).map { _ in Double.random(in: -1.5...1.5, using: &random) }
    numbers += (0..<2_000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    numbers += numbers.flatMap { [$0.nextUp, $0.nextDown] } + [-1e308, 1e308, -0.0, 0x1p-1074]
    let whole = (0..<500).map { _ in Int64(truncatingIfNeeded: random.next()) >> random.number(64) }
    return numbers.map { .real($0) }
      + (Array(-20...20) + whole + [.min, .max]).map { .integer($0) }
  }

  @Test func `moods are converted to the same bits and classes as by the former code`() throws {
    var random = SeededGenerator(printing: #function)
    var payloads = PayloadConverter()
    var kinds: [String: Int] = [:]
    for number in Self.numbers(&random) {
      let double = try #require(number.double ?? number.int64.map(Double.init))
      let value = try Converter.moodValue.convert([number], using: &payloads)
      let made = FormerMood.value(double)
      #expect(value.values == [made], "\(number)")
      let valence = FormerMood.valence(made.int64.map(Double.init) ?? 0)
      #expect(
        value.kind == FormerMood.kind(number, made, valence, in: -1...1), "\(number): \(value)")
      kinds[value.kind, default: 0] += 1
      let back = try Converter.moodValence.convert([number], using: &payloads)
      let former = FormerMood.valence(double)
      #expect(back.values == [former], "\(number)")
      let again = FormerMood.value(former.double ?? 0)
      #expect(back.kind == FormerMood.kind(number, former, again, in: 1...10), "\(number): \(back)")
    }
    #expect(kinds.count == 3 && kinds.values.allSatisfy { $0 > 5 }, "\(kinds)")
  }

  @Test func `what isn't a number is refused as before`() throws {
    var payloads = PayloadConverter()
    for converter in [Converter.moodValue, .moodValence] {
      let missing = try converter.convert([.null], using: &payloads)
      #expect(missing.values == [.null] && missing.kind == "missing")
      for (value, noun) in [
        (Value.text("0.5"), "a text"), (.blob([1]), "bytes"), (.text([0xFF]), "a text"),
      ] {
        do {
          _ = try converter.convert([value], using: &payloads)
          Issue.record("\(value) is converted")
        } catch {
          #expect(error.reason == "holds \(noun) where a number is expected")
        }
      }
    }
  }

  private static func text(_ converters: String...) -> [UInt8] {
    let list = converters.joined(separator: ", ")
    return Array(#"{"format_version": 1, "app": "Zoo", "converters": [\#(list)]}"#.utf8)
  }

  private static func converter(
    _ name: String, _ inverse: String, _ sql: String, _ more: String = "",
    types: (String, String) = ("Double", "Double")
  ) -> String {
    #"{"name": "\#(name)", "inverse": "\#(inverse)", "from": "\#(types.0)", "to": "\#(types.1)", "sql": "\#(sql)"\#(more)}"#
  }

  @Test func `a folder's converters are for its migrations, before those of other apps`() throws {
    let file = Self.text(
      Self.converter("metres", "feet", "value * 0.3048"),
      Self.converter("feet", "metres", "value / 0.3048"),
      Self.converter("mood-value", "mood-value", "-value"))
    let migration = { (app: String, name: String) in
      Array(
        #"{"format_version": 1, "app": "\#(app)", "from": "V1", "to": "V2", "steps": [{"convert": "Tree.height", "with": "\#(name)"}]}"#
          .utf8)
    }
    func converted(_ app: String, _ name: String, _ number: Double) throws -> Value? {
      let files = MigrationFileSet(
        folder: "zoo", [("V1-V2.json", migration(app, name)), ("zoo.converters.json", file)])
      if let mistake = files.mistakes.first { throw mistake }
      #expect(files.count == 2 && files.migrations.count == 1)
      guard case .convert(let conversion)? = files.migrations.first?.migration.steps.first else {
        return nil
      }
      var payloads = PayloadConverter()
      return try conversion.converter.convert([.real(number)], using: &payloads).values[0]
    }
    #expect(try converted("Zoo", "metres", 10) == .real(10 * 0.3048))
    #expect(try converted("Zoo", "mood-value", 0.5) == .real(-0.5))
    #expect(try converted("FitIQ", "mood-value", 0.5) == .integer(8))
    #expect(throws: JSONError.self) { _ = try converted("Zoo", "metre", 1) }
    let catalog = try Catalog(files: [
      ("V1-V2.json", migration("Zoo", "feet")), ("zoo.converters.json", file),
    ])
    #expect(catalog.migrations.count == 1)
  }

  @Test(arguments: [
    (text(converter("a", "b", "value")), "b"),
    (text(converter("a", "b", "value"), converter("b", "b", "value")), "doesn't name 'a'"),
    (text(converter("a", "a", "value"), converter("a", "a", "value")), "twice"),
    (text(converter("real", "real", "value")), "the tool has a converter 'real'"),
    (text(converter("a", "a", "valu")), "can't be used"),
    (text(converter("a", "a", "random()")), "can't be used"),
    (text(converter("a", "a", "value", types: ("String", "Double"))), "String"),
    (text(converter("a", "a", "value", #", "range": [2, 1]"#)), "the smallest"),
    (text(converter("a", "a", "value", #", "swift": ["func b() {}"]"#)), "isn't called 'a'"),
    (text(converter("a", "a", "value", #", "wide": 1"#)), "wide"),
  ])
  func `a mistake in a converter file is refused`(text: [UInt8], part: String) throws {
    do {
      _ = try ConverterFile(parsing: text, file: "f")
      Issue.record("\(String(decoding: text, as: UTF8.self)) is read")
    } catch {
      #expect("\(error)".contains(part), "\(error)")
    }
  }

  /// A result that the type of the results doesn't hold refuses the row.
  @Test func `a formula that gives no number refuses the row`() throws {
    let texts = [
      ("'x'", "Double"), ("NULL", "Double"), ("value * 1e308", "Double"),
      ("value / 4", "Integer 64"),
      ("value * 40000", "Integer 16"), ("json('{')", "Double"),
    ]
    for (sql, type) in texts {
      let file = try ConverterFile(
        parsing: Self.text(Self.converter("a", "a", sql, types: ("Double", type))), file: nil)
      var payloads = PayloadConverter()
      let converter = try Converter.formula(#require(file.converters.first))
      do {
        let made = try converter.convert([.real(50)], using: &payloads)
        Issue.record("\(sql) gives \(made)")
      } catch {
        #expect(error.reason.hasPrefix("can't be converted by 'a': its formula "))
      }
    }
  }
}
