import JSONText
package import Platform
package import SQLite
package import RowRewriting

/// The file of an outbox's rows in quarantine, beside the snapshot.
///
/// It has JSON lines, and only its owner can read it. The first line names the versions; each other
/// line is a row with all its values. `Files.md` specifies it.
package struct QuarantineFile {
  /// The file.
  package let file: NestedFile

  package init(_ file: NestedFile) { self.file = file }

  /// Writes the rows that ``SetAsideRows`` lists as quarantined; without such rows, no file.
  ///
  /// - Parameters:
  ///   - program: The program of the outbox's table.
  ///   - header: The first line of the file.
  ///   - connection: The connection that has the fates.
  ///   - schema: The name under which the old store is open.
  /// - Throws: A `SQLiteError` or a `SystemError`.
  package func write(
    _ program: RowProgram, _ header: QuarantineHeader, _ connection: borrowing Connection,
    schema: String
  ) throws {
    var rows = try connection.prepare(
      program.quarantineQuery(schema: schema), isPersistent: true)
    guard try rows.step() else { return }
    var lines = try LineWriter(file.create(), first: header.line)
    repeat {
      guard let row = QuarantinedRow(rows, program) else { continue }
      try lines.append(row.line)
    } while try rows.step()
    try lines.synchronize()
  }

  /// Reads the rows one by one.
  ///
  /// - Returns: The header in the first line.
  /// - Throws: A `JSONError` with the position of the first line that doesn't follow `Files.md`, a
  ///   `SystemError`, or an error of the body.
  @discardableResult
  package func read(_ body: (QuarantinedRow) throws -> Void) throws -> QuarantineHeader {
    var lines = LineReader(try file.open())
    guard let first = try lines.next() else { throw lines.error("the file is empty") }
    let header = try QuarantineHeader(parsing: first, file: file.path)
    while let line = try lines.next() {
      let row: QuarantinedRow
      do throws(JSONError) {
        row = try QuarantinedRow(parsing: line)
      } catch {
        // The cause could repeat a value: the error has only the position.
        throw lines.error("not a row of a quarantine")
      }
      try body(row)
    }
    return header
  }
}

extension RowProgram {
  /// The columns of the old table that the program reads: all its columns that have values.
  package var namedColumns: [String] {
    sourceColumns.compactMap { if case .named(let name) = $0, name != "Z_PK" { name } else { nil } }
  }

  /// Returns the query of the rows in quarantine: key, reason, values.
  fileprivate func quarantineQuery(schema: String) -> String {
    let names = namedColumns.map { "rows.\(quoteIdentifier($0))" }.joined(separator: ", ")
    return """
      SELECT fates.key, fates.word, \(names) FROM temp.delivery_fates AS fates
      JOIN \(qualified(sourceTable, in: schema)) AS rows ON rows.Z_PK = fates.key
      WHERE fates.other IS NULL ORDER BY fates.key
      """
  }
}

extension QuarantinedRow {
  /// Reads the current row of the quarantine's query; `nil` if its reason is unknown.
  fileprivate init?(_ row: borrowing Statement, _ program: RowProgram) {
    guard let reason = QuarantineReason(rawValue: row.string(at: 1) ?? "") else { return nil }
    self.reason = reason
    key = row.int64(at: 0)
    values = program.namedColumns.enumerated().map { place, name in
      ColumnValue(column: name, value: row.value(at: place + 2))
    }
  }
}
