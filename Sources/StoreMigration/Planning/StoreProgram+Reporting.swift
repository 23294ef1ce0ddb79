import StoreProof
import StoreFormat
import OutboxConversion
import SQLite
import Migrations
import RowRewriting

extension StoreProgram {
  /// Returns the conversions, formulas and relinked relationships, with the numbers in each class.
  ///
  /// With deliverable rows, the outbox has no conversions.
  func conversions(
    _ tallies: [String: Tally], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedConversion] {
    try conversions(tallies) + removedClasses(connection) + relinkedLinks(connection)
      + splitRows(connection)
  }

  /// Returns the entities whose rows steps remove, with the numbers that go and that are kept.
  private func removedClasses(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedConversion] {
    guard let removals else { return [] }
    try removals.prepare(connection, schema: "main")
    let counts = try removals.counts(connection)
    var all: [PlannedConversion] = []
    for removal in removals.removals {
      let rows = try removals.count(concernedBy: removal, connection, schema: "main")
      let removed = counts[removal.place] ?? 0
      let number = removal.entityNumbers.min().flatMap { entityNumbers[$0] }
      let target = number.flatMap { targetLayout.numbering.name(of: Int(clamping: $0)) }
      all.append(
        PlannedConversion(
          object: removal.object, target: target ?? removal.object, rows: rows,
          classes: [
            ClassCount(name: removal.className, count: removed),
            ClassCount(name: "kept", count: rows - removed),
          ]))
    }
    return all
  }

  private func conversions(_ tallies: [String: Tally]) -> [PlannedConversion] {
    rewrites.filter { delivery(of: $0) == nil }.flatMap { program in
      let converted = program.conversions.indices.compactMap { place -> PlannedConversion? in
        guard let target = program.target(ofConversion: place) else { return nil }
        let conversion = program.conversions[place]
        let counts = tallies[program.table.name]?.classes[place] ?? [:]
        let source = program.columns(of: conversion.inputs[0]).first
        return PlannedConversion(
          object: "\(program.sourceEntity).\(source.map { program.attribute(at: $0) } ?? "?")",
          target: target, rows: counts.values.reduce(0, +),
          classes: conversion.converter.classes.map {
            ClassCount(name: $0, count: counts[$0] ?? 0)
          })
      }
      return converted + program.computations(tallies[program.table.name])
    }
  }

  /// Returns the losses of values and links, including those without rows.
  func losses(
    _ tallies: [String: Tally], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedLoss] {
    var links: [PlannedLoss] = []
    for lost in lostLinks {
      let rows = try connection.value(lost.count)
      links.append(
        PlannedLoss(step: lost.step, object: lost.object, rows: rows?.int64 ?? 0))
    }
    let values = rewrites.flatMap { program in
      program.drops.enumerated().map { place, drop in
        PlannedLoss(
          step: drop.step, object: drop.object,
          rows: tallies[program.table.name]?.losses[place] ?? 0)
      }
    }
    return try removedRows(connection) + links + leftOutLinks(connection)
      + leftOutRows(connection) + values.combined
  }

  /// Returns the rows that steps remove one by one, step by step.
  private func removedRows(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedLoss] {
    guard let removals else { return [] }
    try removals.prepare(connection, schema: "main")
    let counts = try removals.counts(connection)
    return removals.removals.map {
      PlannedLoss(step: $0.step, object: $0.object, rows: counts[$0.place] ?? 0)
    }
  }

  /// Returns the links that steps leave out, step by step.
  private func leftOutLinks(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedLoss] {
    var losses: [String: PlannedLoss] = [:]
    for links in relinked {
      try links.prepare(connection, schema: "main")
      for leftOut in try links.counts(connection, schema: "main").leftOut {
        let rows = leftOut.count + (losses[leftOut.step]?.rows ?? 0)
        losses[leftOut.step] = PlannedLoss(step: leftOut.step, object: leftOut.object, rows: rows)
      }
    }
    return losses.values.sorted { $0.step < $1.step }
  }

  /// Returns the relinked relationships, with the numbers of links that stay and that don't.
  private func relinkedLinks(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedConversion] {
    var all: [PlannedConversion] = []
    for links in relinked {
      try links.prepare(connection, schema: "main")
      let counts = try links.counts(connection, schema: "main")
      let leftOut = counts.leftOut.reduce(0) { $0 + $1.count }
      all.append(
        PlannedConversion(
          object: links.object, target: links.target,
          rows: counts.kept + leftOut + counts.missing,
          classes: [
            ClassCount(name: "linked", count: counts.kept),
            ClassCount(name: "left-out", count: leftOut),
          ]
            + (counts.missing == 0
              ? [] : [ClassCount(name: "missing", count: counts.missing)])))
    }
    return all
  }

  /// Returns the number of values that need an option which wasn't given, by option.
  func missingOptions(_ tallies: [String: Tally]) -> [MigrationOption: Int64] {
    tallies.values.reduce(into: [:]) { sum, tally in
      sum.merge(tally.missingOptions, uniquingKeysWith: +)
    }
  }
}

extension RowProgram {
  /// Returns the attributes whose values formulas make, with the number of rows in each class.
  fileprivate func computations(_ tally: Tally?) -> [PlannedConversion] {
    sourceColumns.indices.compactMap { place in
      guard case .computed(let column) = sourceColumns[place], !column.classes.isEmpty,
        let target = target(ofComputed: column, named: sourceProperties[place])
      else { return nil }
      let counts = tally?.computed[place] ?? [:]
      let refused = tally?.refused[place] ?? 0
      return PlannedConversion(
        object: "\(sourceEntity).\(sourceProperties[place])", target: target,
        rows: counts.values.reduce(refused, +),
        classes: column.classes.map { ClassCount(name: $0, count: counts[$0] ?? 0) }
          + (refused == 0 ? [] : [ClassCount(name: "refused", count: refused)]))
    }
  }

  /// Returns the target's attribute that gets the results of a formula, or of the one it classes.
  private func target(ofComputed column: ComputedColumn, named name: String) -> String? {
    let places = sourceColumns.indices.filter {
      guard case .computed(let other) = sourceColumns[$0], sourceProperties[$0] == name else {
        return false
      }
      return other.entityNumbers == column.entityNumbers
    }
    let first = cells.indices.first { place in
      columns(of: cells[place]).contains(where: places.contains)
    }
    guard let first, case .attribute(let entity, let path, _) = table.columns[first].content else {
      return nil
    }
    return "\(entity).\(path[0])"
  }

  /// The target's attribute for a conversion's first output, or else for any of its outputs.
  fileprivate func target(ofConversion place: Int) -> String? {
    let outputs = cells.indices.filter { conversions(in: cells[$0]).contains(place) }
    let first = outputs.first { takesFirstOutput(of: place, cells[$0]) } ?? outputs.first
    guard let first, case .attribute(let entity, let path, _) = table.columns[first].content else {
      return nil
    }
    return "\(entity).\(path[0])"
  }

  private func takesFirstOutput(of place: Int, _ cell: Cell) -> Bool {
    switch cell {
    case .converted(place, output: 0): true
    case .converted(let other, _):
      conversions[other].inputs.contains { takesFirstOutput(of: place, $0) }
    case .conditional(_, let test, let then, let otherwise):
      [test, then, otherwise].contains { takesFirstOutput(of: place, $0) }
    case .column, .constant, .entityNumber, .constantWherePresent, .missingOption: false
    }
  }

  /// The source's attribute that a column holds, as a whole or as one leaf of it.
  fileprivate func attribute(at column: Int) -> String {
    sourceProperties[column].split(separator: ".").first.map(String.init) ?? ""
  }
}
