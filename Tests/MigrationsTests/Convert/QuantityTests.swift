import Migrations
import SQLite
import Testing

@Suite struct QuantityTests {
  static let parsed: [(text: String, number: Double, unit: String)] = [
    ("250 g", 250, "g"), ("250g", 250, "g"), ("2,5 dl", 2.5, "dl"), ("2.5 dl", 2.5, "dl"),
    ("1 1/2 cup", 1.5, "cup"), ("1½", 1.5, ""), ("1 ½ cups", 1.5, "cups"), ("½", 0.5, ""),
    ("3/4 tsp", 0.75, "tsp"), ("3⁄4 tsp", 0.75, "tsp"), ("  2  large eggs ", 2, "large eggs"),
    ("-1 g", -1, "g"), ("+1 g", 1, "g"), ("−1/2 g", -0.5, "g"), ("0", 0, ""), ("5 %", 5, "%"),
    ("1 cup (240 ml)", 1, "cup (240 ml)"), (".5 l", 0.5, "l"), (",5 l", 0.5, "l"),
    ("0,125 l", 0.125, "l"), ("1250,500 g", 1250.5, "g"), ("1.500 kg", 1.5, "kg"),
    ("1,0000 g", 1, "g"), ("12,50 g", 12.5, "g"), ("1\u{A0}dl", 1, "dl"), ("2 Stück", 2, "Stück"),
    ("180 °C", 180, "°C"), ("1 to go", 1, "to go"), ("11/2 cup", 5.5, "cup"),
  ]

  static let unparsed = [
    "", " ", "1,000 g", "12,345 g", "999,999", "1-2 cups", "1 - 2 cups", "1–2 cups", "2 to 3 cups",
    "2 or 3", "a pinch", "some", "half a cup", "1 000 g", "1.000.000 g", "1,5,5 g", "1/0 cup",
    "1/2/3", "2 x 100 g", "1.5 1/2 cup", "5.", "- 2 g", "--2", "/2", "1 1/0 cup", "٣ g", "1²",
    String(repeating: "9", count: 400) + " g", "1 ~ 2", "½ to 1 cup",
    "0." + String(repeating: "0", count: 63) + "1 g", String(repeating: "0", count: 65) + "1 g",
    "1½½", "~5 g", "2 bis 3 EL",
  ]

  @Test(arguments: parsed)
  func `a quantity is a number and a unit`(text: String, number: Double, unit: String) throws {
    let quantity = try #require(Quantity(parsing: text), "'\(text)'")
    #expect(quantity.number == number, "'\(text)'")
    #expect(quantity.unit == unit, "'\(text)'")
  }

  @Test(arguments: unparsed)
  func `an ambiguous amount isn't guessed`(text: String) {
    #expect(Quantity(parsing: text) == nil, "'\(text)'")
  }

  @Test func `a text that can't be parsed is kept in the notes`() throws {
    let cases: [(text: Value, notes: Value, kept: Value)] = [
      ("1,000 g", .null, "1,000 g"), ("a pinch", "", "a pinch"), ("some", "hot", "hot\nsome"),
      ("", "hot", "hot"), (.null, .null, .null), ("", .null, .null), (" \n", "hot", "hot"),
    ]
    for example in cases {
      let converted = try Converter.quantity(example.text, notes: example.notes)
      #expect(converted.values == [0.0, "", example.kept])
      #expect(converted.kind == "unparsed")
    }
    let converted = try Converter.quantity("2 g", notes: "hot")
    #expect(converted.values == [2.0, "g", "hot"])
    #expect(converted.kind == "parsed")
  }

  @Test(arguments: [Value.integer(1), .real(1.5), .blob([1]), .text([0xFF])])
  func `a value that is no text is refused`(value: Value) {
    #expect(throws: ConversionError.self) { try Converter.quantity(value, notes: .null) }
  }

  @Test func `the inverse gives a text that is read as the same amount`() throws {
    let numbers = [0, 1, -1, 2.5, 0.1, 1e-7, 1.5e-10, 1e16, 1.25e20, 123_456.789, 1.0 / 3]
    for number in numbers {
      for unit in ["", "g", "cup (240 ml)"] {
        let text = try Converter.quantityText(.real(number), unit: .text(unit), notes: .null)
        let again = try Converter.quantity(text.values[0], notes: .null)
        #expect(again.values == [.real(number), .text(unit), .null], "\(number) \(unit)")
      }
    }
  }
}
