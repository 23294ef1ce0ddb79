import OutboxFormat
import OutboxCore
import SQLite

extension OutboxCheck {
  /// The SQL condition that an event isn't a delete.
  ///
  /// It also excludes events that only might be deletes.
  var isNoDelete: String { "instr(coalesce(\(table[.metadata]), ''), '\"delete\"') = 0" }

  /// Finds the rows in a scope that can't be read as events.
  func noteUnreadable(
    _ scope: OutboxScope, _ findings: inout OutboxFindings, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let isInScope = scope.condition(table)
    var row = try connection.prepare(
      """
      SELECT Z_PK FROM \(table.table)
      WHERE (\(table.isReadable)) IS NOT TRUE AND (\(isInScope.sql)) ORDER BY Z_PK
      """)
    try row.bind(isInScope.values)
    while try row.step() {
      findings.note(.unreadable, OutboxTable.entity, row.int64(at: 0), nil)
    }
  }

  /// Finds events with another event's id, and open events that repeat another open event.
  ///
  /// The first of several isn't counted. Repeated updates of an entity are normal: only events that
  /// mark the entity as new count as duplicates.
  func noteDuplicates(
    _ scope: OutboxScope, _ findings: inout OutboxFindings, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (id, type, entity, isNew) = (
      table[.id], table[.eventType], table[.entityID], table[.isNewRecord]
    )
    let open = "\(table[.status]) <> 'completed' AND \(table.isReadable)"
    let isInScope = scope.condition(table)
    let inScope = "Z_PK IN (SELECT Z_PK FROM \(table.table) WHERE \(isInScope.sql))"
    let queries: [(OutboxFinding.Kind, String)] = [
      (
        .duplicateID,
        """
        SELECT Z_PK, type FROM (SELECT Z_PK, \(type) AS type,
        row_number() OVER (PARTITION BY \(id) ORDER BY Z_PK) AS place FROM \(table.table)
        WHERE typeof(\(id)) = 'blob') WHERE place > 1 AND \(inScope) ORDER BY Z_PK
        """
      ),
      (
        .duplicateEvent,
        """
        SELECT Z_PK, type FROM (SELECT Z_PK, \(type) AS type, \(isNew) AS isNew,
        row_number() OVER (PARTITION BY \(type), \(entity), \(isNew) ORDER BY Z_PK) AS place
        FROM \(table.table) WHERE \(open) AND \(isNoDelete))
        WHERE place > 1 AND isNew <> 0 AND \(inScope) ORDER BY Z_PK
        """
      ),
    ]
    for (kind, query) in queries {
      var row = try connection.prepare(query)
      try row.bind(isInScope.values)
      while try row.step() {
        findings.note(
          kind, OutboxTable.entity, row.int64(at: 0),
          row.string(at: 1).flatMap(OutboxEventType.init))
      }
    }
  }

  /// Finds entities that no event uploads, and entities with a contradictory sync state.
  func noteEntities(
    _ scope: OutboxScope, _ findings: inout OutboxFindings, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try listOpen(connection)
    for type in OutboxEventType.allCases
    where type != .chatMessage && (scope.eventType ?? type) == type {
      guard let subject = subjects[type] else { continue }
      if rules.madeAnew.contains(type) {
        try note(
          .missing, subject, type,
          where: "\(subject.isUnsynced) AND \(isUnheardOf(subject, type))", scope, &findings,
          connection)
      }
      guard let backendID = subject.backendID else { continue }
      // A UUID in the text column has dashes; the hexadecimal form of the store's bytes doesn't.
      let own = "replace(upper(e.\(backendID)), '-', '') = hex(e.\(subject.id))"
      let unknown = subject.syncStatus.map {
        " OR (e.\($0) = 'synced' AND coalesce(e.\(backendID), '') = '')"
      }
      try note(
        .inconsistent, subject, type, where: own + (unknown ?? ""), scope, &findings, connection)
    }
  }

  private func note(
    _ kind: OutboxFinding.Kind, _ subject: RequestTable, _ type: OutboxEventType,
    where condition: String, _ scope: OutboxScope, _ findings: inout OutboxFindings,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let isInScope = scope.condition(subject)
    var row = try connection.prepare(
      """
      SELECT e.Z_PK FROM \(subject.table) AS e WHERE \(isInScope.sql)
      AND (\(condition)) ORDER BY e.Z_PK
      """)
    try row.bind(isInScope.values)
    while try row.step() { findings.note(kind, subject.rows.entity, row.int64(at: 0), type) }
  }

  /// Lists the types and entities of open events in a temporary table.
  func listOpen(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.outbox_open;
      CREATE TEMP TABLE outbox_open (type TEXT, id BLOB, PRIMARY KEY (type, id)) WITHOUT ROWID;
      INSERT OR IGNORE INTO temp.outbox_open SELECT \(table[.eventType]), \(table[.entityID])
      FROM \(table.table) WHERE \(table[.status]) <> 'completed' AND \(table.isReadable)
      """)
  }

  /// Returns the SQL condition that no listed event is about the row `e`.
  func isUnheardOf(_ subject: RequestTable, _ type: OutboxEventType) -> String {
    """
    NOT EXISTS (SELECT 1 FROM temp.outbox_open AS o
    WHERE o.type = '\(type.rawValue)' AND o.id = e.\(subject.id))
    """
  }
}
