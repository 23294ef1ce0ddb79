import SQLite
import StoreFormat
import OutboxConversion
import StoreProof

/// The rows of a store as text, one at a time, in the order of tables, then keys.
struct RowTextCursor: ~Copyable, KeyedRows {
  private let reader: RowTextReader

  /// The tables that aren't read to their end, in reverse order: the current one is last.
  private var tables: [TableQuery]
  private let links: [LinkQuery]

  /// The current row; `nil` after the last.
  private(set) var row: RowText?

  /// A table's prepared query; a class, because an array can't hold a noncopyable statement.
  private final class TableQuery {
    let place: Int64
    let forms: [Int64: RowTextReader.Form]
    var rows: Statement

    init(_ table: Table, at place: Int, _ reader: RowTextReader, _ rows: consuming Statement) {
      self.place = Int64(place)
      forms = reader.forms(of: table)
      self.rows = rows
    }
  }

  /// The prepared query for the rows at the other end of a many-to-many relationship.
  private final class LinkQuery {
    let join: JoinTable
    var rows: Statement

    init(_ join: JoinTable, _ rows: consuming Statement) {
      self.join = join
      self.rows = rows
    }
  }

  /// Begins at the first row.
  init(_ reader: RowTextReader, _ connection: borrowing Connection) throws {
    var tables: [TableQuery] = []
    for (place, table) in reader.layout.tables.enumerated() {
      let names = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
      let rows = try connection.prepare(
        "SELECT \(names) FROM \(quoteIdentifier(table.name)) ORDER BY Z_PK")
      tables.append(TableQuery(table, at: place, reader, rows))
    }
    var links: [LinkQuery] = []
    for join in reader.layout.joinTables {
      let columns = [join.second.keyColumn] + join.columnNames.dropFirst(2)
      let names = columns.map(quoteIdentifier).joined(separator: ", ")
      links.append(
        LinkQuery(
          join,
          try connection.prepare(
            """
            SELECT \(names) FROM \(quoteIdentifier(join.name)) \
            WHERE \(quoteIdentifier(join.first.keyColumn)) = ?1 ORDER BY 1
            """)))
    }
    tables.reverse()
    let first = try Self.next(in: &tables, links, reader)
    self.reader = reader
    self.tables = tables
    self.links = links
    row = first
  }

  var key: RowKey? {
    guard let row, let table = tables.last else { return nil }
    return RowKey(table.place, row.key)
  }

  mutating func advance() throws { row = try Self.next(in: &tables, links, reader) }

  private static func next(
    in tables: inout [TableQuery], _ links: [LinkQuery], _ reader: RowTextReader
  ) throws -> RowText? {
    while let table = tables.last {
      while try table.rows.step() {
        // The app never reads a row whose number is of no entity of the table.
        guard let form = table.forms[table.rows.int64(at: 1)] else { continue }
        return try text(of: table.rows, form, links, reader)
      }
      tables.removeLast()
    }
    return nil
  }

  private static func text(
    of row: borrowing Statement, _ form: RowTextReader.Form, _ links: [LinkQuery],
    _ reader: RowTextReader
  ) throws -> RowText {
    let key = row.int64(at: 0)
    var properties: [RowText.Property] = []
    for cell in form.cells { properties.append(reader.text(of: cell, row)) }
    for link in links where form.ancestry.contains(link.join.first.entity) {
      properties.append(try text(of: link, from: key))
    }
    properties.sort { $0.name < $1.name }
    return RowText(entity: form.entity, key: key, properties: properties)
  }

  /// Returns the rows at the other end of a many-to-many relationship, in the order of their keys.
  private static func text(of link: LinkQuery, from key: Int64) throws -> RowText.Property {
    let side = link.join.second
    try link.rows.bindInt64(key, at: 1)
    var rows: [String] = []
    while try link.rows.step() {
      let places = (1..<link.rows.columnCount).map { place in
        link.rows.value(at: place).int64.map(String.init) ?? "null"
      }
      let order = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
      rows.append("\(side.entity)/\(link.rows.int64(at: 0))\(order)")
    }
    return RowText.Property(
      name: link.join.first.relationship,
      value: rows.isEmpty ? "none" : rows.joined(separator: ", "))
  }
}
