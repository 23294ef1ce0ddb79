package import OutboxCore
package import SQLite

/// Finds the rows of entities by their ids.
///
/// The finder uses the store's index on the ids. Without an index, it copies the ids once to a
/// temporary table of the connection. Of several rows with the same id, the first counts.
package final class EntityFinder {
  private let tables: [OutboxEventType: EntityTable]
  private let schema: String
  private let filter: EntityFilter?
  private let hasFacts: Bool

  /// The queries of the types searched so far.
  private var queries: [RowQuery] = []

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - tables: The tables of the entities, by event type.
  ///   - schema: The name under which the store is open.
  ///   - filter: The entities to find; `nil` to find all.
  ///   - hasFacts: Whether to read the facts that metadata states about Lume's entities.
  package init(
    _ tables: [OutboxEventType: EntityTable], schema: String = "main",
    in filter: EntityFilter? = nil, hasFacts: Bool = false
  ) {
    self.tables = tables
    self.schema = schema
    self.filter = filter
    self.hasFacts = hasFacts
  }

  /// A query of the entities of a type, with the id as its parameter.
  private final class RowQuery {
    let type: OutboxEventType
    var statement: Statement

    init(_ type: OutboxEventType, _ statement: consuming Statement) {
      self.type = type
      self.statement = statement
    }
  }

  /// Prepares to find entities of every type.
  ///
  /// The temporary tables can't be created while a statement of the connection is at a row.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows of tables without an index, in constant memory.
  package func prepare(_ connection: borrowing Connection) throws(SQLiteError) {
    for type in tables.keys where mayHold(type) { _ = try query(for: type, connection) }
  }

  /// Returns whether the filter may hold entities of a type.
  private func mayHold(_ type: OutboxEventType) -> Bool {
    guard let filter else { return true }
    return OutboxSubject(type).map { filter.subjects.contains($0) } == true
  }

  /// Returns the entity with an id; `nil` if the store doesn't have it.
  package func entity(
    _ type: OutboxEventType, _ id: Span<UInt8>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> LiveEntity? {
    let subject = hasFacts ? OutboxSubject(type) : nil
    return try row(type, id, connection) { LiveEntity($0, factsOf: subject) }
  }

  /// Returns the entity with an id, without its facts; `nil` if the store doesn't have it.
  package func entityWithoutFacts(
    _ type: OutboxEventType, _ id: Span<UInt8>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> LiveEntity? {
    try row(type, id, connection) { LiveEntity($0, factsOf: nil) }
  }

  /// Returns the key of the row with an entity's id; `nil` if the store doesn't have it.
  package func key(
    _ type: OutboxEventType, _ id: Span<UInt8>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    try row(type, id, connection) { $0.int64(at: 0) }
  }

  private func row<Result>(
    _ type: OutboxEventType, _ id: Span<UInt8>, _ connection: borrowing Connection,
    _ read: (borrowing Statement) -> Result
  ) throws(SQLiteError) -> Result? {
    guard let query = try query(for: type, connection) else { return nil }
    return try query.statement.firstRow(id, read)
  }

  private func query(
    for type: OutboxEventType, _ connection: borrowing Connection
  ) throws(SQLiteError) -> RowQuery? {
    // With so few types, a linear search is faster than a dictionary.
    for query in queries where query.type == type { return query }
    guard let table = tables[type] else { return nil }
    let condition = try condition(table, type, connection)
    let query = RowQuery(
      type,
      try connection.prepare(
        """
        SELECT \(table.columnList(hasFacts: hasFacts))
        FROM \(qualified(table.table, in: schema)) WHERE \(condition)
        """, isPersistent: true))
    queries.append(query)
    return query
  }

  /// Returns the SQL condition that selects the first row with the bound id.
  private func condition(
    _ table: EntityTable, _ type: OutboxEventType, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String {
    let isSame = "\(quoteIdentifier(table.id)) = ?1 AND Z_ENT = \(table.entityNumber)"
    if try hasIndex(table, connection) { return "\(isSame) ORDER BY Z_PK LIMIT 1" }
    let list = "temp.\(quoteIdentifier("entity_ids_" + type.rawValue))"
    try self.list(table, type, as: list, connection)
    return "Z_PK = (SELECT key FROM \(list) WHERE id = ?1) AND \(isSame)"
  }

  /// Returns whether the ids have an index of all rows with binary collation.
  private func hasIndex(
    _ table: EntityTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.value(
      """
      SELECT 1 FROM pragma_index_list(?1, ?2) AS list, pragma_index_xinfo(list.name, ?2) AS part
      WHERE NOT list.partial AND part.seqno = 0 AND part.name = ?3 AND part.coll = 'BINARY'
      """, [.text(table.table), .text(schema), .text(table.id)]) != nil
  }

  /// Copies the ids of a table that the filter may hold to a temporary table.
  private func list(
    _ table: EntityTable, _ type: OutboxEventType, as list: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      """
      DROP TABLE IF EXISTS \(list);
      CREATE TEMP TABLE \(quoteIdentifier("entity_ids_" + type.rawValue))
      (id BLOB PRIMARY KEY, key INTEGER) WITHOUT ROWID
      """)
    let id = quoteIdentifier(table.id)
    var row = try connection.prepare(
      """
      SELECT \(id), Z_PK FROM \(qualified(table.table, in: schema))
      WHERE Z_ENT = \(table.entityNumber) AND typeof(\(id)) = 'blob' ORDER BY Z_PK
      """, isPersistent: true)
    var insertion = try connection.prepare(
      "INSERT OR IGNORE INTO \(list) VALUES (?1, ?2)", isPersistent: true)
    let subject = OutboxSubject(type)
    while try row.step() {
      if let filter, let subject, !row.withBytes(at: 0, { filter.mayHold(subject, $0) }) {
        continue
      }
      for column in 0..<2 { try insertion.bindColumn(of: row, column: column, at: column + 1) }
      try insertion.run()
    }
  }
}

extension Statement {
  /// Runs the query for an entity's id, and reads its first row; `nil` if there is no row.
  ///
  /// This is one call, because each access to a statement in a class is checked for exclusivity at
  /// run time.
  fileprivate mutating func firstRow<Result>(
    _ id: Span<UInt8>, _ read: (borrowing Statement) -> Result
  ) throws(SQLiteError) -> Result? {
    try bindBlob(id, at: 1)
    guard try step() else { return nil }
    let result = read(self)
    // While a statement is at a row, the connection can't attach or detach a store.
    try run()
    return result
  }
}
