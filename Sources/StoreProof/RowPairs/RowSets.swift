package import SQLite
package import StoreFormat

/// Compares rows without keys as two sets, in which equal rows count once.
///
/// Rows are equal as in a compound SELECT of SQLite: 1 and 1.0 are equal, and texts are compared by
/// the collations of their columns. <https://www.sqlite.org/lang_select.html#compound>
package struct RowSets {
  /// The query for the old rows.
  package let base: String

  /// The query for the present rows.
  package let present: String

  package init(base: String, present: String) {
    self.base = base
    self.present = present
  }

  /// The query for the rows that were added.
  package var added: String { "\(present) EXCEPT \(base)" }

  /// The query for the rows that were removed.
  package var removed: String { "\(base) EXCEPT \(present)" }

  /// Returns the numbers of added and removed rows, under a name.
  package func change(of name: String, _ connection: borrowing Connection) throws(SQLiteError)
    -> EntityChange
  {
    EntityChange(
      entity: name, added: try count(added, connection), changed: 0,
      removed: try count(removed, connection))
  }

  private func count(
    _ query: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.value("SELECT count(*) FROM (\(query))")?.int64 ?? 0
  }
}

extension JoinTable {
  /// The relationship that names the table, as parked links refer to it.
  package var path: String { "\(first.entity).\(first.relationship)" }
}
