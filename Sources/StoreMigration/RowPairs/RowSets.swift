import SQLite
import StoreFormat

/// Compares rows that have no keys, as two sets: equal rows count once.
///
/// Rows are equal as SQLite compares them in a compound SELECT: 1 and 1.0 are, and texts are by the
/// collations of their columns. <https://www.sqlite.org/lang_select.html#compound>
struct RowSets {
  /// The query for the rows as they were.
  let base: String

  /// The query for the rows as they are.
  let present: String

  /// The query for the rows that were added.
  var added: String { "\(present) EXCEPT \(base)" }

  /// The query for the rows that were removed.
  var removed: String { "\(base) EXCEPT \(present)" }

  /// Returns the counts of added and removed rows, under a name.
  func change(of name: String, _ connection: borrowing Connection) throws(SQLiteError)
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
  var path: String { "\(first.entity).\(first.relationship)" }
}
