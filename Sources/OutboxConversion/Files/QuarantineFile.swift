import JSONText
import Platform
package import SQLite
import Migrations
package import RowRewriting

/// The rows that were kept out of an outbox, in a file beside the snapshot.
///
/// JSON lines, readable for the owner alone: the first names the versions, each other a row with every
/// value. `Files.md` specifies it.
package struct QuarantineFile {
  /// The path.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Writes the rows that ``DeliveryFates`` lists as quarantined; no file where there are none.
  ///
  /// - Parameters:
  ///   - program: The program of the outbox's table.
  ///   - header: What the file is of.
  ///   - connection: The connection that the fates are on.
  ///   - schema: The name under which the old store is open.
  /// - Throws: A `SQLiteError` or a `SystemError`.
  package func write(
    _ program: RowProgram, _ header: QuarantineHeader, _ connection: borrowing Connection,
    schema: String
  ) throws {
    var rows = try connection.prepare(
      program.quarantineQuery(schema: schema), isPersistent: true)
    guard try rows.step() else { return }
    var lines = try LineWriter(creating: path, first: header.line)
    repeat {
      guard let row = QuarantinedRow(rows, program) else { continue }
      try lines.append(row.line)
    } while try rows.step()
    try lines.synchronize()
  }

  /// Reads the rows, one after the other.
  ///
  /// - Returns: What the first line says.
  /// - Throws: A `JSONError` with the place of the first line that isn't as `Files.md` says, a
  ///   `SystemError`, or what the body throws.
  @discardableResult
  package func read(_ body: (QuarantinedRow) throws -> Void) throws -> QuarantineHeader {
    var lines = LineReader(try FileDescriptor(opening: path, followingLinks: false))
    guard let first = try lines.next() else { throw lines.error("the file has no first line") }
    let header = try QuarantineHeader(parsing: first, file: path)
    while let line = try lines.next() {
      let row: QuarantinedRow
      do throws(JSONError) {
        row = try QuarantinedRow(parsing: line)
      } catch {
        // What is wrong could repeat a value: the place has to do.
        throw lines.error("this is no row of a quarantine")
      }
      try body(row)
    }
    return header
  }
}

extension RowProgram {
  /// The columns of the old table that the program reads, which are all that it has values in.
  package var namedColumns: [String] {
    sourceColumns.compactMap { if case .named(let name) = $0, name != "Z_PK" { name } else { nil } }
  }

  /// The query of the rows that are kept out: key, reason, values.
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
  /// The row that a query of the quarantine is at.
  fileprivate init?(_ row: borrowing Statement, _ program: RowProgram) {
    guard let reason = QuarantineReason(rawValue: row.string(at: 1) ?? "") else { return nil }
    self.reason = reason
    key = row.int64(at: 0)
    values = program.namedColumns.enumerated().map { place, name in
      ColumnValue(column: name, value: row.value(at: place + 2))
    }
  }
}
