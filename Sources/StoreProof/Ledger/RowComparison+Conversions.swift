import JSONText
import SQLite
import Migrations
import RowRewriting

extension RowComparison {
  /// Returns whether a converted value matches its inputs, and judges how well it restores them.
  mutating func check(
    _ place: Int, output: Int, at target: Int, _ old: borrowing Statement,
    _ new: borrowing Statement
  ) -> Bool {
    let conversion = rows.conversions[place]
    guard let inputs = inputs(of: place, old) else { return false }
    let found = new.value(at: target)
    guard conversion.converter.could(make: found, output: output, of: inputs) else { return false }
    for (input, value) in zip(conversion.inputs, inputs) where value == found {
      if case .column(let column)? = branch(of: input, old) { record(.identical, of: column) }
    }
    let outputs = outputPlaces[place].enumerated().map { output, target in
      target.map { new.value(at: $0) } ?? value(of: .converted(place, output: output), old) ?? .null
    }
    judge(place, inputs, by: outputs, atBest: .converted, old)
    return true
  }

  /// Records the fates of the columns that conversions read, once all cells are checked.
  mutating func recordInputs(_ old: borrowing Statement) {
    for (place, fates) in inputFates.enumerated() {
      for (input, fate) in fates.enumerated() {
        guard let fate,
          case .column(let column)? = branch(of: rows.conversions[place].inputs[input], old)
        else { continue }
        record(fate, of: column)
      }
    }
  }

  /// Converts outputs back, and judges the inputs and the values that these are made of.
  ///
  /// An input that several conversions lead to the target one after another has the worst of their
  /// fates.
  private mutating func judge(
    _ place: Int, _ inputs: [Value], by outputs: [Value], atBest best: Fate,
    _ old: borrowing Statement
  ) {
    let conversion = rows.conversions[place]
    for (input, cell) in conversion.inputs.enumerated() {
      let fate = min(best, fate(of: input, inputs, by: outputs, conversion.converter))
      inputFates[place][input] = min(inputFates[place][input] ?? fate, fate)
      guard case .converted(let inner, _)? = branch(of: cell, old),
        let values = self.inputs(of: inner, old)
      else { continue }
      let made = outputPlaces[inner].indices.map {
        value(of: .converted(inner, output: $0), old) ?? .null
      }
      judge(inner, values, by: made, atBest: fate, old)
    }
  }

  private mutating func fate(
    of input: Int, _ inputs: [Value], by outputs: [Value], _ converter: Converter
  ) -> Fate {
    let restoration = converter.restoration(
      of: input, inputs, from: outputs, using: &self.converter)
    if restoration != .exact, inputs[input].isNull || inputs[input].bytes?.isEmpty == true {
      return .replaced
    }
    return switch restoration {
    case .exact: .converted
    case .rounded: .rounded
    case .clamped: .clamped
    case .computed: .computed
    }
  }
}

// MARK: - Values of the source's row

extension RowComparison {
  /// Returns the values that a conversion reads, if they can be determined.
  private func inputs(of place: Int, _ old: borrowing Statement) -> [Value]? {
    var inputs: [Value] = []
    for input in rows.conversions[place].inputs {
      guard let value = value(of: input, old) else { return nil }
      inputs.append(value)
    }
    return inputs
  }

  /// Returns the cell without conditions, and records the value that a condition replaces.
  private mutating func branch(
    of cell: RowProgram.Cell, _ old: borrowing Statement
  ) -> RowProgram.Cell? {
    guard case .conditional(let condition, let test, let then, let otherwise) = cell else {
      return cell
    }
    guard let value = value(of: test, old) else { return nil }
    guard isMet(condition, by: value, old) else { return branch(of: otherwise, old) }
    if case .column(let column) = test { record(.replaced, of: column) }
    return branch(of: then, old)
  }

  /// Returns the value of a cell that a condition or conversion reads, if it can be determined.
  func value(of cell: RowProgram.Cell, _ old: borrowing Statement) -> Value? {
    switch cell {
    case .column(let column): return old.value(at: column)
    case .constant(let value): return value
    case .conditional(let condition, let test, let then, let otherwise):
      guard let value = value(of: test, old) else { return nil }
      return self.value(of: isMet(condition, by: value, old) ? then : otherwise, old)
    case .converted(let place, let output):
      guard let inputs = inputs(of: place, old) else { return nil }
      var payloads = PayloadConverter()
      return try? rows.conversions[place].converter.convert(inputs, using: &payloads).values[output]
    case .entityNumber, .constantWherePresent, .missingOption: return nil
    }
  }

  func isMet(
    _ condition: RowProgram.Condition, by value: Value, _ old: borrowing Statement
  ) -> Bool {
    if value.isNull { return true }
    switch condition {
    case .null: return false
    case .zero: return value.int64 == 0 || value.double == 0
    case .empty: return value.bytes?.isEmpty == true
    case .placeholder(let usual, let flag):
      return value == usual || flag.map { old.int64(at: $0) != 0 } == true
    }
  }
}
