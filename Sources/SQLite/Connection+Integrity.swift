extension Connection {
  /// Returns what `PRAGMA integrity_check` finds.
  ///
  /// The check covers pages, indexes, UNIQUE and NOT NULL, and stops at `limit` findings. Up to 28 MiB
  /// of pages are cached during the check. An index of a large file may be larger than that: its
  /// entries are searched in their order first (``isSound(table:in:)``), and if all is well, that is
  /// the answer.
  ///
  /// - Parameters:
  ///   - schema: The schema to check.
  ///   - table: The table to check, with its indexes; `nil` for the whole file.
  ///   - limit: The maximum number of findings.
  ///   - largeSize: The size in bytes from which a file is large.
  /// - Returns: The findings; an empty array if there are none.
  /// - Throws: A ``SQLiteError`` if a page can't be read.
  /// - Complexity: Reads the whole file, and may search each index once for each row.
  package func integrityCheck(
    _ schema: String = "main", table: String? = nil, limit: Int = 100, largeSize: Int64 = 1 << 28
  ) throws(SQLiteError) -> [String] {
    if isLargeAndSound(schema, table, from: largeSize) { return [] }
    let scope = table.map(quoteIdentifier) ?? "\(max(limit, 1))"
    var cacheSize: CacheSize?
    defer { if let cacheSize { restore(cacheSize) } }
    var lines: [String] = []
    do throws(SQLiteError) {
      cacheSize = try rememberIndexes(schema, asLargeAs: schema, part: 10, limit: 28_672)
      var check = try prepare("PRAGMA \(quoteIdentifier(schema)).integrity_check(\(scope))")
      while try check.step() { lines.append(check.string(at: 0) ?? "") }
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
}

// MARK: - Large files

extension Connection {
  /// Returns whether a file of a size or more is certain to pass the check; `false` if it may not.
  ///
  /// What can't be read is `false`, too: the integrity check says why.
  private func isLargeAndSound(_ schema: String, _ table: String?, from size: Int64) -> Bool {
    do throws(SQLiteError) {
      guard try self.size(of: schema) >= size, try pragma("encoding") == "UTF-8",
        try passes("quick_check", of: table.map(quoteIdentifier) ?? "1", in: schema),
        let tables = try tables(in: schema, table)
      else { return false }
      for table in tables where try !isSoundOrPasses(table, in: schema) { return false }
      return true
    } catch {
      return false
    }
  }

  private func isSoundOrPasses(
    _ table: String, in schema: String
  ) throws(SQLiteError) -> Bool {
    if let isSound = try isSound(table: table, in: schema) { return isSound }
    return try passes("integrity_check", of: quoteIdentifier(table), in: schema)
  }

  private func passes(
    _ check: String, of scope: String, in schema: String
  ) throws(SQLiteError) -> Bool {
    try pragma("\(quoteIdentifier(schema)).\(check)(\(scope))") == "ok"
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
    let names = tables.compactMap { $0[1] == 1 ? $0[0].string : nil }
    return names.count == tables.count ? names : nil
  }
}
