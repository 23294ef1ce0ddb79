package import JSONText
package import SQLite
package import Migrations

/// Computes the target's values for one row of the source, and counts what becomes of them.
///
/// Plan and apply use the same evaluator: a plan counts without writing.
package struct RowEvaluator: ~Copyable {
  package let program: RowProgram
  package var tally: Tally
  package var payloads = PayloadConverter()

  /// The results of the present row's conversions; `nil` for those that aren't computed yet.
  package var results: [Converted?]

  /// For each column of the target: the source of its payload, or `nil` if it isn't a payload's
  /// text.
  ///
  /// Payloads are converted from the row's bytes, without a value in between.
  let payloadSources: [PayloadSource?]

  /// The class of the present row's payload, by conversion.
  private var payloadKinds: [PayloadClass?]

  /// The counts of payload classes by conversion, in arrays, which are faster than dictionaries.
  private var payloadCounts: [[Int64]]
  let carriers: [[Carrier]]

  /// The indices of cells that must be evaluated so that their conversions are counted.
  private let countedPlaces: [Int]

  /// The cells to bind for each row, resolved once; constants are bound in advance.
  private let bindings: [Binding]

  /// The source's columns with the results of formulas.
  let computedColumns: [RowProgram.PlacedColumn]

  /// Those of them that stand for an option that isn't given.
  private let optionColumns: [RowProgram.PlacedColumn]

  /// The counts of the classes of each of them.
  private var computedCounts: [[Int64]]

  /// The source's columns with values that depend on other rows, and those that they replace.
  private let derivedColumns: [(place: Int, old: Int?, column: DerivedColumn)]

  /// The indices of cells that may need an option that wasn't given.
  private let optionPlaces: [Int]

  /// The entity number of the last row, which most rows have in common.
  private var lastNumber: Int64?

  /// How the value of one column of the target is bound.
  private enum Binding {
    case copy(column: Int, parameter: Int)
    case payload(PayloadSource, parameter: Int)
    case evaluated(place: Int)
  }

  package init(_ program: RowProgram) {
    self.program = program
    tally = Tally(program)
    results = program.conversions.map { _ in nil }
    payloadKinds = program.conversions.map { _ in nil }
    payloadCounts = program.conversions.map { _ in [0, 0, 0, 0] }
    carriers = program.drops.map { program.carriers(of: $0) }
    let sources = program.cells.map { PayloadSource($0, in: program) }
    payloadSources = sources
    countedPlaces = program.cells.indices.filter {
      sources[$0] == nil && !program.conversions(in: program.cells[$0]).isEmpty
    }
    computedColumns = program.computedColumns
    optionColumns = computedColumns.filter { $0.column.missingOption != nil }
    computedCounts = computedColumns.map { $0.column.classes.map { _ in 0 } }
    derivedColumns = program.sourceColumns.enumerated().compactMap { place, column in
      guard case .derived(let derived) = column, !derived.rules.isEmpty else { return nil }
      return (place, program.place(ofReplaced: derived), derived)
    }
    optionPlaces = program.cells.indices.filter {
      !program.missingOptions(in: program.cells[$0]).isEmpty
    }
    bindings = program.cells.indices.compactMap { place in
      if let payload = sources[place] { return .payload(payload, parameter: place + 1) }
      switch program.cells[place] {
      case .column(let column): return .copy(column: column, parameter: place + 1)
      case .constant: return nil
      default: return .evaluated(place: place)
      }
    }
  }

  /// Binds the values of one row, except constants.
  package mutating func bind(_ row: borrowing Statement, to insert: inout Statement) throws {
    try begin(row)
    for binding in bindings {
      switch binding {
      case .copy(let column, let parameter):
        try insert.bindColumn(of: row, column: column, at: parameter)
      case .payload(let payload, let parameter):
        try bindPayload(row, payload, parameter: parameter, to: &insert)
      case .evaluated(let place):
        try insert.bind(evaluate(program.cells[place], row), at: place + 1)
      }
    }
    try countRow(row)
  }

  /// Counts what becomes of one row's values, without writing it.
  ///
  /// Of a row that formulas refuse, only that is counted.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - known: The class of the payload in a column, if the caller has scanned it already.
  /// - Returns: Whether the row isn't refused; the tally has the error.
  /// - Throws: A ``RowError`` if a value can't be converted.
  package mutating func read(
    _ row: borrowing Statement, knowing known: (column: Int, kind: PayloadClass)? = nil
  ) throws -> Bool {
    try reset(for: row)
    if countRefusals(of: row) { return false }
    try checkDerived(row)
    for case let payload? in payloadSources {
      try checkPayload(row, payload.column)
      let kind =
        if let known, known.column == payload.column {
          known.kind
        } else {
          row.withBytes(at: payload.column) { PayloadClass(of: $0) }
        }
      try checkLength(kind, row, payload.column)
      count(kind, of: payload.conversion)
    }
    for place in countedPlaces { _ = try evaluate(program.cells[place], row) }
    try countRow(row)
    return true
  }

  private mutating func countRow(_ row: borrowing Statement) throws {
    for (place, result) in results.enumerated() {
      guard let result else { continue }
      tally.classes[place, default: [:]][result.kind, default: 0] += 1
    }
    for index in computedColumns.indices {
      let place = computedColumns[index].place
      guard let kind = computedColumns[index].column.classIndex(row, at: place) else { continue }
      computedCounts[index][kind] += 1
    }
    try countMissingOptions(row)
    // Must come last: it evaluates conversions that aren't written and mustn't be counted.
    try countLosses(row)
  }

  /// Resets the state of the previous row, and refuses a row whose number names no entity.
  package mutating func begin(_ row: borrowing Statement) throws {
    try reset(for: row)
    if let refusal = program.refusal(of: row, by: computedColumns) { throw refusal }
    try checkDerived(row)
  }

  /// Does the same, and refuses no result of a formula: ``isRestored(_:_:)`` checks them.
  package mutating func beginRestoring(_ row: borrowing Statement) throws {
    try reset(for: row)
    try checkDerived(row)
  }

  private mutating func reset(for row: borrowing Statement) throws {
    let number = row.int64(at: 1)
    // The app never reads a row whose number names no entity of its table.
    guard row.type(at: 1) == .integer,
      number == lastNumber || program.entityNumbers[number] != nil
    else { throw program.refusal(ofRow: row.int64(at: 0)) }
    lastNumber = number
    for place in results.indices { (results[place], payloadKinds[place]) = (nil, nil) }
  }

  private func checkDerived(_ row: borrowing Statement) throws {
    for (place, old, column) in derivedColumns {
      guard let problem = column.problem(row, at: place, replacing: old) else { continue }
      throw RowError(
        entity: program.sourceEntity, key: row.int64(at: 0),
        attribute: program.sourceProperties[place], reason: problem)
    }
  }

  private mutating func countMissingOptions(_ row: borrowing Statement) throws {
    tally.rows += 1
    for each in optionColumns where each.column.entityNumbers.contains(row.int64(at: 1)) {
      guard let option = each.column.missingOption else { continue }
      tally.missingOptions[option, default: 0] += 1
    }
    for place in optionPlaces {
      guard let option = try missingOption(in: program.cells[place], row) else { continue }
      tally.missingOptions[option, default: 0] += 1
    }
  }

  /// Returns the option that a cell needs for a row, and that isn't given.
  private mutating func missingOption(
    in cell: RowProgram.Cell, _ row: borrowing Statement
  ) throws -> MigrationOption? {
    switch cell {
    case .missingOption(let option): return option
    case .converted(let place, _):
      for input in program.conversions[place].inputs {
        if let option = try missingOption(in: input, row) { return option }
      }
      return nil
    case .conditional(let condition, let test, let then, let otherwise):
      if let option = try missingOption(in: test, row) { return option }
      let isMet = try holds(condition, of: evaluate(test, row), row)
      return try missingOption(in: isMet ? then : otherwise, row)
    case .column, .constant, .entityNumber, .constantWherePresent: return nil
    }
  }

  /// Ends the pass and returns the counts.
  package consuming func finish() -> Tally {
    for (place, counts) in payloadCounts.enumerated() where counts.contains(where: { $0 > 0 }) {
      for (kind, count) in zip(PayloadClass.allCases, counts) {
        tally.classes[place, default: [:]][kind.rawValue, default: 0] += count
      }
    }
    for (each, counts) in zip(computedColumns, computedCounts) where !counts.isEmpty {
      tally.computed[each.place] = Dictionary(
        zip(each.column.classes, counts), uniquingKeysWith: { first, _ in first })
    }
    return tally
  }
}

// MARK: - Payloads, converted from bytes

extension RowEvaluator {
  private mutating func bindPayload(
    _ row: borrowing Statement, _ payload: PayloadSource, parameter: Int,
    to insert: inout Statement
  ) throws {
    try checkPayload(row, payload.column)
    let kind = row.withBytes(at: payload.column) { payloads.convert($0) }
    try checkLength(kind, row, payload.column)
    switch kind {
    case .empty: try insert.bindNull(at: parameter)
    case .identical:
      try insert.bindTextColumn(of: row, column: payload.column, at: parameter)
    case .normalised, .base64:
      try payloads.withOutput { (bytes) throws(SQLiteError) in
        try insert.bindText(bytes, at: parameter)
      }
    }
    count(kind, of: payload.conversion)
  }

  private func checkPayload(_ row: borrowing Statement, _ column: Int) throws {
    switch row.type(at: column) {
    case .null, .blob, .text: break
    case .integer, .real:
      throw RowError(
        entity: program.sourceEntity, key: row.int64(at: 0),
        attribute: program.sourceProperties[column],
        reason: "holds a number where bytes are expected")
    }
  }

  /// Refuses a payload if its Base64, a third longer than its bytes, exceeds SQLite's limit.
  private func checkLength(
    _ kind: PayloadClass, _ row: borrowing Statement, _ column: Int
  ) throws {
    guard kind == .base64, (row.byteCount(at: column) + 2) / 3 * 4 > row.longestValue else {
      return
    }
    throw RowError(
      entity: program.sourceEntity, key: row.int64(at: 0),
      attribute: program.sourceProperties[column], reason: "would exceed SQLite's limit for a value"
    )
  }

  /// Returns the class of a conversion's result for the present row, if it was computed.
  package func kind(ofConversion place: Int) -> String? {
    results[place]?.kind ?? payloadKinds[place]?.rawValue
  }

  private mutating func count(_ kind: PayloadClass, of conversion: Int) {
    payloadKinds[conversion] = kind
    payloadCounts[conversion][kind.place] += 1
  }
}
