/// A column of the target that may hold a dropped value.
struct Carrier {
  /// The index of the column.
  package let place: Int

  /// The dropped value.
  package let source: RowProgram.Cell

  /// The form in which the column would hold it.
  package let form: RowProgram.Cell
}

extension RowProgram {
  func carriers(of drop: Drop) -> [Carrier] {
    drop.parts.map(\.cell).flatMap { source in
      cells.enumerated().flatMap { place, cell in
        forms(of: source, in: cell).map { Carrier(place: place, source: source, form: $0) }
      }
    }
  }
}
