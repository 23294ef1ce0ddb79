import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// Rows that steps make of rows of another entity, and rows that they remove by copying their values.
extension Ledger {
  /// The columns of a table whose values its own program accounts for; `nil` for all of them.
  ///
  /// The rows of a split table are read by several programs. Each column counts once.
  func accountedColumns(of rows: RowProgram) -> Set<String>? {
    guard rows.split != nil else { return nil }
    let readers = program.rewrites.filter { $0.sourceTable == rows.sourceTable }
    // The rows of the table itself come first.
    let order = readers.filter { $0.split == nil } + readers.filter { $0.split != nil }
    let others = order.prefix { $0.table != rows.table }.flatMap(\.namedColumns)
    return Set(rows.namedColumns).subtracting(others)
  }

  /// Returns whether a column is accounted for by another program than that of its table's rows.
  func isMoved(_ column: String, of table: String) -> Bool {
    program.rewrites.contains {
      $0.split != nil && $0.sourceTable == table && $0.namedColumns.contains(column)
    } || program.inlines.contains { $0.ownerTable == table && $0.link == column }
  }

  /// Checks the rows that a step makes, and counts the values of rows that share one.
  func compareSplit(
    _ rows: RowProgram, _ entries: inout [LedgerEntry], _ connection: borrowing Connection,
    _ result: inout Result
  ) throws {
    guard let split = rows.split else { return }
    let queries = split.faults(schema: sourceSchema, target: targetSchema)
    let findings = try faults(queries, connection) {
      "'\(split.object)' isn't split as the step says for \(counted($0, "row", "rows"))"
    }
    result.findings += findings
    guard findings.isEmpty else { return }
    let counts = try split.counts(connection, schema: sourceSchema)
    let carried = rows.carriedProperties
    for place in entries.indices {
      entries[place].rows += counts.shared + counts.empty
      // A value that a later step changes isn't in the part that the row shares.
      let isCarried = carried.contains(entries[place].property)
      entries[place].identical += isCarried ? counts.shared : 0
      entries[place].computed += isCarried ? 0 : counts.shared
      entries[place].setAside += counts.empty
      entries[place].setAsideEmpty += counts.empty
    }
  }

  /// Checks that rows have the values of the rows that they were linked to, and counts both.
  func compareInlined(
    _ rows: InlinedRows, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    try program.removals?.prepare(connection, schema: sourceSchema)
    let queries = rows.faults(schema: sourceSchema, target: targetSchema)
    result.findings += try faults(queries, connection) {
      "'\(rows.path)' isn't inlined as the step says for \(counted($0, "row", "rows"))"
    }
    func count(_ table: String, _ condition: String = "1") throws -> Int64 {
      let name = qualified(table, in: sourceSchema)
      return try connection.value("SELECT count(*) FROM \(name) WHERE \(condition)")?.int64 ?? 0
    }
    let counts = try rows.counts(connection, schema: sourceSchema)
    var link = entry(for: rows.link, of: rows.ownerTable)
    link.rows = try count(rows.ownerTable)
    link.converted = counts.inlined + counts.shared
    link.setAside = link.rows - link.converted
    link.setAsideEmpty = try count(
      rows.ownerTable, "\(quoteIdentifier(rows.link)) IS NULL")
    result.entries.append(link)
    let named = rows.carriedColumns
    for column in store.table(named: rows.table)?.columns.map(\.name) ?? []
    where !leftOut.contains(column.uppercased()) {
      var entry = entry(for: column, of: rows.table)
      entry.rows = counts.inlined + counts.leftOut
      entry.converted = named.contains(column) ? counts.inlined : 0
      entry.setAside = entry.rows - entry.converted
      result.entries.append(entry)
    }
  }
}

extension RowProgram {
  /// The properties whose values a split copies.
  fileprivate var carriedProperties: Set<String> {
    guard let columns = split?.sourceColumns else { return [] }
    return Set(
      zip(sourceColumns, sourceProperties).compactMap { column, property in
        if case .named(let name) = column, columns.contains(name) { property } else { nil }
      })
  }

  /// The columns of the table that are read.
  fileprivate var namedColumns: [String] {
    sourceColumns.compactMap { if case .named(let name) = $0 { name } else { nil } }
  }
}
