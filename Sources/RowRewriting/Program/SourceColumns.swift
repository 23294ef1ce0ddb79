import Migrations

/// Collects the columns that a program reads and the conversions that it uses, without duplicates.
struct SourceColumns {
  private(set) var columns: [RowProgram.SourceColumn] = []
  private(set) var properties: [String] = []
  private(set) var conversions: [RowProgram.RowConversion] = []

  package init(_ names: [String]) {
    for name in names { _ = place(of: name) }
  }

  package mutating func place(of name: String, property: String? = nil) -> Int {
    place(of: .named(name), property: property ?? name)
  }

  package mutating func place(of conversion: RowProgram.RowConversion) -> Int {
    if let place = conversions.firstIndex(of: conversion) { return place }
    conversions.append(conversion)
    return conversions.count - 1
  }

  /// Translates a condition; a placeholder needs a flag column for values that several rows have.
  package mutating func condition(
    _ condition: Expression.Condition, on test: RowProgram.Cell
  ) -> RowProgram.Condition {
    guard case .placeholder(let value) = condition, case .column(let place) = test,
      case .named(let name) = columns[place]
    else { return RowProgram.Condition(condition) }
    let flag = self.place(of: .isShared(name), property: properties[place])
    return .placeholder(value, sharedFlag: flag)
  }

  package mutating func place(of column: RowProgram.SourceColumn, property: String) -> Int {
    if let place = columns.firstIndex(of: column) { return place }
    columns.append(column)
    properties.append(property)
    return columns.count - 1
  }
}
