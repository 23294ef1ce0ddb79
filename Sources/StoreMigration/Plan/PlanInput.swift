import Platform
import SQLite
import StoreFormat

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
    var hasher = RowHasher()
    let names = (keyColumns + columns).map(quoteIdentifier).joined(separator: ", ")
    var rows = try connection.prepare("SELECT \(names) FROM \(qualified(table, in: "main"))")
    while try rows.step() {
      let hash = hasher.hash(rows, columns: keyColumns.count..<keyColumns.count + columns.count)
      sketch.add(row(rows, hash: hash))
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

/// Hashes the values of rows, each with its storage class and length.
struct RowHasher {
  private var buffer: [UInt8] = []

  /// Returns the first 64 bits of the SHA-256 of some columns of a row.
  mutating func hash(_ row: borrowing Statement, columns: Range<Int>) -> UInt64 {
    var hash = SHA256()
    for column in columns {
      switch row.type(at: column) {
      case .null: buffer.append(0)
      case .integer: append(1, UInt64(bitPattern: row.int64(at: column)))
      case .real: append(2, row.double(at: column).bitPattern)
      case .text, .blob:
        append(row.type(at: column) == .text ? 3 : 4, UInt64(row.byteCount(at: column)))
        hash.update(buffer)
        buffer.removeAll(keepingCapacity: true)
        row.withBytes(at: column) { hash.update($0) }
      }
    }
    hash.update(buffer)
    buffer.removeAll(keepingCapacity: true)
    return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func append(_ type: UInt8, _ number: UInt64) {
    buffer.append(type)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      buffer.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
