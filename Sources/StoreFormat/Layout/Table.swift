/// The table of a root entity and its sub-entities.
package struct Table: Hashable, Sendable {
  /// The name: `Z` and the uppercase name of the root entity.
  package let name: String

  /// The name of the root entity.
  package let rootEntity: String

  /// The columns, in the order of a new table.
  package let columns: [Column]

  /// The statement that creates the table, as in `sqlite_schema`.
  ///
  /// See `StoreFormat.md` §5.1: names aren't quoted unless SQLite requires it.
  package var createStatement: String {
    let key = "Z_PK INTEGER PRIMARY KEY"
    let rest = columns.dropFirst().map { "\(identifier($0.name)) \($0.declaredType)" }
    return "CREATE TABLE \(identifier(name)) ( \(([key] + rest).joined(separator: ", ")) )"
  }

  /// Returns the column with these contents, or `nil` if there isn't one.
  ///
  /// - Complexity: O(*n*) in the number of columns.
  package func column(_ content: Column.Content) -> Column? {
    columns.first { $0.content == content }
  }

  /// Returns the name of the column of an attribute that an entity declares.
  ///
  /// - Parameters:
  ///   - path: The attribute's name, or the path of a composite's leaf with dots.
  ///   - entity: The entity.
  /// - Returns: The name, not quoted; `nil` if the table has no such column.
  /// - Complexity: O(*n*) in the number of columns.
  package func attributeColumn(_ path: String, of entity: String) -> String? {
    columns.first { column in
      guard case .attribute(entity, let names, _) = column.content else { return false }
      return names.joined(separator: ".") == path
    }?.name
  }
}

/// The table of a many-to-many relationship.
package struct JoinTable: Hashable, Sendable {
  /// A side of the relationship.
  package struct Side: Hashable, Sendable {
    /// The entity that declares the relationship.
    package let entity: String

    /// The name of the relationship to the other side.
    package let relationship: String

    /// The column with the key of this side's row.
    package let keyColumn: String

    /// The column with the position of this side's row in the other side, or `nil` if unordered.
    package let orderingColumn: String?
  }

  /// The name.
  package let name: String

  /// The side of the first column, whose relationship names the table.
  package let first: Side

  /// The side of the second column.
  package let second: Side

  /// The names of the columns, in the order of a new table.
  package var columnNames: [String] {
    [first.keyColumn, second.keyColumn]
      + [first.orderingColumn, second.orderingColumn].compactMap(\.self)
  }

  /// The statement that creates the table, as in `sqlite_schema`.
  package var createStatement: String {
    let columns = columnNames.map { "\(identifier($0)) INTEGER" }.joined(separator: ", ")
    let key = "\(identifier(first.keyColumn)), \(identifier(second.keyColumn))"
    return "CREATE TABLE \(identifier(name)) ( \(columns), PRIMARY KEY (\(key)) )"
  }
}

/// An index required by the model.
package struct IndexLayout: Hashable, Sendable {
  /// The name.
  package let name: String

  /// The name of the table.
  package let table: String

  /// The columns, in index order.
  package let columns: [String]

  /// Whether the index is unique.
  package let isUnique: Bool

  /// Whether each column is ascending, or `nil` for an index without collations.
  package let ascending: [Bool]?

  /// The statement that creates the index, as in `sqlite_schema`.
  package var createStatement: String {
    let parts = columns.enumerated().map { index, column in
      guard let ascending else { return identifier(column) }
      return "\(identifier(column)) COLLATE BINARY \(ascending[index] ? "ASC" : "DESC")"
    }
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    let list = parts.joined(separator: ", ")
    return "CREATE \(kind) \(identifier(name)) ON \(identifier(table)) (\(list))"
  }
}

/// Returns an SQL identifier, quoted only if SQLite requires it.
///
/// Core Data doesn't quote names. Its names start with `Z` or `A`, so they aren't keywords. Other
/// characters than letters, digits and `_` occur only in manipulated stores.
package func identifier(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }
  if isPlain && !name.isEmpty { return name }
  return "\""
    + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
