import SQLite
import StoreFormat

extension StoreProgram {
  /// What became of the values that changed their form.
  func conversions(_ tallies: [String: Tally]) -> [PlannedConversion] {
    rewrites.flatMap { program in
      program.cells.enumerated().compactMap { place, cell -> PlannedConversion? in
        guard let conversion = cell.conversion,
          case .attribute(let entity, let path, _) = program.table.columns[place].content
        else { return nil }
        let counts = tallies[program.table.name]?.classes[place] ?? [:]
        let property = conversion.cell.columns.first.map { program.sourceProperties[$0] } ?? "?"
        return PlannedConversion(
          object: "\(program.sourceEntity).\(property)",
          target: "\(entity).\(path.joined(separator: "."))",
          rows: counts.values.reduce(0, +),
          classes: conversion.converter.classes.map {
            ClassCount(name: $0, count: counts[$0] ?? 0)
          })
      }
    }
  }

  /// The values that have no place in the target.
  func losses(
    _ tallies: [String: Tally], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedLoss] {
    var links: [PlannedLoss] = []
    for dropped in droppedLinks {
      let rows = try connection.value("SELECT count(*) FROM main.\(quoteIdentifier(dropped.table))")
      links.append(
        PlannedLoss(step: dropped.step, object: dropped.object, rows: rows?.int64 ?? 0))
    }
    return links
      + rewrites.flatMap { program in
        program.drops.enumerated().map { place, drop in
          PlannedLoss(
            step: drop.step, object: drop.object,
            rows: tallies[program.table.name]?.losses[place] ?? 0)
        }
      }
  }

  /// How many values need an option that wasn't given.
  func missingOptions(_ tallies: [String: Tally]) -> [MigrationOption: Int64] {
    tallies.values.reduce(into: [:]) { sum, tally in
      sum.merge(tally.missingOptions, uniquingKeysWith: +)
    }
  }

  var rewrites: [RowProgram] {
    actions.compactMap { if case .rewrite(let program) = $0 { program } else { nil } }
  }
}
