import Migrations
import SQLite
import StoreModel
import StoreProof
import TestSupport
import Testing

/// What the proof takes for a conversion's values, without the converters.
@Suite struct ConverterProofTests {
  @Test func `the proof refuses what a converter wouldn't make`() {
    #expect(!Converter.moodValue.could(make: 7, output: 0, of: [0.0]))
    #expect(!Converter.moodValue.could(make: .null, output: 0, of: [0.0]))
    #expect(!Converter.real.could(make: 5.5, output: 0, of: [5]))
    let short = Converter.integer(.integer16)
    #expect(short.could(make: 32_767, output: 0, of: [1e300]))
    #expect(short.could(make: 3, output: 0, of: [2.5]))
    #expect(!short.could(make: 32_768, output: 0, of: [32_768.0]))
    #expect(!short.could(make: 100, output: 0, of: [40_000.0]))
    #expect(!Converter.rawValue.could(make: "lunch", output: 0, of: ["dinner"]))
    #expect(!Converter.quantity.could(make: 2.0, output: 0, of: ["3 g", .null]))
    #expect(!Converter.quantity.could(make: "kg", output: 1, of: ["3 g", .null]))
    #expect(!Converter.quantity.could(make: .null, output: 2, of: ["some", .null]))
    #expect(!Converter.quantity.could(make: .null, output: 2, of: ["3 g", "hot"]))
    #expect(!Converter.quantityText.could(make: "3 g", output: 0, of: [2.0, "g", .null]))
    #expect(!Converter.jsonBytes.could(make: .blob([1]), output: 0, of: ["{}"]))
  }

  @Test func `the proof knows a mood's value by its valence`() throws {
    for value in Int64(1)...10 {
      let valence = Value.real((Double(value) - 1) / 4.5 - 1)
      #expect(Converter.moodValue.could(make: .integer(value), output: 0, of: [valence]))
    }
  }

  @Test func `three readers agree on random texts`() throws {
    let seed: UInt64 = 20_261_121
    var random = RandomTexts(seed: seed)
    var parsed = 0
    for _ in 0..<5_000 {
      let text = random.next()
      let quantity = Quantity(parsing: text)
      let reference = FitIQFormulas.readQuantity(text)
      if quantity != nil { parsed += 1 }
      #expect(
        quantity?.number == reference?.0 && quantity?.unit == reference?.1,
        "seed \(seed): '\(text)' is \(quantity as Any), not \(reference as Any)")
      let values = try Converter.quantity(.text(text), notes: .null).values
      for (output, value) in values.enumerated() {
        #expect(
          Converter.quantity.could(make: value, output: output, of: [.text(text), .null]),
          "seed \(seed): the proof doesn't know '\(text)' again, output \(output)")
      }
    }
    // With too few of either kind, the comparison would say little.
    #expect((500...4_500).contains(parsed), "\(parsed)")
  }
}

/// Texts that look like quantities, more or less.
private struct RandomTexts {
  private var generator: SeededGenerator
  private static let pieces = [
    "1", "2", "12", "250", "000", "0", ".", ",", " ", " ", "/", "½", "¾", "-", "+", "–", "g", "cup",
    "to", "x", " dl", "a", "(", "%", "1/2", "\u{A0}", "½ cup", "or", "e", "ß", "\n", "⁄",
  ]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> String {
    (0...Int(generator.number(6))).map { _ in
      Self.pieces[Int(generator.number(UInt64(Self.pieces.count)))]
    }.joined()
  }
}
