extension RowProgram.Cell {
  /// The forms in which a value occurs in this cell: as it is, or converted.
  func forms(of source: RowProgram.Cell) -> [RowProgram.Cell] {
    if self == source { return [self] }
    switch self {
    case .column, .constant, .entityNumber, .constantWherePresent, .missingOption: return []
    case .converted(_, let inner): return inner.forms(of: source).isEmpty ? [] : [self]
    case .conditional(_, _, let then, let otherwise):
      return then.forms(of: source) + otherwise.forms(of: source)
    }
  }

  /// The columns of the source that the value depends on.
  var columns: [Int] {
    switch self {
    case .column(let place), .entityNumber(let place), .constantWherePresent(_, let place): [place]
    case .constant, .missingOption: []
    case .converted(_, let inner): inner.columns
    case .conditional(_, let test, let then, let otherwise):
      test.columns + then.columns + otherwise.columns
    }
  }

  /// The conversion in this cell, if there is one.
  var conversion: (converter: Converter, cell: RowProgram.Cell)? {
    switch self {
    case .converted(let converter, let inner): (converter, inner)
    case .conditional(_, _, let then, let otherwise): then.conversion ?? otherwise.conversion
    case .column, .constant, .entityNumber, .constantWherePresent, .missingOption: nil
    }
  }
}
