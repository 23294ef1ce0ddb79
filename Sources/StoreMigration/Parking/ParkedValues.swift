import Platform
import SQLite
import StoreFormat

/// The parked values of one file, on their way back into a store.
struct ParkedValues {
  /// The path of the file.
  let file: String

  /// How many values and rows were put back, and how many no longer fit.
  struct Outcome: Hashable {
    var restored: Int64 = 0
    var left: Int64 = 0
  }

  /// What the file's first line says.
  func header() throws -> ParkingHeader {
    var lines = LineReader(try FileDescriptor(opening: file))
    guard let first = try lines.next() else { throw lines.error("the file has no first line") }
    return try ParkingHeader(parsing: first, file: file)
  }

  /// Puts the values where they fit.
  ///
  /// A value fits where its row is, and still has what stood in for the value; a whole row where its
  /// entity is and its key is free.
  ///
  /// - Parameters:
  ///   - schema: The name under which the store is attached.
  ///   - layout: Its layout.
  ///   - connection: The connection.
  /// - Returns: What was done.
  /// - Throws: A `JSONError` with the place of the first line that isn't as `Files.md` says.
  @discardableResult
  func restore(
    into schema: String, layout: StoreLayout, _ connection: borrowing Connection
  ) throws -> Outcome {
    var outcome = Outcome()
    var lines = LineReader(try FileDescriptor(opening: file))
    _ = try lines.next()
    try connection.begin(.deferred)
    while let line = try lines.next() {
      let row = try ParkedRow(parsing: Array(line.utf8), file: file)
      try restore(row, into: schema, layout, connection, &outcome)
    }
    try connection.commit()
    return outcome
  }

  private func restore(
    _ row: ParkedRow, into schema: String, _ layout: StoreLayout,
    _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    guard let number = layout.numbering.number(of: row.entity),
      let root = layout.numbering.root(of: row.entity), let table = layout.table(of: root)
    else {
      outcome.left += Int64(row.isWhole ? 1 : row.values.count)
      return
    }
    let name = qualified(table.name, in: schema)
    let values = row.values.filter { value in
      table.columns.contains { $0.name == value.column }
    }
    if row.isWhole {
      let columns = ["Z_PK", "Z_ENT"] + values.map(\.column)
      let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      try connection.execute(
        """
        INSERT OR IGNORE INTO \(name) (\(columns.map(quoteIdentifier).joined(separator: ", ")))
        VALUES (\(places))
        """, [.integer(row.key), .integer(Int64(number))] + values.map(\.value))
      count(Int64(connection.changes), of: 1, &outcome)
      return
    }
    for value in values {
      let column = quoteIdentifier(value.column)
      try connection.execute(
        """
        UPDATE \(name) SET \(column) = ?1 WHERE Z_PK = ?2 AND Z_ENT = ?3
        \(value.standIn == nil ? "" : "AND \(column) IS ?4")
        """,
        [value.value, .integer(row.key), .integer(Int64(number))]
          + [value.standIn].compactMap(\.self))
      count(Int64(connection.changes), of: 1, &outcome)
    }
  }

  private func count(_ restored: Int64, of all: Int64, _ outcome: inout Outcome) {
    outcome.restored += min(restored, all)
    outcome.left += all - min(restored, all)
  }
}
