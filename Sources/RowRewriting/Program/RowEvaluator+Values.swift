import JSONText
package import SQLite
package import Migrations

extension RowEvaluator {
  /// Returns the value of a cell for one row.
  package mutating func evaluate(
    _ cell: RowProgram.Cell, _ row: borrowing Statement
  ) throws -> Value {
    switch cell {
    case .column(let column): return row.value(at: column)
    case .constant(let value): return value
    case .entityNumber(let column):
      guard let number = row.value(at: column).int64 else { return row.value(at: column) }
      return program.linkedNumbers[number].map { .integer($0) } ?? .integer(number)
    case .constantWherePresent(let value, let column):
      return row.isNull(at: column) ? .null : value
    case .converted(let conversion, let output):
      return try convert(conversion, row).values[output]
    case .conditional(let condition, let test, let then, let otherwise):
      let tested = try evaluate(test, row)
      if holds(condition, of: tested, row) { return try evaluate(then, row) }
      // A value is often tested for itself, and then isn't evaluated twice.
      return test == otherwise ? tested : try evaluate(otherwise, row)
    case .missingOption: return .null
    }
  }

  package func holds(
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

  /// Returns the result of a conversion, which is computed once per row.
  package mutating func convert(
    _ place: Int, _ row: borrowing Statement
  ) throws -> Converted {
    if let result = results[place] { return result }
    let conversion = program.conversions[place]
    var inputs: [Value] = []
    for input in conversion.inputs { inputs.append(try evaluate(input, row)) }
    let result: Converted
    do throws(ConversionError) {
      result = try conversion.converter.convert(inputs, using: &payloads)
    } catch {
      let column = program.columns(of: conversion.inputs[error.input]).first
      throw RowError(
        entity: program.sourceEntity, key: row.int64(at: 0),
        attribute: column.map { program.sourceProperties[$0] } ?? "a value", reason: error.reason)
    }
    results[place] = result
    return result
  }

  /// Returns whether the formulas that a cell reads have results that their attributes can hold.
  package func isRestored(_ place: Int, _ row: borrowing Statement) -> Bool {
    guard !computedColumns.isEmpty else { return true }
    let read = Set(program.columns(of: program.cells[place]))
    return !computedColumns.contains {
      read.contains($0.place) && $0.column.problem(row, at: $0.place) != nil
    }
  }
}
