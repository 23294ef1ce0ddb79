import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// Rows that steps remove one by one, and the links to them.
extension Ledger {
  /// Checks that each step removed exactly the rows that it says.
  func checkRemovals(
    _ removals: RowRemovals, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    try removals.prepare(connection, schema: sourceSchema)
    for removal in removals.removals {
      result.findings += try faults(removal.faults(schema: sourceSchema), connection) {
        "'\(removal.step)' doesn't do what it says for \(counted($0, "row", "rows"))"
      }
    }
  }

  /// Returns a finding for each query that counts rows for which a step did something else.
  func faults(
    _ queries: [String], _ connection: borrowing Connection, _ message: (Int64) -> String
  ) throws -> [Finding] {
    var findings: [Finding] = []
    for query in queries {
      let count = try connection.value(query)?.int64 ?? 0
      if count > 0 { findings.append(Finding(.ledger, message(count))) }
    }
    return findings
  }

  /// Counts the values of removed rows as set aside, and checks that nothing links to such rows.
  func accountForRemoved(
    _ rows: RowProgram, _ entries: inout [LedgerEntry], _ connection: borrowing Connection,
    _ result: inout Result
  ) throws {
    if rows.losesRows {
      let count = try connection.value(rows.removedCount(schema: sourceSchema))?.int64 ?? 0
      for place in entries.indices {
        entries[place].rows += count
        entries[place].setAside += count
      }
    }
    let table = qualified(rows.table.name, in: targetSchema(rows.table.name))
    for (column, cell) in zip(rows.table.columns, rows.cells) {
      guard case .column(let place) = cell, case .derived(let derived) = rows.sourceColumns[place],
        let keys = derived.removedKeys
      else { continue }
      let name = quoteIdentifier(column.name)
      let count =
        try connection.value(
          "SELECT count(*) FROM \(table) WHERE \(name) IN (SELECT key FROM \(keys))")?.int64 ?? 0
      guard count > 0 else { continue }
      result.findings.append(
        Finding(
          .ledger,
          "'\(rows.table.name).\(column.name)' links to removed rows in \(counted(count, "row", "rows"))"
        ))
    }
  }

  /// Completes the entries of a join table from which links were left out.
  ///
  /// - Parameters:
  ///   - join: The join table.
  ///   - entry: The entry, with the links that are in the new store.
  ///   - connection: The connection.
  /// - Returns: The entry with all links of the source.
  /// - Throws: An error of SQLite if a table can't be read.
  func accountForMoved(
    _ join: JoinProgram, _ entry: LedgerEntry, _ connection: borrowing Connection
  ) throws -> LedgerEntry {
    guard let moved = join.moved, let table = join.sourceTable else { return entry }
    let (all, unchanged) = moved.counts(join.sourceColumns, of: table, schema: sourceSchema)
    let (written, identical) = (
      entry.identical, try min(entry.identical, connection.value(unchanged)?.int64 ?? 0)
    )
    var entry = entry
    let lost = try (connection.value(all)?.int64 ?? 0) - entry.rows
    entry.rows += lost
    entry.identical = identical
    entry.computed = written - identical
    entry.setAside = lost
    return entry
  }
}
