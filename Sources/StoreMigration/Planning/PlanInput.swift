import Platform
import SQLite
import StoreFormat
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A table that a plan is made from: what of it is read, and what its rows are called.
struct PlanInput: Hashable, Sendable {
  /// What the rows are.
  enum Kind: Hashable, Sendable {
    /// Rows of entities, named by their numbers; of the root where a number names none.
    case rows(root: String)

    /// Links of a many-to-many relationship, under its name.
    case links(String)
  }

  /// The table's name.
  let table: String

  /// What the rows are.
  let kind: Kind

  /// The columns whose values count.
  let columns: [String]

  /// Reads the table in constant memory.
  func sketch(_ connection: borrowing Connection) throws(SQLiteError) -> RowSketch {
    var sketch = RowSketch()
    var digest = TableDigest()
    let names = (keyColumns + columns).map(quoteIdentifier).joined(separator: ", ")
    var rows = try connection.prepare("SELECT \(names) FROM \(qualified(table, in: "main"))")
    let counted = Array(keyColumns.count..<keyColumns.count + columns.count)
    while try rows.step() {
      digest.add(rows, columns: counted)
      sketch.add(row(rows, hash: digest.restart()))
    }
    return sketch
  }

  private var keyColumns: [String] {
    if case .rows = kind { ["Z_PK", "Z_ENT"] } else { [] }
  }

  private func row(_ row: borrowing Statement, hash: UInt64) -> RowSketch.Row {
    switch kind {
    case .rows:
      RowSketch.Row(
        entity: UInt32(truncatingIfNeeded: row.int64(at: 1)), key: row.int64(at: 0), hash: hash)
    case .links:
      // The two keys are the row's own: a link that goes elsewhere is another link.
      RowSketch.Row(
        entity: 0,
        key: Int64(
          bitPattern: mixed(UInt64(bitPattern: row.int64(at: 0)))
            ^ UInt64(bitPattern: row.int64(at: 1))), hash: hash)
    }
  }
}
