package import SQLite

extension Converter {
  /// Returns number, unit and notes of a quantity; text that can't be parsed is kept in the notes.
  package static func quantity(_ value: Value, notes: Value) throws(ConversionError) -> Converted {
    let text = try value.text() ?? ""
    if let quantity = Quantity(parsing: text) {
      return Converted(
        values: [.real(quantity.number), .text(quantity.unit), notes], kind: "parsed")
    }
    var kept = notes
    if !text.allSatisfy(\.isWhitespace) {
      let before = try notes.text(input: 1) ?? ""
      kept = .text(before.isEmpty ? text : before + "\n" + text)
    }
    return Converted(values: [.real(0), .text(""), kept], kind: "unparsed")
  }

  package static func quantityText(
    _ value: Value, unit: Value, notes: Value
  ) throws(ConversionError) -> Converted {
    let quantity = Quantity(
      number: try value.number() ?? 0, unit: try unit.text(input: 1) ?? "")
    return Converted(values: [.text(quantity.text), notes], kind: "written")
  }
}
