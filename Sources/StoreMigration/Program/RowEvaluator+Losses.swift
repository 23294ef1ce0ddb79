import SQLite

extension RowEvaluator {
  mutating func countLosses(_ row: borrowing Statement) throws {
    guard !program.drops.isEmpty else { return }
    for (place, drop) in program.drops.enumerated()
    where drop.entityNumbers.contains(row.int64(at: 1)) {
      for cell in drop.cells {
        let value = try evaluate(cell, row)
        if value.saysNothing(usually: drop.defaultValue) { continue }
        if try isCarried(value, of: cell, by: carriers[place], row) { continue }
        tally.losses[place] += 1
      }
    }
  }

  /// A value isn't lost if it stands, as it is or converted, in another column of the target.
  private mutating func isCarried(
    _ value: Value, of cell: RowProgram.Cell, by carriers: [Carrier], _ row: borrowing Statement
  ) throws -> Bool {
    for carrier in carriers where carrier.source == cell {
      let target = try evaluate(program.cells[carrier.place], row)
      if try evaluate(carrier.form, row) == target { return true }
    }
    return false
  }
}

extension Value {
  /// Returns whether losing the value loses nothing: there is none, it is empty or the default.
  ///
  /// A number that has no default to be compared with says nothing when it is 0.
  func saysNothing(usually usual: Value?) -> Bool {
    if self == usual { return true }
    switch self {
    case .null: return true
    case .text(let bytes), .blob(let bytes): return bytes.isEmpty
    case .integer(let number): return usual == nil && number == 0
    case .real(let number): return usual == nil && number == 0
    }
  }
}
