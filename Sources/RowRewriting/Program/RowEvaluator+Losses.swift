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
    // A value isn't lost if another column of the target holds it: unchanged, converted, or as the
    // key of the row that it names.
    for carrier in carriers where carrier.source == part.cell {
      let form = try evaluate(carrier.form, row)
      if try !form.isNull && form == evaluate(program.cells[carrier.place], row) { return false }
    }
    return true
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
