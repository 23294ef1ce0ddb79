import JSONText
import SQLite
import StoreFormat

/// Makes the values of one row of the target from one row of the source, and counts what it did.
///
/// Plan and apply use the same evaluator: a plan counts without writing.
struct RowEvaluator: ~Copyable {
  let program: RowProgram
  var tally: Tally
  private var converter = PayloadConverter()

  /// The counts of payload classes by column: an array is quicker than a dictionary, row by row.
  private var payloadCounts: [[Int64]]
  let carriers: [[Carrier]]

  init(_ program: RowProgram) {
    self.program = program
    tally = Tally(program)
    payloadCounts = program.cells.map { _ in [0, 0, 0, 0] }
    carriers = program.drops.map { program.carriers(of: $0) }
  }

  /// Binds what every row has in common.
  func bindConstants(to insert: inout Statement) throws {
    for (place, cell) in program.cells.enumerated() {
      if case .constant(let value) = cell { try insert.bind(value, at: place + 1) }
    }
  }

  /// Binds the values of one row.
  mutating func bind(_ row: borrowing Statement, to insert: inout Statement) throws {
    try checkEntity(of: row)
    for place in program.cells.indices {
      switch program.cells[place] {
      case .column(let column): try insert.bindColumn(of: row, column: column, at: place + 1)
      case .constant: break
      case .converted(.jsonText, .column(let column)):
        try bindPayload(row, column: column, place: place, to: &insert)
      default: try insert.bind(evaluate(program.cells[place], row), at: place + 1)
      }
    }
    countMissingOptions(row)
    try countLosses(row)
  }

  /// Counts one row without writing it.
  mutating func read(_ row: borrowing Statement) throws {
    try checkEntity(of: row)
    for place in program.cells.indices {
      if case .converted(.jsonText, .column(let column)) = program.cells[place] {
        try checkPayload(row, column)
        count(row.withBytes(at: column) { converter.convert($0) }, place: place)
      } else if let inner = program.cells[place].conversion {
        try countConversion(inner, row, place: place)
      }
    }
    countMissingOptions(row)
    try countLosses(row)
  }

  /// A row whose number names no entity of its table belongs to nobody, and the app never reads it.
  private func checkEntity(of row: borrowing Statement) throws {
    guard row.type(at: 1) == .integer, program.entityNumbers[row.int64(at: 1)] != nil else {
      throw MigrationError.value(
        entity: program.sourceEntity, key: row.int64(at: 0), attribute: "Z_ENT",
        reason: "names no entity of its table")
    }
  }

  /// Ends the pass: what was counted.
  consuming func finish() -> Tally {
    for (place, counts) in payloadCounts.enumerated() where counts.contains(where: { $0 > 0 }) {
      for (kind, count) in zip(PayloadClass.allCases, counts) {
        tally.classes[place, default: [:]][kind.rawValue, default: 0] += count
      }
    }
    return tally
  }
}

// MARK: - Payloads, on bytes

extension RowEvaluator {
  private mutating func bindPayload(
    _ row: borrowing Statement, column: Int, place: Int, to insert: inout Statement
  ) throws {
    try checkPayload(row, column)
    let kind = row.withBytes(at: column) { converter.convert($0) }
    switch kind {
    case .empty: try insert.bindNull(at: place + 1)
    case .identical:
      try row.withBytes(at: column) { (bytes) throws(SQLiteError) in
        try insert.bindText(bytes, at: place + 1)
      }
    case .normalised, .base64:
      try converter.withOutput { (bytes) throws(SQLiteError) in
        try insert.bindText(bytes, at: place + 1)
      }
    }
    count(kind, place: place)
  }

  private func checkPayload(_ row: borrowing Statement, _ column: Int) throws {
    switch row.type(at: column) {
    case .null, .blob, .text: break
    case .integer, .real:
      throw MigrationError.value(
        entity: program.sourceEntity, key: row.int64(at: 0),
        attribute: program.sourceProperties[column],
        reason: "holds a number where bytes are expected")
    }
  }

  private mutating func count(_ kind: PayloadClass, place: Int) {
    switch kind {
    case .identical: payloadCounts[place][0] += 1
    case .normalised: payloadCounts[place][1] += 1
    case .base64: payloadCounts[place][2] += 1
    case .empty: payloadCounts[place][3] += 1
    }
  }
}

// MARK: - Everything else, on values

extension RowEvaluator {
  mutating func evaluate(
    _ cell: RowProgram.Cell, _ row: borrowing Statement
  ) throws -> Value {
    switch cell {
    case .column(let column): return row.value(at: column)
    case .constant(let value): return value
    case .entityNumber(let column):
      guard let number = row.value(at: column).int64 else { return row.value(at: column) }
      return program.entityNumbers[number].map { .integer($0) } ?? .integer(number)
    case .constantWherePresent(let value, let column):
      return row.isNull(at: column) ? .null : value
    case .converted(let converter, let inner):
      return try convert(try evaluate(inner, row), with: converter, row, inner).value
    case .conditional(let condition, let test, let then, let otherwise):
      let isMet = holds(condition, of: try evaluate(test, row), row)
      return try evaluate(isMet ? then : otherwise, row)
    case .missingOption: return .null
    }
  }

  private func holds(
    _ condition: RowProgram.Condition, of value: Value, _ row: borrowing Statement
  ) -> Bool {
    switch condition {
    case .null: value.isNull
    case .zero: value.isNull || value == .integer(0) || value == .real(0)
    case .empty: value.isNull || value.bytes?.isEmpty == true
    case .placeholder(let usual, let flag):
      value.isNull || value == usual || flag.map { row.int64(at: $0) != 0 } == true
    }
  }

  private mutating func convert(
    _ value: Value, with converter: Converter, _ row: borrowing Statement,
    _ cell: RowProgram.Cell
  ) throws -> (value: Value, kind: String) {
    switch converter {
    case .jsonText:
      switch value {
      case .null: return (.null, PayloadClass.empty.rawValue)
      case .text(let bytes), .blob(let bytes):
        let kind = self.converter.convert(bytes.span)
        switch kind {
        case .empty: return (.null, kind.rawValue)
        case .identical: return (.text(bytes), kind.rawValue)
        case .normalised, .base64:
          return (.text(self.converter.withOutput { Array(copying: $0) }), kind.rawValue)
        }
      case .integer, .real:
        throw MigrationError.value(
          entity: program.sourceEntity, key: row.int64(at: 0),
          attribute: cell.columns.first.map { program.sourceProperties[$0] } ?? "a value",
          reason: "holds a number where bytes are expected")
      }
    }
  }

  /// Counts the class of a conversion that a condition may keep from happening.
  private mutating func countConversion(
    _ conversion: (converter: Converter, cell: RowProgram.Cell), _ row: borrowing Statement,
    place: Int
  ) throws {
    guard case .conditional(let condition, let test, _, _) = program.cells[place] else { return }
    guard holds(condition, of: try evaluate(test, row), row) else { return }
    let result = try convert(
      try evaluate(conversion.cell, row), with: conversion.converter, row, conversion.cell)
    tally.classes[place, default: [:]][result.kind, default: 0] += 1
  }

  private mutating func countMissingOptions(_ row: borrowing Statement) {
    tally.rows += 1
    for cell in program.cells {
      switch cell {
      case .missingOption(let option): tally.missingOptions[option, default: 0] += 1
      case .conditional(let condition, .column(let column), .missingOption(let option), _):
        if holds(condition, of: row.value(at: column), row) {
          tally.missingOptions[option, default: 0] += 1
        }
      default: break
      }
    }
  }
}

extension Array where Element == UInt8 {
  init(copying bytes: Span<UInt8>) {
    self.init(capacity: bytes.count) { output in
      for index in bytes.indices { output.append(bytes[index]) }
    }
  }
}
