import Platform
import SQLite
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// One thing that is done to a store to spoil it.
enum StoreEdit {
  /// Sets a byte of a page.
  case byte(page: Int, offset: Int, UInt8)

  /// Cuts the file after a number of pages.
  case cut(pages: Int)

  /// Sets a cell of a table to a value of any type.
  case cell(table: Int, column: Int, row: Int, Value)

  /// Sets a byte in a statement of the schema.
  case schema(entry: Int, offset: Int, UInt8)

  /// Flips one bit of a cell's bytes: the property list's or the model cache's, say.
  case bit(table: Int, column: Int, place: Int, UInt8)

  /// The edits that bytes stand for; what is left over stands for none.
  static func all(in bytes: [UInt8]) -> [StoreEdit] {
    var rest = bytes[...]
    var edits: [StoreEdit] = []
    while edits.count < 16, let kind = rest.popFirst(), let edit = StoreEdit(kind, &rest) {
      edits.append(edit)
    }
    return edits
  }

  private init?(_ kind: UInt8, _ rest: inout ArraySlice<UInt8>) {
    func next() -> Int { Int(rest.popFirst() ?? 0) }
    guard !rest.isEmpty else { return nil }
    switch kind % 5 {
    case 0: self = .byte(page: next(), offset: next() << 8 | next(), UInt8(next()))
    case 1: self = .cut(pages: next())
    case 2:
      let (table, column, row, type) = (next(), next(), next(), next())
      let value: Value
      switch type % 6 {
      case 0: value = .null
      case 1: value = .integer(Int64(bitPattern: UInt64(next()) << (next() % 64)))
      case 2: value = .real(Double(next()) / Double(next()))
      case 3: value = .text((0..<next() % 40).map { _ in UInt8(next()) })
      case 4: value = .blob((0..<next() % 40).map { _ in UInt8(next()) })
      default: value = .text("\u{0}'\"; DROP TABLE ZSDOUTBOXEVENT; --")
      }
      self = .cell(table: table, column: column, row: row, value)
    case 3: self = .schema(entry: next(), offset: next() << 8 | next(), UInt8(next()))
    default: self = .bit(table: next(), column: next(), place: next() << 8 | next(), UInt8(next()))
    }
  }

  /// Does all edits, those by SQL first.
  static func spoil(_ path: String, by edits: [StoreEdit]) throws {
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.defensive, to: false)
      try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA writable_schema = ON")
      let tables = try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"
      ).compactMap { $0[0].string }
      // What SQLite refuses isn't done.
      for edit in edits { try? edit.carryOut(connection, tables) }
    }
    var bytes = try FileSystem.read(path)
    let count = bytes.count
    for edit in edits { edit.carryOut(on: &bytes) }
    if bytes.count != count || edits.contains(where: \.isByte) {
      try FileSystem.remove(path)
      try FileSystem.create(path, bytes)
    }
  }

  private var isByte: Bool { if case .byte = self { true } else { false } }

  private func carryOut(on bytes: inout [UInt8]) {
    switch self {
    case .byte(let page, let offset, let byte):
      let place = page * 4096 + offset % 4096
      if bytes.indices.contains(place) { bytes[place] = byte }
    case .cut(let pages): bytes.removeSubrange(min(pages * 4096 + 100, bytes.count)...)
    case .cell, .schema, .bit: break
    }
  }

  private func carryOut(_ connection: borrowing Connection, _ tables: [String]) throws {
    switch self {
    case .byte, .cut: return
    case .cell(let table, let column, let row, let value):
      let name = tables[table % tables.count]
      let columns = try columns(of: name, connection)
      let column = columns[column % columns.count]
      try connection.execute(
        "UPDATE \(quoteIdentifier(name)) SET \(quoteIdentifier(column)) = ?1 WHERE rowid % 4 = ?2",
        [value, .integer(Int64(row % 4))])
    case .schema(let entry, let offset, let byte):
      try connection.execute(
        """
        UPDATE sqlite_schema SET sql = substr(sql, 1, ?2 % length(sql)) || ?3 ||
          substr(sql, ?2 % length(sql) + 2)
        WHERE rowid = (SELECT rowid FROM sqlite_schema ORDER BY rowid LIMIT 1
          OFFSET ?1 % (SELECT count(*) FROM sqlite_schema))
        """, [.integer(Int64(entry)), .integer(Int64(offset)), .text([byte])])
    case .bit(let table, let column, let place, let byte):
      let name = quoteIdentifier(tables[table % tables.count])
      let columns = try columns(of: tables[table % tables.count], connection)
      let column = quoteIdentifier(columns[column % columns.count])
      let value = try connection.value("SELECT \(column) FROM \(name) LIMIT 1")
      guard var bytes = value?.bytes, !bytes.isEmpty else { return }
      bytes[place % bytes.count] = byte
      let changed: Value = value?.storageClass == .text ? .text(bytes) : .blob(bytes)
      try connection.execute(
        "UPDATE \(name) SET \(column) = ?1 WHERE rowid = (SELECT min(rowid) FROM \(name))",
        [changed])
    }
  }

  private func columns(of table: String, _ connection: borrowing Connection) throws -> [String] {
    try connection.rows("PRAGMA table_info(\(quoteIdentifier(table)))").compactMap { $0[1].string }
  }
}
