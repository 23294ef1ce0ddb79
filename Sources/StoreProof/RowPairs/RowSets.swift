package import SQLite
package import StoreFormat
import OutboxConversion

/// Compares rows that have no keys, as two sets: equal rows count once.
///
/// Rows are equal as SQLite compares them in a compound SELECT: 1 and 1.0 are, and texts are by the
/// collations of their columns. <https://www.sqlite.org/lang_select.html#compound>
package struct RowSets {
  /// The query for the rows as they were.
  package let base: String

  /// The query for the rows as they are.
  package let present: String

  package init(base: String, present: String) {
    self.base = base
    self.present = present
  }

  /// The query for the rows that were added.
  package var added: String { "\(present) EXCEPT \(base)" }

  /// The query for the rows that were removed.
  package var removed: String { "\(base) EXCEPT \(present)" }

  /// Returns the counts of added and removed rows, under a name.
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
  /// The relationship that the table is named by, as parked links name it.
  package var path: String { "\(first.entity).\(first.relationship)" }
}
