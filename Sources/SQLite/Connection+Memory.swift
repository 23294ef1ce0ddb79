extension Connection {
  /// Keeps temporary tables in files, and no more than 512 KiB of the main file's pages.
  ///
  /// A table that is read once needs no more: memory that is used for the first time costs more than
  /// to read a page again.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_cache_size>,
  /// <https://www.sqlite.org/pragma.html#pragma_temp_store>
  package func keepLittleInMemory() throws(SQLiteError) {
    try execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -512")
  }

  /// Makes room for the pages of a file's indexes: one byte for 32 of a store's, 512 KiB at least.
  ///
  /// Indexes have about a fortieth of a store's bytes, and one that fits needn't be read again for every
  /// row.
  ///
  /// - Parameters:
  ///   - schema: The name under which the file is open.
  ///   - store: The name under which a file is open that is as large as this one is, or will be.
  ///   - limit: The most to remember, in KiB.
  /// - Returns: How much was remembered before, for ``restore(_:)``.
  /// - Throws: A ``SQLiteError`` if that file can't be read.
  @discardableResult
  package func rememberIndexes(
    _ schema: String, asLargeAs store: String, limit: Int64
  ) throws(SQLiteError) -> CacheSize {
    let cacheSize = "\(quoteIdentifier(schema)).cache_size"
    let before = CacheSize(schema: schema, value: try pragma(cacheSize).int64 ?? -512)
    let store = quoteIdentifier(store)
    let pages = try pragma("\(store).page_count").int64 ?? 0
    let bytes = try pages * (pragma("\(store).page_size").int64 ?? 0)
    let kibibytes = min(max(bytes / 32_768, 512), limit)
    try pragma("\(cacheSize) = -\(kibibytes)")
    return before
  }

  /// Remembers as much of a file's pages again as before.
  package func restore(_ size: CacheSize) {
    _ = try? pragma("\(quoteIdentifier(size.schema)).cache_size = \(size.value)")
  }
}

/// How much of an attached file's pages a connection remembers.
package struct CacheSize: Hashable, Sendable {
  /// The name under which the file is open.
  let schema: String

  /// As SQLite has it: pages, or negative, KiB.
  let value: Int64
}
