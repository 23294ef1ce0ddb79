package import Migrations

extension RowProgram {
  /// Returns the forms of a value in a cell: unchanged, converted, or the key of the row it names.
  package func forms(of source: Cell, in cell: Cell) -> [Cell] {
    if cell == source { return [cell] }
    switch cell {
    case .column(let place):
      guard case .matchingKey(let lookup) = sourceColumns[place], case .column(let named) = source,
        sourceColumns[named] == .named(lookup.column)
      else { return [] }
      return [cell]
    case .constant, .entityNumber, .constantWherePresent, .missingOption: return []
    case .converted(let conversion, _):
      let inputs = conversions[conversion].inputs
      return inputs.contains { !forms(of: source, in: $0).isEmpty } ? [cell] : []
    case .conditional(_, _, let then, let otherwise):
      return forms(of: source, in: then) + forms(of: source, in: otherwise)
    }
  }

  /// The columns of the source that a cell depends on.
  package func columns(of cell: Cell) -> [Int] {
    switch cell {
    case .column(let place), .entityNumber(let place), .constantWherePresent(_, let place): [place]
    case .constant, .missingOption: []
    case .converted(let conversion, _): conversions[conversion].inputs.flatMap { columns(of: $0) }
    case .conditional(_, let test, let then, let otherwise):
      columns(of: test) + columns(of: then) + columns(of: otherwise)
    }
  }

  /// Returns the indices of the conversions that a cell uses.
  package func conversions(in cell: Cell) -> [Int] {
    switch cell {
    case .column, .constant, .entityNumber, .constantWherePresent, .missingOption: []
    case .converted(let conversion, _):
      [conversion] + conversions[conversion].inputs.flatMap { conversions(in: $0) }
    case .conditional(_, let test, let then, let otherwise):
      conversions(in: test) + conversions(in: then) + conversions(in: otherwise)
    }
  }

  /// Returns the options that a cell needs and that weren't given.
  package func missingOptions(in cell: Cell) -> Set<MigrationOption> {
    switch cell {
    case .missingOption(let option): [option]
    case .converted(let conversion, _):
      conversions[conversion].inputs.reduce(into: []) { $0.formUnion(missingOptions(in: $1)) }
    case .conditional(_, let test, let then, let otherwise):
      missingOptions(in: test).union(missingOptions(in: then))
        .union(missingOptions(in: otherwise))
    case .column, .constant, .entityNumber, .constantWherePresent: []
    }
  }
}
