import Migrations
import SQLite
import StoreFormat
import StoreModel

extension ProgramBuilder {
  /// Returns the rows that steps remove one by one; `nil` if no step does.
  func removals() throws(ProgramError) -> RowRemovals? {
    var removals: [RowRemovals.Removal] = []
    for removed in lineage.removedRows {
      guard let source = removed.source, let root = sourceLayout.numbering.root(of: source),
        let table = sourceLayout.table(of: root)
      else { continue }
      // Links in the values lead where the steps so far have moved them.
      let earlier = RowRemovals(removals: removals)
      removals.append(
        RowRemovals.Removal(
          place: removed.place, step: removed.step, object: removed.name, table: table.name,
          entityNumbers: sourceNumbers(of: source),
          rule: try rule(removed.rule, in: table, after: earlier)))
    }
    return removals.isEmpty ? nil : RowRemovals(removals: removals)
  }

  /// Returns the removed rows for the program of a table; `nil` if it doesn't depend on them.
  func removals(
    for table: Table, _ columns: SourceColumns
  ) throws(ProgramError) -> RowRemovals? {
    guard let removals = try removals() else { return nil }
    let isConcerned =
      removals.tables.contains(table.name)
      || columns.columns.contains {
        switch $0 {
        case .derived: true
        case .matchingKey(let lookup): lookup.losesRows
        case .named, .isShared, .computed, .isOf: false
        }
      }
    return isConcerned ? removals : nil
  }

  private func rule(
    _ rule: Lineage.RemovedRows.Rule, in table: Table, after earlier: RowRemovals
  ) throws(ProgramError) -> RowRemovals.Rule {
    switch rule {
    case .deleted(let condition):
      return .deleted(condition: try sql(of: condition.binding(options), in: table))
    case .united(let union, let by, let keep):
      var parts: [String] = []
      for part in by { parts.append(try sql(of: part, in: table, after: earlier)) }
      let order = try keep.map { (keep) throws(ProgramError) in
        try sql(of: keep.binding(options), in: table)
      }
      let isNewest = if case .newest = union.keep { true } else { false }
      return .united(
        RowRemovals.EqualRows(
          parts: parts, order: order ?? "NULL", isNewest: isNewest,
          collation: union.comparison == .exact ? "BINARY" : "NOCASE",
          movesLinks: union.links == .merge))
    }
  }

  /// Returns the SQL of a value by which rows are compared.
  private func sql(
    of part: KeyPart, in table: Table, after earlier: RowRemovals
  ) throws(ProgramError) -> String {
    switch part {
    case .value(let computation): return try sql(of: computation.binding(options), in: table)
    case .link(let entity, let relationship):
      guard let column = table.column(.foreignKey(entity: entity, relationship: relationship)),
        let other = destination(of: column)
      else { throw .missingColumn(entity: entity, property: relationship) }
      // Of two linked rows that became one, the link is NULL.
      return earlier.link(
        quoteIdentifier(column.name), to: other.name,
        from: other.name == table.name ? "Z_PK" : nil)
    }
  }

  /// Returns the column with the number of each row in an order.
  func column(
    of sequence: RowSequence, in table: Table
  ) throws(ProgramError) -> DerivedColumn {
    let removed = try removals() ?? RowRemovals(removals: [])
    var order: [String] = []
    for part in sequence.by { order.append(try sql(of: part, in: table, after: removed)) }
    let partition = try sequence.within.map { (part) throws(ProgramError) in
      "PARTITION BY \(try sql(of: part, in: table, after: removed)) "
    }
    let numbers = sourceNumbers(of: sequence.source).sorted().map(String.init)
      .joined(separator: ", ")
    let staying =
      removed.tables.contains(table.name) ? " AND \(RowRemovals.staying(in: table.name))" : ""
    let condition = "Z_ENT IN (\(numbers))\(staying)"
    let keys = "temp.\(quoteIdentifier("numbers \(sequence.path)"))"
    return DerivedColumn(
      sql: "(SELECT number FROM \(keys) WHERE key = Z_PK)",
      preparation: [
        "CREATE TABLE IF NOT EXISTS \(keys) (key INTEGER PRIMARY KEY, number INTEGER)",
        "DELETE FROM \(keys)",
        """
        INSERT INTO \(keys) SELECT Z_PK, \(sequence.start) - 1 + row_number() OVER (
          \(partition ?? "")ORDER BY \((order + ["Z_PK"]).joined(separator: ", ")))
        FROM \(ComputedColumn.schemaMark).\(quoteIdentifier(table.name)) NOT INDEXED
        WHERE \(condition)
        """,
      ], replaced: nil, removedKeys: nil, rules: [.limit(sequence.limit)],
      formulas: try formulas(of: sequence, in: table, after: removed).map {
        RowFormula(
          sql: $0, table: table.name, condition: condition, entity: table.rootEntity,
          name: sequence.path.property)
      })
  }

  /// Returns the formulas of a sequence, which may fail for a row; a link doesn't.
  private func formulas(
    of sequence: RowSequence, in table: Table, after removed: RowRemovals
  ) throws(ProgramError) -> [String] {
    var formulas: [String] = []
    for part in sequence.by + [sequence.within].compactMap(\.self) {
      guard case .value = part else { continue }
      formulas.append(try sql(of: part, in: table, after: removed))
    }
    return formulas
  }

  /// Returns the table of the rows whose keys are in a column of the source.
  func destination(of column: Column) -> Table? {
    source.link(in: column).flatMap { sourceLayout.table(of: $0.entity) }
  }
}
