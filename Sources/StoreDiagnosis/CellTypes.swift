import SQLite
import StoreFormat
import StoreModel

/// Finds cells whose type in the file isn't that of their attribute.
///
/// SQLite stores a value of any type in any column. Core Data never writes such a cell.
struct CellTypes {
  let store: StoreDescription
  let model: Model

  /// The most columns in one query, which has two results for each.
  private static let columnsAtOnce = 400

  /// Returns the cause; `nil` if every cell has a type that its attribute can have.
  ///
  /// Tables with damaged pages are left out; ``DamagedTables`` finds them.
  ///
  /// - Complexity: Reads every entity table once.
  func cause(path: String, _ connection: borrowing Connection) throws(SQLiteError)
    -> Diagnosis.Cause?
  {
    var evidence: [String] = []
    for table in store.layout(of: model).tables {
      guard let found = store.table(named: table.name), !found.isVirtual else { continue }
      let names = Set(found.columns.map { $0.name.uppercased() })
      let columns = table.columns.filter { names.contains($0.name.uppercased()) }
      do throws(SQLiteError) {
        evidence += try self.evidence(in: table, columns, connection)
      } catch {
        guard error.isCorrupt else { throw error }
      }
    }
    guard !evidence.isEmpty else { return nil }
    return Diagnosis.Cause(
      code: .wrongTypes,
      sentence: "values have a type that their attribute can't have: "
        + "the app fails when it reads them, or reads another value",
      errors: [.coreData], evidence: evidence,
      next: [
        .command(["snapshot", "list", path]),
        .advice("restore a snapshot or a backup, or find out which program wrote these rows"),
      ])
  }

  private func evidence(
    in table: Table, _ columns: [Column], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    let checked = columns.compactMap { column -> (Column, String)? in
      guard case .attribute(_, _, let type) = column.content,
        let condition = type.wrongCell(quoteIdentifier(column.name))
      else { return nil }
      return (column, condition)
    }
    var evidence: [String] = []
    for start in stride(from: 0, to: checked.count, by: Self.columnsAtOnce) {
      let part = checked[start..<min(start + Self.columnsAtOnce, checked.count)]
      let results = part.flatMap { _, condition in
        ["total(\(condition))", "min(CASE WHEN \(condition) THEN Z_PK END)"]
      }
      let row = try connection.rows(
        "SELECT \(results.joined(separator: ", ")) FROM \(qualified(table.name, in: "main"))")[0]
      for (place, (column, _)) in part.enumerated() {
        guard let first = row[2 * place + 1].int64 else { continue }
        evidence.append(sentence(column, count: row[2 * place], first: first))
      }
    }
    return evidence
  }

  private func sentence(_ column: Column, count: Value, first: Int64) -> String {
    guard case .attribute(let entity, let path, let type) = column.content else { return "" }
    let rows = count.double.map { Int64($0) } ?? 0
    return
      "\(entity).\(path.joined(separator: ".")): \(counted(rows, "value isn't", "values aren't")) "
      + "\(type.cellWords), first in the row \(first)"
  }
}

extension AttributeType {
  /// Returns the condition for a cell that isn't of this type; `nil` if every cell is.
  fileprivate func wrongCell(_ column: String) -> String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .decimal:
      "typeof(\(column)) IN ('text', 'blob')"
    case .string, .uri: "typeof(\(column)) = 'blob'"
    case .uuid:
      "\(column) IS NOT NULL AND NOT (typeof(\(column)) = 'blob' AND length(\(column)) = 16)"
    case .binary, .transformable: "typeof(\(column)) NOT IN ('blob', 'null')"
    case .undefined, .objectID, .composite, .codable: nil
    }
  }

  /// What a cell should be.
  fileprivate var cellWords: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .decimal: "a number"
    case .string, .uri: "a text"
    case .uuid: "a UUID of 16 bytes"
    default: "bytes"
    }
  }
}
