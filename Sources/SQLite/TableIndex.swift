/// An index of columns, in the order of their bytes, that has an entry for every row of its table.
struct TableIndex: Hashable, Sendable {
  let name: String

  /// Whether no two entries have the same values, unless one of them is NULL.
  let isUnique: Bool
  var columns: [String]
}

extension Connection {
  /// Returns the indexes of a table; `nil` if one of them is of another kind than a ``TableIndex``.
  ///
  /// These are indexes of some rows only, of expressions, by other collations than BINARY, and of
  /// tables without row ids.
  func plainIndexes(
    of table: String, in schema: String
  ) throws(SQLiteError) -> [TableIndex]? {
    var query = try prepare(
      """
      SELECT list.name, list."unique", part.name, part.key,
        list.partial = 0 AND part.coll = 'BINARY' AND iif(part.key, part.cid >= 0, part.cid = -1)
          AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1, ?2) WHERE lower(name) = '_rowid_')
      FROM pragma_index_list(?1, ?2) AS list, pragma_index_xinfo(list.name, ?2) AS part
      ORDER BY list.seq, part.seqno
      """)
    try query.bind([.text(table), .text(schema)])
    var indexes: [TableIndex] = []
    while try query.step() {
      guard query.int64(at: 4) == 1, let name = query.string(at: 0) else { return nil }
      if indexes.last?.name != name {
        indexes.append(TableIndex(name: name, isUnique: query.int64(at: 1) == 1, columns: []))
      }
      // The last part of an entry is the row id.
      guard query.int64(at: 3) == 1, let column = query.string(at: 2) else { continue }
      indexes[indexes.count - 1].columns.append(column)
    }
    return indexes
  }
}
