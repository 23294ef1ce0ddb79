package import JSONText
package import SQLite
import StoreFormat
package import Migrations

/// Makes the values of one row of the target from one row of the source, and counts what it did.
///
/// Plan and apply use the same evaluator: a plan counts without writing.
package struct RowEvaluator: ~Copyable {
  package let program: RowProgram
  package var tally: Tally
  package var payloads = PayloadConverter()

  /// What the conversions made of the present row; none for those that nothing asked for yet.
  package var results: [Converted?]

  /// For each column of the target that is a payload's text: its conversion and the payload's column.
  ///
  /// These are converted on the row's own bytes, without a value in between.
  let payloadSources: [PayloadSource?]

  /// The classes of the present row's payloads, by conversion.
  private var payloadKinds: [PayloadClass?]

  /// The counts of payload classes by conversion: an array is quicker than a dictionary, row by row.
  private var payloadCounts: [[Int64]]
  let carriers: [[Carrier]]

  /// The places of cells that have to be evaluated for their conversions to be counted.
  private let countedPlaces: [Int]

  /// What is bound for each row: most cells, without a look at the program for each row.
  private let bindings: [Binding]

  /// The cells that may need an option which wasn't given.
  private let optionPlaces: [Int]

  /// The number of the last row's entity, which most rows have in common.
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

  /// Binds what every row has in common.
  func bindConstants(to insert: inout Statement) throws {
    for (place, cell) in program.cells.enumerated() {
      if case .constant(let value) = cell { try insert.bind(value, at: place + 1) }
    }
  }

  /// Binds the values of one row.
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
  /// - Parameters:
  ///   - row: The row.
  ///   - known: The class of the payload in a column, where the caller has scanned it already.
  /// - Throws: A ``RowError`` if a value can't be converted.
  package mutating func read(
    _ row: borrowing Statement, knowing known: (column: Int, kind: PayloadClass)? = nil
  ) throws {
    try begin(row)
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
  }

  private mutating func countRow(_ row: borrowing Statement) throws {
    for (place, result) in results.enumerated() {
      guard let result else { continue }
      tally.classes[place, default: [:]][result.kind, default: 0] += 1
    }
    countMissingOptions(row)
    // Last: what is asked of the row to see whether a value is lost doesn't count as made of it.
    try countLosses(row)
  }

  /// Forgets the row before.
  ///
  /// A row whose number names no entity of its table belongs to nobody, and
  /// the app never reads it.
  package mutating func begin(_ row: borrowing Statement) throws {
    let number = row.int64(at: 1)
    guard row.type(at: 1) == .integer,
      number == lastNumber || program.entityNumbers[number] != nil
    else { throw program.refusal(ofRow: row.int64(at: 0)) }
    lastNumber = number
    for place in results.indices {
      results[place] = nil
      payloadKinds[place] = nil
    }
  }

  private mutating func countMissingOptions(_ row: borrowing Statement) {
    tally.rows += 1
    for place in optionPlaces {
      switch program.cells[place] {
      case .missingOption(let option): tally.missingOptions[option, default: 0] += 1
      case .conditional(let condition, .column(let column), .missingOption(let option), _):
        if holds(condition, of: row.value(at: column), row) {
          tally.missingOptions[option, default: 0] += 1
        }
      default: break
      }
    }
  }

  /// Ends the pass: what was counted.
  package consuming func finish() -> Tally {
    for (place, counts) in payloadCounts.enumerated() where counts.contains(where: { $0 > 0 }) {
      for (kind, count) in zip(PayloadClass.allCases, counts) {
        tally.classes[place, default: [:]][kind.rawValue, default: 0] += count
      }
    }
    return tally
  }
}

/// A column of the target that is a payload's text.
struct PayloadSource: Hashable {
  /// The place of the conversion.
  package let conversion: Int

  /// The column of the payload.
  package let column: Int

  package init?(_ cell: RowProgram.Cell, in program: RowProgram) {
    guard case .converted(let place, _) = cell,
      let column = program.conversions[place].payloadColumn
    else { return nil }
    conversion = place
    self.column = column
  }
}

// MARK: - Payloads, on bytes

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

  /// Base64 is a third longer than its bytes, and may be longer than SQLite allows.
  private func checkLength(
    _ kind: PayloadClass, _ row: borrowing Statement, _ column: Int
  ) throws {
    guard kind == .base64, (row.byteCount(at: column) + 2) / 3 * 4 > row.longestValue else {
      return
    }
    throw RowError(
      entity: program.sourceEntity, key: row.int64(at: 0),
      attribute: program.sourceProperties[column], reason: "would pass SQLite's limit for a value")
  }

  /// The class of what a conversion made of the present row; none where nothing asked for it.
  package func kind(ofConversion place: Int) -> String? {
    results[place]?.kind ?? payloadKinds[place]?.rawValue
  }

  private mutating func count(_ kind: PayloadClass, of conversion: Int) {
    payloadKinds[conversion] = kind
    payloadCounts[conversion][kind.place] += 1
  }
}
