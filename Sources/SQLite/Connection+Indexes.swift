extension Connection {
  /// Returns whether a table's records are well formed, and its indexes have an entry for each.
  ///
  /// `PRAGMA integrity_check` searches every index for each row of the table, in the order of the
  /// rows, and reads a page for most searches if the index is larger than the page cache. This
  /// searches each index for its own entries, in their order: an index whose entries are all found is
  /// sorted. That they are the table's rows is compared by sums.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - schema: Its schema.
  /// - Returns: Whether SQLite's check would find nothing, except that it permits an integer in place
  ///   of the same real number; `nil` if only SQLite can tell, as of an index that isn't a
  ///   ``TableIndex``.
  /// - Throws: A ``SQLiteError`` if a page can't be read.
  /// - Complexity: O(*n*) in the size of the table and its indexes, in constant memory.
  package func isSound(table: String, in schema: String) throws(SQLiteError) -> Bool? {
    guard let indexes = try plainIndexes(of: table, in: schema),
      let lastColumn = try lastColumn(of: table, in: schema)
    else { return nil }
    let source = qualified(table, in: schema)
    let seed = UInt64.random(in: .min ... .max)
    let expected = try sums(of: indexes, source, seed: seed, decoding: lastColumn)
    for (index, sum) in zip(indexes, expected) {
      guard try foundEntries(of: index, source, seed: seed) == sum else { return false }
    }
    return true
  }

  /// Returns the last column of a table's records; `nil` if it is the row id, which isn't in them.
  private func lastColumn(of table: String, in schema: String) throws(SQLiteError) -> String? {
    let last = try rows(
      "SELECT name, pk FROM pragma_table_xinfo(?1, ?2) WHERE hidden IN (0, 3) ORDER BY cid DESC LIMIT 1",
      [.text(table), .text(schema)])
    return last.first.flatMap { $0[1] == 0 ? $0[0].string : nil }
  }

  /// Returns the sums of the entries that the indexes of a table should have.
  ///
  /// The type of a record's last value can be read only if the record has the form that it says.
  private func sums(
    of indexes: [TableIndex], _ source: String, seed: UInt64, decoding lastColumn: String
  ) throws(SQLiteError) -> [EntrySum] {
    let type = "typeof(\(quoteIdentifier(lastColumn)))"
    guard !indexes.isEmpty else {
      _ = try value("SELECT max(\(type)) FROM \(source) NOT INDEXED")
      return []
    }
    var columns: [String] = []
    for name in indexes.flatMap(\.columns) where !columns.contains(name) { columns.append(name) }
    let places = indexes.map { index in
      index.columns.compactMap { columns.firstIndex(of: $0) } + [columns.count]
    }
    var sums = Array(repeating: EntrySum(), count: indexes.count)
    let list = columns.map(quoteIdentifier).joined(separator: ", ")
    var rows = try prepare("SELECT \(list), _rowid_, \(type) FROM \(source) NOT INDEXED")
    while try rows.step() {
      for number in sums.indices { sums[number].add(rows, columns: places[number], seed: seed) }
    }
    return sums
  }

  /// Returns the sum of an index's entries that a search finds; `nil` if a unique key occurs twice.
  private func foundEntries(
    of index: TableIndex, _ source: String, seed: UInt64
  ) throws(SQLiteError) -> EntrySum? {
    let columns = index.columns.map(quoteIdentifier)
    let list = columns.map { "entry.\($0)" }.joined(separator: ", ")
    // A column may have another collation than its index, which couldn't be searched by it.
    let key = columns.map { "entry.\($0) COLLATE BINARY IS found.\($0)" }
      .joined(separator: " AND ")
    // SQLite refuses the statement if it can't use the index.
    var entries = try prepare(
      """
      SELECT \(list), entry._rowid_
      FROM \(source) AS entry INDEXED BY \(quoteIdentifier(index.name))
      CROSS JOIN \(source) AS found INDEXED BY \(quoteIdentifier(index.name))
      ON \(key) AND entry._rowid_ = found._rowid_
      """)
    let places = Array(0...columns.count)
    var (sum, last) = (EntrySum(), UInt64?.none)
    while try entries.step() {
      let key = sum.add(entries, columns: places, seed: seed)
      if index.isUnique, key != nil, key == last { return nil }
      last = key
    }
    return sum
  }
}
