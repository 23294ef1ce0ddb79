package import SQLite
import StoreFormat

/// The tables of entities and relationships.
extension NewStore {
  package func run(
    _ action: TableAction, _ connection: borrowing Connection, _ tallies: inout [String: Tally]
  ) throws {
    if case .rejoin(let join) = action, join.relinked != nil || join.moved != nil {
      try connection.prepareFormulas()
    }
    for statement in try statements(before: action) { try connection.execute(statement) }
    guard case .rewrite(let rows) = action else { return }
    tallies[rows.table.name] =
      try tableWriter?(rows, self, connection) ?? rewrite(rows, connection)
  }

  /// Returns the statements of an action, except those that rewrite rows.
  func statements(before action: TableAction) throws(SQLiteError) -> [SQLStatement] {
    switch action {
    case .carry(let name): try carry(name)
    case .create(let table): [try create(table.createStatement)]
    case .rewrite(let rows): [try create(rows.table.createStatement)]
    case .rejoin(let join): try rejoin(join)
    }
  }

  private func rejoin(_ join: JoinProgram) throws(SQLiteError) -> [SQLStatement] {
    let creation = try create(join.table.createStatement)
    guard let query = join.query(schema: source) else { return [creation] }
    let names = join.table.columnNames.map(quoteIdentifier)
    let preparation =
      join.moved?.removals.preparation(schema: source)
      ?? join.relinked?.links.allPreparation(schema: source) ?? []
    return [creation] + preparation + [
      SQLStatement(
        "INSERT INTO \(qualified(join.table.name, in: schema)) (\(names.joined(separator: ", ")))\n"
          + query)
    ]
  }

  /// Copies a table and its indexes unchanged.
  ///
  /// If both tables have the same schema and the new one is empty, SQLite copies records without
  /// decoding them, also those of the indexes (<https://www.sqlite.org/src/file?name=src/insert.c>,
  /// "xfer").
  func carry(_ name: String) throws(SQLiteError) -> [SQLStatement] {
    guard let table = store.table(named: name) else { return [] }
    let (new, old) = (qualified(table.name, in: schema), qualified(table.name, in: source))
    return try makeLike(table) + [SQLStatement("INSERT INTO \(new) SELECT * FROM \(old)")]
  }

  /// Creates a table and its indexes as they are in the store.
  func makeLike(
    _ table: StoreDescription.TableDescription
  ) throws(SQLiteError) -> [SQLStatement] {
    var statements = [try create(table.sql)]
    for index in store.indexes where index.table.lowercased() == table.name.lowercased() {
      if let sql = index.sql, indexes.copies(index) { statements.append(try create(sql)) }
    }
    return statements
  }

  /// Returns a `CREATE` statement of the store's schema for the new file; other text is refused.
  package func create(_ sql: String) throws(SQLiteError) -> SQLStatement {
    for prefix in ["CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX "]
    where sql.hasPrefix(prefix) {
      return SQLStatement(prefix + "\(schema)." + sql.dropFirst(prefix.count))
    }
    throw SQLiteError(code: 1, message: "a statement of the store's schema has an unknown form")
  }

  /// The statements that create the triggers of derived attributes again, text for text.
  ///
  /// They come last: no trigger runs while rows are written.
  ///
  /// - Parameter present: The names of triggers that the file has.
  /// - Returns: The statements, in the order of the store's triggers.
  func triggerStatements(besides present: Set<String> = []) -> [SQLStatement] {
    let prefix = "CREATE TRIGGER "
    return store.triggers.filter { $0.sql.hasPrefix(prefix) && !present.contains($0.name) }.map {
      SQLStatement(prefix + "\(schema)." + $0.sql.dropFirst(prefix.count))
    }
  }

  /// The statements that create the indexes of the target's model that weren't copied.
  var indexStatements: [SQLStatement] {
    get throws(SQLiteError) {
      var statements: [SQLStatement] = []
      for index in indexes.made { statements.append(try create(index.createStatement)) }
      return statements
    }
  }
}
