package import SQLite
import StoreFormat
import StoreModel

/// Rows of a new store that have the same values where the target wants them unique.
package struct UniqueConflict: Hashable, Sendable {
  /// The rows.
  package let rows: NamedRows

  /// The rule that the rows break, and the rows.
  package let rule: String
}

/// Some rows of one entity, of which the first are named.
package struct NamedRows: Hashable, Sendable {
  /// The entity, in the source's names.
  package let entity: String

  /// The keys of the first rows, at most ten.
  package private(set) var keys: [Int64] = []

  /// The number of rows.
  package private(set) var count: Int64 = 0

  /// Reads rows from a query whose first column is their key.
  package init(_ entity: String, _ query: String, _ connection: borrowing Connection) throws {
    self.entity = entity
    var rows = try connection.prepare(query)
    while try rows.step() {
      if keys.count < 10 { keys.append(rows.int64(at: 0)) }
      count += 1
    }
  }

  /// The number and the names of the rows: `3 rows, Book/1, Book/2, Book/7`.
  package var text: String {
    let names = keys.map { "\(entity)/\($0)" } + (count > Int64(keys.count) ? ["…"] : [])
    return "\(counted(count, "row", "rows")), " + names.joined(separator: ", ")
  }
}

extension StoreProgram {
  /// Returns the rows of a new store that break its unique indexes, index by index.
  ///
  /// - Parameters:
  ///   - schema: The schema of the new store. Its rows are written, its indexes needn't be.
  ///   - connection: The connection.
  /// - Returns: The conflicts; an empty array if there are none.
  /// - Throws: An error of SQLite if a table can't be read.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  package func uniqueConflicts(
    in schema: String, _ connection: borrowing Connection
  ) throws -> [UniqueConflict] {
    try targetLayout.indexes.filter(\.isUnique).compactMap { index in
      guard let table = targetLayout.tables.first(where: { $0.name == index.table }) else {
        return nil
      }
      let name = qualified(table.name, in: schema)
      let columns = index.columns.map(quoteIdentifier)
      let list = columns.joined(separator: ", ")
      // NULL is unlike every other value, in SQLite's unique indexes too. An index of the same
      // columns may be damaged, so none is used.
      let isPresent = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let rows = try NamedRows(
        sourceName(of: table.rootEntity),
        """
        SELECT Z_PK FROM \(name) NOT INDEXED WHERE (\(list)) IN (
          SELECT \(list) FROM \(name) NOT INDEXED WHERE \(isPresent)
          GROUP BY \(list) HAVING count(*) > 1)
        ORDER BY Z_PK
        """, connection)
      let names = index.columns.map { table.propertyName(ofColumn: $0) }.joined(separator: ", ")
      return rows.count == 0
        ? nil
        : UniqueConflict(
          rows: rows,
          rule: "\(table.rootEntity) must be unique by \(names), which \(rows.text) aren't")
    }
  }

  /// Returns the name that an entity of the target has in the source; its own if it is new there.
  package func sourceName(of entity: String) -> String {
    guard let number = targetLayout.numbering.number(of: entity),
      let old = entityNumbers.first(where: { $0.value == Int64(number) })?.key
    else { return entity }
    return sourceLayout.numbering.name(of: Int(old)) ?? entity
  }
}

extension Table {
  /// Returns the property in a column, as the model names it; the column's name for any other.
  fileprivate func propertyName(ofColumn name: String) -> String {
    switch columns.first(where: { $0.name == name })?.content {
    case .attribute(_, let path, _): path.joined(separator: ".")
    case .foreignKey(_, let relationship): relationship
    default: name
    }
  }
}
