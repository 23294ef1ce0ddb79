import SQLite
import Migrations
import RowRewriting

/// Finds the entities of a store that events are about, as far as it decides whether an event is sent.
///
/// Where ids have an index it is used. Else the entities are listed in a temporary table; those that no
/// event is about aren't entered.
struct WantedEntities: ~Copyable {
  private var queries = EntityQueries()

  /// Prepares to find the entities that a filter holds.
  ///
  /// Of several rows with the same id the first counts.
  ///
  /// - Complexity: O(*n*) in the number of rows of tables without an index, in constant memory.
  init(
    _ tables: [EntityTable], in filter: EntityFilter, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_wanted")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_wanted
      (subject INTEGER, id BLOB, owner, is_synced INTEGER, PRIMARY KEY (subject, id)) WITHOUT ROWID
      """)
    for table in tables where filter.subjects.contains(table.subject) {
      guard try table.hasRows(connection) else { continue }
      queries.set(
        try table.search(in: filter, connection), for: table.subject)
    }
  }

  /// Returns an entity, without the facts about it; none where the store doesn't have it.
  mutating func entity(
    _ subject: OutboxSubject, _ id: [UInt8]
  ) throws(SQLiteError) -> LiveEntity? {
    try queries.entity(subject, id) { row in
      LiveEntity(
        isSynced: row.int64(at: 1) == 1, owner: row.value(at: 0).uuid, facts: EntityFacts())
    }
  }
}

extension EntityTable {
  /// The columns that decide: the owner, and whether the server has given an id.
  private var deciding: String {
    let isSynced = backendID.map { "\(quoteIdentifier($0)) IS NOT NULL" } ?? "0"
    return "\(owner.map(quoteIdentifier) ?? "NULL"), \(isSynced)"
  }

  /// Returns whether there is anything to be found.
  fileprivate func hasRows(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.value("SELECT 1 FROM \(qualified(table, in: "main")) LIMIT 1") != nil
  }

  /// Returns whether ids have an index.
  private func hasIndex(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.value(
      """
      SELECT 1 FROM pragma_index_list(?1, ?2) AS list, pragma_index_xinfo(list.name, ?2) AS part
      WHERE NOT list.partial AND part.seqno = 0 AND part.name = ?3 AND part.coll = 'BINARY'
      """, [.text(table), .text("main"), .text(id)]) != nil
  }

  /// Prepares a query that finds a row by the id bound to its first parameter.
  fileprivate func search(
    in filter: EntityFilter, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement {
    guard try hasIndex(connection) else {
      try list(in: filter, connection)
      return try connection.prepare(
        """
        SELECT owner, is_synced FROM temp.delivery_wanted
        WHERE subject = \(subject.rawValue) AND id = ?1
        """, isPersistent: true)
    }
    return try connection.prepare(
      """
      SELECT \(deciding) FROM \(qualified(table, in: "main"))
      WHERE \(quoteIdentifier(id)) = ?1 AND Z_ENT = \(entityNumber) ORDER BY Z_PK LIMIT 1
      """, isPersistent: true)
  }

  /// Lists the entities that a filter holds.
  private func list(
    in filter: EntityFilter, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let id = quoteIdentifier(id)
    var row = try connection.prepare(
      """
      SELECT \(id), \(deciding) FROM \(qualified(table, in: "main"))
      WHERE Z_ENT = \(entityNumber) AND typeof(\(id)) = 'blob' ORDER BY Z_PK
      """, isPersistent: true)
    var insertion = try connection.prepare(
      "INSERT OR IGNORE INTO temp.delivery_wanted VALUES (\(subject.rawValue), ?1, ?2, ?3)",
      isPersistent: true)
    while try row.step() {
      guard row.withBytes(at: 0, { filter.mayHold(subject, $0) }) else { continue }
      for column in 0..<3 { try insertion.bindColumn(of: row, column: column, at: column + 1) }
      try insertion.run()
    }
  }
}
