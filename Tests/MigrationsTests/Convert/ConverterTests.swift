import Foundation
import Migrations
import JSONText
import SQLite
import StoreModel
import TestSupport
import Testing

@Suite struct ConverterTests {
  private func convert(_ converter: Converter, _ values: Value...) throws -> Converted {
    var payloads = PayloadConverter()
    return try converter.convert(values, using: &payloads)
  }

  @Test(arguments: [
    (-1.0, 1, "exact"), (-0.95, 1, "rounded"), (-0.9, 1, "rounded"), (-0.8, 2, "rounded"),
    (0.0, 6, "rounded"), (0.5, 8, "rounded"), (1.0, 10, "exact"), (1.2, 10, "clamped"),
    (7 / 4.5 - 1, 8, "exact"), (1.01, 10, "clamped"),
    (-7.0, 1, "clamped"), (1e300, 10, "clamped"), (-.infinity, 1, "clamped"),
  ])
  func `a valence becomes a value by the app's formula`(
    valence: Double, value: Int64, kind: String
  ) throws {
    let converted = try convert(.moodValue, .real(valence))
    #expect(converted.values == [.integer(value)])
    #expect(converted.kind == kind)
    #expect(FitIQFormulas.moodValue(max(-100, min(100, valence))) == value)
  }

  /// Each half that the scale has: 1.5, 2.5, …, 9.5 goes up.
  @Test func `halves go away from zero`() throws {
    for value in 1...9 {
      let valence = (Double(value) + 0.5 - 1) / 4.5 - 1
      guard (valence + 1) * 4.5 + 1 == Double(value) + 0.5 else { continue }
      #expect(try convert(.moodValue, .real(valence)).values == [.integer(Int64(value) + 1)])
    }
  }

  @Test func `a value is the value of its valence`() throws {
    for value in Int64(1)...10 {
      let valence = try convert(.moodValence, .integer(value)).values[0]
      #expect(try convert(.moodValue, valence).values == [.integer(value)])
    }
  }

  @Test func `nothing stays nothing`() throws {
    for converter in [Converter.moodValue, .moodValence, .real, .integer(.integer64), .rawValue] {
      let converted = try convert(converter, .null)
      #expect(converted.values == [.null])
      #expect(converted.kind == "missing")
    }
  }

  @Test(arguments: [
    (AttributeType.integer16, 32_767.4, 32_767, "rounded"),
    (.integer16, 32_767.5, 32_767, "clamped"), (.integer16, -40_000.0, -32_768, "clamped"),
    (.integer32, 1e10, 2_147_483_647, "clamped"),
    (.integer32, -2_147_483_648.0, -2_147_483_648, "exact"),
  ])
  func `a number stays in the range of its type`(
    type: AttributeType, number: Double, result: Int64, kind: String
  ) throws {
    let converted = try convert(.integer(type), .real(number))
    #expect(converted.values == [.integer(result)])
    #expect(converted.kind == kind)
  }

  @Test(arguments: [Int64(0), 1, -7, 123_456, 1 << 53, -(1 << 53)])
  func `a whole number is real and whole again`(number: Int64) throws {
    let real = try convert(.real, .integer(number))
    #expect(real.values == [.real(Double(number))])
    #expect(real.kind == "exact")
    #expect(try convert(.integer(.integer64), real.values[0]).values == [.integer(number)])
  }

  /// Every value that a converter reads.
  private func randomInput(
    _ converter: Converter, _ random: inout SeededGenerator
  ) throws -> Value {
    switch converter {
    case .real: .integer(Int64(truncatingIfNeeded: random.next()) >> random.number(64))
    case .integer, .formula: try randomNumber(&random)
    case .jsonText, .jsonBytes, .rawValue, .quantity, .quantityText:
      .text(Array("\(random.number(1000)) cups".utf8))
    }
  }

  @Test func `a converter is reversible only if its inverse restores every number`() throws {
    var random = SeededGenerator(seed: printedSeed("restored numbers"))
    for converter in [Converter.real, .integer(.integer64), .moodValue, .moodValence] {
      var lost = 0
      for _ in 0..<2_000 {
        let value = try randomInput(converter, &random)
        // SQLite stores NaN as NULL.
        if case .real(let number) = value, number.isNaN { continue }
        let made = try convert(converter, value)
        let back = try convert(converter.inverse, made.values[0]).values[0]
        if back != value { lost += 1 }
        // Of integers, obviously: a real number has 53 bits.
        guard converter == .real, case .integer(let number) = value else { continue }
        let magnitude = number.magnitude
        let bits =
          magnitude == 0
          ? 0 : 64 - magnitude.leadingZeroBitCount - magnitude.trailingZeroBitCount
        #expect((made.kind == "exact") == (bits <= 53), "\(number)")
        #expect((back == value) == (bits <= 53), "\(number)")
      }
      #expect(lost > 0 && !converter.isReversible, "\(converter)")
    }
    for converter in Converter.general + [.moodValue, .moodValence] where converter.isReversible {
      #expect(!converter.mayLose, "\(converter)")
    }
  }

  @Test func `what a real can't hold is rounded, and counted so`() throws {
    #expect(try convert(.real, .integer((1 << 53) + 1)).kind == "rounded")
    #expect(try convert(.integer(.integer64), 2.5).values == [3])
    #expect(try convert(.integer(.integer64), -2.5).values == [-3])
    #expect(try convert(.integer(.integer64), 2.5).kind == "rounded")
    #expect(try convert(.integer(.integer64), 1e300).values == [.integer(.max)])
    #expect(try convert(.integer(.integer64), 1e300).kind == "clamped")
  }

  /// Numbers of all sizes, and those that a converter gives.
  private func randomNumber(_ random: inout SeededGenerator) throws -> Value {
    switch random.below(6) {
    case 0: .integer(Int64(truncatingIfNeeded: random.next()) >> random.number(64))
    case 1: .real(Double.random(in: -1.1...1.1, using: &random))
    case 2: .real((Double(random.below(12)) - 1) / 4.5 - 1)
    case 3: .real(Double(random.below(21) - 10) / 2)
    case 4: .real(-0.0)
    default: .real(Double(bitPattern: random.next()))
    }
  }

  @Test(arguments: [Converter.real, .integer(.integer64), .moodValue, .moodValence])
  func `a number is exact if converting it there and back gives its bytes`(
    converter: Converter
  ) throws {
    var random = SeededGenerator(printing: "numbers of \(converter)")
    var seen: [String: Int] = [:]
    for _ in 0..<5_000 {
      let value = try randomNumber(&random)
      if value.double?.isNaN == true { continue }
      let there = try convert(converter, value)
      if there.values == [value] {
        #expect(there.kind == "exact")
        continue
      }
      let back = try convert(converter.inverse, there.values[0]).values[0]
      #expect((there.kind == "exact") == isSame(value, back), "\(value) -> \(there) -> \(back)")
      let number = value.double ?? Double(value.int64 ?? 0)
      let isOutside =
        switch converter {
        case .formula(let formula): !formula.forward.range.contains(number)
        case .integer: value.double != nil && (number < -0x1p63 || number >= 0x1p63)
        default: false
        }
      #expect((there.kind == "clamped") == isOutside, "\(value) -> \(there)")
      seen[there.kind, default: 0] += 1
    }
    #expect(seen.values.allSatisfy { $0 > 20 } && seen.count >= 2, "\(seen)")
  }

  /// Compares bytes; the column decides whether a whole number is stored as a real one.
  private func isSame(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.integer(let whole), .real(let real)):
      real == real.rounded() && "\(whole)" == String(format: "%.0f", real)
    case (.real(let real), .integer(let whole)): real == Double(whole) && "\(real)" != "-0.0"
    default: left == right
    }
  }

  @Test(arguments: [Converter.real, .integer(.integer64), .moodValue, .moodValence])
  func `a text isn't taken for a number`(converter: Converter) {
    #expect(throws: ConversionError.self) { try convert(converter, "5") }
    #expect(throws: ConversionError.self) { try convert(converter, .blob([5])) }
  }

  @Test func `a raw value stays the text it is`() throws {
    #expect(try convert(.rawValue, "breakfast").values == ["breakfast"])
    #expect(throws: ConversionError.self) { try convert(.rawValue, 1) }
    #expect(throws: ConversionError.self) { try convert(.rawValue, .blob([1])) }
  }

  @Test func `each converter has an inverse that leads back to it`() {
    for converter in Converter.general + [.moodValue, .moodValence] {
      #expect(converter.inverse.inverse == converter)
      #expect(converter.inverse.inputCount == converter.outputCount)
      #expect(converter.inverse.outputCount == converter.inputCount)
    }
  }

  @Test(arguments: [
    #"{"a":1}"#, "[]", "not JSON", "\u{1}\u{2}", "", "{", "[1,2,\u{7}]",
  ])
  func `a payload comes back from its text`(payload: String) throws {
    let bytes = Array(payload.utf8)
    let text = try convert(.jsonText, .blob(bytes)).values[0]
    #expect(try convert(.jsonBytes, text).values == [.blob(bytes)])
  }
}
