import Migrations
import SQLite

extension RowEvaluator {
  /// Counts the values of a row that are lost in the target.
  mutating func countLosses(_ row: borrowing Statement) throws {
    guard !program.drops.isEmpty else { return }
    for (place, drop) in program.drops.enumerated()
    where drop.entityNumbers.contains(row.int64(at: 1)) {
      var lostParts = 0
      for part in drop.parts where try isLost(part, carriers: carriers[place], row) {
        lostParts += 1
        try countOwner(part, place: place, row)
      }
      if lostParts > 0 { tally.losses[place] += 1 }
    }
  }

  private mutating func isLost(
    _ part: RowProgram.Drop.Part, carriers: [Carrier], _ row: borrowing Statement
  ) throws -> Bool {
    let value = try evaluate(part.cell, row)
    if part.insignificantValues.covers(value) { return false }
    if let replacement = part.replacement,
      try restores(replacement.input, of: replacement.conversion, row)
    {
      return false
    }
    if let restoration = part.restoration, try evaluate(restoration, row) == value { return false }
    // A value isn't lost if another column of the target holds it: unchanged, in a form that
    // converts back, or as the key of the row that it names.
    for carrier in carriers where carrier.source == part.cell {
      let form = try evaluate(carrier.form, row)
      if try !form.isNull && form == evaluate(program.cells[carrier.place], row)
        && (form == value || restores(part.cell, from: carrier.form, row))
      {
        return false
      }
    }
    return true
  }

  /// Returns whether a cell's value can be restored from a form of it.
  private mutating func restores(
    _ source: RowProgram.Cell, from form: RowProgram.Cell, _ row: borrowing Statement
  ) throws -> Bool {
    if source == form { return true }
    switch form {
    case .column: return true
    case .converted(let place, _):
      for (input, cell) in program.conversions[place].inputs.enumerated()
      where !program.forms(of: source, in: cell).isEmpty {
        return try restores(input, of: place, row) && restores(source, from: cell, row)
      }
      return false
    case .conditional(let condition, let test, let then, let otherwise):
      let isMet = try holds(condition, of: evaluate(test, row), row)
      return try restores(source, from: isMet ? then : otherwise, row)
    case .constant, .entityNumber, .constantWherePresent, .missingOption: return false
    }
  }

  /// Returns whether the inverse of a conversion gives an input back.
  private mutating func restores(
    _ input: Int, of place: Int, _ row: borrowing Statement
  ) throws -> Bool {
    let conversion = program.conversions[place]
    guard conversion.converter.mayLose else { return true }
    let outputs = try convert(place, row).values
    let inputs = try conversion.inputs.map { try evaluate($0, row) }
    return conversion.converter.restoration(of: input, inputs, from: outputs, using: &payloads)
      == .exact
  }

  /// Counts a lost value that should name the row that a relationship leads to, and doesn't.
  private mutating func countOwner(
    _ part: RowProgram.Drop.Part, place: Int, _ row: borrowing Statement
  ) throws {
    for carrier in carriers[place] where carrier.source == part.cell {
      guard case .column(let column) = carrier.form,
        case .matchingKey = program.sourceColumns[column]
      else { continue }
      if try evaluate(program.cells[carrier.place], row).isNull {
        tally.unmatched[place] += 1
      } else {
        tally.disagreements[place] += 1
      }
    }
  }
}
