/// The table of a root entity and all its sub-entities.
package struct Table: Hashable, Sendable {
  /// The table's name: `Z` and the upper-case name of the root entity.
  package let name: String

  /// The root entity.
  package let rootEntity: String

  /// The columns, in the order of a fresh table.
  package let columns: [Column]

  /// The statement that makes the table, as `sqlite_master` holds it.
  ///
  /// See `StoreFormat.md` §5.1: nothing is quoted, except names that would not parse otherwise.
  package var createStatement: String {
    let key = "Z_PK INTEGER PRIMARY KEY"
    let rest = columns.dropFirst().map { "\(identifier($0.name)) \($0.declaredType)" }
    return "CREATE TABLE \(identifier(name)) ( \(([key] + rest).joined(separator: ", ")) )"
  }

  /// Returns the column with some content.
  ///
  /// - Complexity: O(n) in the number of columns.
  package func column(_ content: Column.Content) -> Column? {
    columns.first { $0.content == content }
  }
}

/// The table of a many-to-many relationship.
package struct JoinTable: Hashable, Sendable {
  /// One side of the relationship.
  package struct Side: Hashable, Sendable {
    /// The entity that declares the relationship.
    package let entity: String

    /// The relationship from this side to the other.
    package let relationship: String

    /// The column that holds the key of this side's row.
    package let keyColumn: String

    /// The column that holds the place of this side's row among the other's destinations, if ordered.
    package let orderingColumn: String?
  }

  /// The table's name.
  package let name: String

  /// The side whose column comes first: the one with the lower entity number.
  package let first: Side

  /// The side whose column comes second.
  package let second: Side

  /// The columns' names, in the order of a fresh table.
  package var columnNames: [String] {
    [first.keyColumn, second.keyColumn]
      + [first.orderingColumn, second.orderingColumn].compactMap(\.self)
  }

  /// The statement that makes the table, as `sqlite_master` holds it.
  package var createStatement: String {
    let columns = columnNames.map { "\(identifier($0)) INTEGER" }.joined(separator: ", ")
    let key = "\(identifier(first.keyColumn)), \(identifier(second.keyColumn))"
    return "CREATE TABLE \(identifier(name)) ( \(columns), PRIMARY KEY (\(key)) )"
  }
}

/// An index that the model asks for.
package struct IndexLayout: Hashable, Sendable {
  /// The index's name.
  package let name: String

  /// The table it is on.
  package let table: String

  /// The columns, in the order of the index.
  package let columns: [String]

  /// A Boolean value indicating whether no two rows may have the same values.
  package let isUnique: Bool

  /// Whether each column runs upwards, for the form with a collation; none for plain column names.
  package let ascending: [Bool]?

  /// The statement that makes the index, as `sqlite_master` holds it.
  package var createStatement: String {
    let parts = columns.enumerated().map { place, column in
      guard let ascending else { return identifier(column) }
      return "\(identifier(column)) COLLATE BINARY \(ascending[place] ? "ASC" : "DESC")"
    }
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    let list = parts.joined(separator: ", ")
    return "CREATE \(kind) \(identifier(name)) ON \(identifier(table)) (\(list))"
  }
}

/// Returns a name as SQL, quoted only where it wouldn't be one identifier otherwise.
///
/// Core Data never quotes, and its names begin with `Z` or `A`, so no keyword occurs; names with
/// other characters than letters, digits and `_` occur in hostile stores only.
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
