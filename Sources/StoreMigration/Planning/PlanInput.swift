import Platform
import SQLite
import StoreFormat
import StoreProof

/// A table that a plan is created from, with the columns that are read.
struct PlanInput: Hashable, Sendable {
  /// What the rows represent.
  enum Kind: Hashable, Sendable {
    /// Rows of entities; `root` names rows whose entity number is unknown.
    case rows(root: String)

    /// Links of a many-to-many relationship, as `Entity.relationship`.
    case links(String)
  }

  /// The table's name.
  let table: String

  /// What the rows represent.
  let kind: Kind

  /// The columns whose values enter the sketch.
  let columns: [String]

  /// Returns a sketch of the table's rows.
  ///
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  func sketch(_ connection: borrowing Connection) throws(SQLiteError) -> RowSketch {
    var sketch = RowSketch()
    var hash = SHA256()
    var values = RowBuffer()
    let names = (keyColumns + columns).map(quoteIdentifier).joined(separator: ", ")
    var rows = try connection.prepare("SELECT \(names) FROM \(qualified(table, in: "main"))")
    let counted = Array(keyColumns.count..<keyColumns.count + columns.count)
    while try rows.step() {
      values.append(rows, columns: counted) { hash.update($0) }
      values.empty { hash.update($0) }
      sketch.add(row(rows, hash: hash.restart()))
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
      // A link has no key of its own: both keys identify it. A changed link is another link.
      RowSketch.Row(
        entity: 0,
        key: Int64(
          bitPattern: mixed(UInt64(bitPattern: row.int64(at: 0)))
            ^ UInt64(bitPattern: row.int64(at: 1))), hash: hash)
    }
  }
}
