extension Connection {
  /// Returns what `PRAGMA integrity_check` finds.
  ///
  /// The check covers pages, indexes, UNIQUE and NOT NULL, and stops at `limit` findings. In a file of
  /// 16 MiB or more, indexes are first compared by sums (``indexesMatch(table:in:)``); only if that
  /// finds something does SQLite search them, with up to 28 MiB of pages in its cache.
  ///
  /// - Parameters:
  ///   - schema: The schema to check.
  ///   - table: The table to check, with its indexes; `nil` for the whole file.
  ///   - limit: The maximum number of findings.
  /// - Returns: The findings; an empty array if there are none.
  /// - Throws: A ``SQLiteError`` if a page can't be read.
  /// - Complexity: Reads the whole file, and may search each index once for each row.
  package func integrityCheck(
    _ schema: String = "main", table: String? = nil, limit: Int = 100
  ) throws(SQLiteError) -> [String] {
    if isSound(schema, table: table) { return [] }
    let scope = table.map(quoteIdentifier) ?? "\(max(limit, 1))"
    var cacheSize: CacheSize?
    defer { if let cacheSize { restore(cacheSize) } }
    var lines: [String] = []
    do throws(SQLiteError) {
      cacheSize = try rememberIndexes(schema, asLargeAs: schema, limit: 28_672)
      lines = try check("integrity_check", schema, scope: scope)
    } catch {
      // Some damage makes the pragma fail instead of returning a finding, as does an index by an
      // order of texts that SQLite doesn't have.
      guard error.isCorrupt || error.isMissingCollation else { throw error }
      lines.append(error.message)
    }
    if lines == ["ok"] { return [] }
    for line in lines {
      if let error = SQLiteError(inFinding: line), error.isIO { throw error }
    }
    // For some pages, the finding doesn't contain the error code.
    if FailedRead.happened(in: handle) { throw .failedRead() }
    return lines
  }

  private func check(
    _ pragma: String, _ schema: String, scope: String
  ) throws(SQLiteError) -> [String] {
    var statement = try prepare("PRAGMA \(quoteIdentifier(schema)).\(pragma)(\(scope))")
    var lines: [String] = []
    while try statement.step() { lines.append(statement.string(at: 0) ?? "") }
    return lines
  }
}

// MARK: - Large files

extension Connection {
  /// Returns whether a large file is certain to pass the integrity check; `false` if it may not.
  ///
  /// What can't be read is `false`, too: the integrity check says why.
  private func isSound(_ schema: String, table: String?) -> Bool {
    do throws(SQLiteError) {
      // In a small file, an index fits the cache, and one statement is quicker than several.
      guard try size(of: schema) >= 1 << 24, try pragma("encoding") == "UTF-8",
        try check("quick_check", schema, scope: table.map(quoteIdentifier) ?? "1") == ["ok"],
        let tables = try tables(in: schema, table)
      else { return false }
      for table in tables where try !hasSoundIndexes(table, in: schema) { return false }
      return true
    } catch {
      return false
    }
  }

  private func hasSoundIndexes(
    _ table: String, in schema: String
  ) throws(SQLiteError) -> Bool {
    if let matches = try indexesMatch(table: table, in: schema) { return matches }
    return try check("integrity_check", schema, scope: quoteIdentifier(table)) == ["ok"]
  }

  /// Returns the names of the tables to check; `nil` if the integrity check asks a module about one.
  private func tables(
    in schema: String, _ table: String?
  ) throws(SQLiteError) -> [String]? {
    if let table { return [table] }
    let tables = try rows(
      """
      SELECT CAST(name AS TEXT), rootpage > 0 AND instr(name, char(0)) = 0
      FROM \(quoteIdentifier(schema)).sqlite_schema WHERE type = 'table'
      """)
    guard tables.allSatisfy({ $0[1] == 1 }) else { return nil }
    return tables.compactMap { $0[0].string }
  }
}
