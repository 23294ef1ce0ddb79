extension Connection {
  /// Stores temporary tables in files, and limits the page cache to 512 KiB.
  ///
  /// A table scan needs no larger cache: touching new memory costs more than reading a page again.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_cache_size>,
  /// <https://www.sqlite.org/pragma.html#pragma_temp_store>
  package func keepLittleInMemory() throws(SQLiteError) {
    try execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -512")
  }

  /// Enlarges the page cache of a schema to a part of a store's size, but at least 512 KiB.
  ///
  /// Indexes take 1/40 to 1/12 of a store. An index that fits in the cache isn't read again for every
  /// row.
  ///
  /// - Parameters:
  ///   - schema: The schema whose cache to enlarge.
  ///   - store: The schema of a store that is as large as the file is or will be.
  ///   - part: The part of the store: 32 for 1/32.
  ///   - limit: The maximum size in KiB.
  /// - Returns: The previous size, for ``restore(_:)``.
  /// - Throws: A ``SQLiteError`` if the store can't be read.
  @discardableResult
  package func rememberIndexes(
    _ schema: String, asLargeAs store: String, part: Int64 = 32, limit: Int64
  ) throws(SQLiteError) -> CacheSize {
    let cacheSize = "\(quoteIdentifier(schema)).cache_size"
    let before = CacheSize(schema: schema, value: try pragma(cacheSize).int64 ?? -512)
    let kibibytes = try min(max(size(of: store) / (part << 10), 512), limit)
    try pragma("\(cacheSize) = -\(kibibytes)")
    return before
  }

  /// Returns the size of a schema's file in bytes, as its header gives it.
  package func size(of schema: String) throws(SQLiteError) -> Int64 {
    let schema = quoteIdentifier(schema)
    let pages = try pragma("\(schema).page_count").int64 ?? 0
    return try pages * (pragma("\(schema).page_size").int64 ?? 0)
  }

  /// Restores the size of a page cache.
  package func restore(_ size: CacheSize) {
    _ = try? pragma("\(quoteIdentifier(size.schema)).cache_size = \(size.value)")
  }
}

/// The size of a schema's page cache.
package struct CacheSize: Hashable, Sendable {
  /// The name of the schema.
  let schema: String

  /// SQLite's value: a number of pages or, if negative, of KiB.
  let value: Int64
}
