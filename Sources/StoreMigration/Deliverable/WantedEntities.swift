import SQLite

/// The entities of a store that events are about, with what decides whether an event is sent.
///
/// They stand in a temporary table; those that no event is about aren't entered.
struct WantedEntities: ~Copyable {
  private var search: Statement

  /// Lists the entities that a filter holds; of several rows with the same id the first counts.
  ///
  /// - Complexity: O(*n*) in the number of rows of the tables, in constant memory.
  static func list(
    _ tables: [EntityTable], in filter: EntityFilter, _ connection: borrowing Connection,
    schema: String
  ) throws(SQLiteError) -> WantedEntities {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_wanted")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_wanted
      (subject INTEGER, id BLOB, owner, is_synced INTEGER, PRIMARY KEY (subject, id)) WITHOUT ROWID
      """)
    var insertion = try connection.prepare(
      "INSERT OR IGNORE INTO temp.delivery_wanted VALUES (?1, ?2, ?3, ?4)", isPersistent: true)
    for table in tables where filter.subjects.contains(table.subject) {
      try insertion.bindInt64(table.subject.rawValue, at: 1)
      var row = try connection.prepare(table.ownerQuery(schema: schema), isPersistent: true)
      while try row.step() {
        guard row.withBytes(at: 0, { filter.mayHold(table.subject, $0) }) else { continue }
        for column in 0..<3 { try insertion.bindColumn(of: row, column: column, at: column + 2) }
        try insertion.run()
      }
    }
    let search = try connection.prepare(
      "SELECT owner, is_synced FROM temp.delivery_wanted WHERE subject = ?1 AND id = ?2",
      isPersistent: true)
    return WantedEntities(search: search)
  }

  /// Returns an entity, without the facts about it; none where the store doesn't have it.
  mutating func entity(
    _ subject: OutboxSubject, _ id: [UInt8]
  ) throws(SQLiteError) -> LiveEntity? {
    try search.bindInt64(subject.rawValue, at: 1)
    try search.bindBlob(id.span, at: 2)
    guard try search.step() else { return nil }
    let entity = LiveEntity(
      isSynced: search.int64(at: 1) != 0, owner: search.value(at: 0).uuid, facts: EntityFacts())
    try search.run()
    return entity
  }
}

extension EntityTable {
  /// The query of ids, owners, and whether the server has given an id, in the order of keys.
  fileprivate func ownerQuery(schema: String) -> String {
    let id = quoteIdentifier(id)
    let owner = owner.map(quoteIdentifier) ?? "NULL"
    let isSynced = backendID.map { "\(quoteIdentifier($0)) IS NOT NULL" } ?? "0"
    return """
      SELECT \(id), \(owner), \(isSynced) FROM \(qualified(table, in: schema))
      WHERE Z_ENT = \(entityNumber) AND typeof(\(id)) = 'blob' ORDER BY Z_PK
      """
  }
}
