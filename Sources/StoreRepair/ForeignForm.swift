import SQLite
import StoreFormat

/// What a table has that Core Data's tables don't have.
///
/// A repair writes a new table with the rows, or leaves the table alone. A default value, a constraint,
/// a collation or a generated column says more about the values than the rows do. Triggers are
/// Core Data's own for derived attributes.
enum ForeignForm {
  /// Returns the first that a table has, in words; `nil` if its form is Core Data's.
  static func part(
    of table: String, sql: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    let columns = try connection.rows("PRAGMA main.table_xinfo(\(quoteIdentifier(table)))")
    if columns.contains(where: { ($0[6].int64 ?? 0) != 0 }) { return "a generated column" }
    if columns.contains(where: { !$0[4].isNull }) { return "a default value" }
    let words = Set(
      sql.withoutQuotes.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    let foreign: KeyValuePairs = [
      "NOT": "a NOT NULL constraint", "CHECK": "a CHECK constraint", "COLLATE": "a collation",
      "UNIQUE": "a UNIQUE constraint", "REFERENCES": "a FOREIGN KEY constraint",
      "WITHOUT": "no row numbers (WITHOUT ROWID)", "STRICT": "types that SQLite checks (STRICT)",
      "AUTOINCREMENT": "AUTOINCREMENT",
    ]
    return foreign.first { words.contains(Substring($0.key)) }?.value
  }

  /// Throws if a table of the version isn't in Core Data's form, or something else has its name.
  static func refuse(
    in layout: StoreLayout, at path: String, _ connection: borrowing Connection
  ) throws {
    try refuse(
      layout.tables.map(\.name) + layout.joinTables.map(\.name), at: path, connection)
  }

  /// Throws if one of some tables isn't in Core Data's form, or something else has its name.
  static func refuse(
    _ names: [String], at path: String, _ connection: borrowing Connection
  ) throws {
    let wanted = Set(names.map { $0.lowercased() })
    let objects = try connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid")
    for row in objects {
      guard let name = row[1].string, wanted.contains(name.lowercased()) else { continue }
      let (type, sql) = (row[0].string ?? "", row[2].string ?? "")
      let isVirtual = sql.uppercased().hasPrefix("CREATE VIRTUAL")
      if type != "table" || isVirtual {
        throw RepairError.nameTaken(path, name: name, by: isVirtual ? "virtual table" : type)
      }
      if let part = try part(of: name, sql: sql, connection) {
        throw RepairError.foreignForm(path, table: name, has: part)
      }
    }
  }
}

extension String {
  /// The text without what stands in quotes of any kind.
  fileprivate var withoutQuotes: String {
    var (text, end) = ("", Character?.none)
    for character in self {
      if let closing = end {
        if character == closing { end = nil }
      } else if let closing = ["\"": "\"", "'": "'", "`": "`", "[": "]"][character] as Character? {
        end = closing
      } else {
        text.append(character)
      }
    }
    return text
  }
}
