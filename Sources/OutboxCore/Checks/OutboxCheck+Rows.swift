import OutboxFormat
import SQLite

extension OutboxCheck {
  /// The condition that an event isn't a delete.
  ///
  /// One that only might be is none of those that are counted.
  var isNoDelete: String { "instr(coalesce(\(table[.metadata]), ''), '\"delete\"') = 0" }

  /// Finds events with the id of another, and those about the same as another that is to be sent.
  ///
  /// The first of several isn't counted. Updates may well follow one another, so only upserts that
  /// count as new twice are doubles.
  func noteDuplicates(
    _ findings: inout OutboxFindings, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (id, type, entity, isNew) = (
      table[.id], table[.eventType], table[.entityID], table[.isNewRecord]
    )
    let open = "\(table[.status]) <> 'completed' AND \(table.isReadable)"
    let queries: [(OutboxFinding.Kind, String)] = [
      (
        .duplicateID,
        """
        SELECT Z_PK, type FROM (SELECT Z_PK, \(type) AS type,
        row_number() OVER (PARTITION BY \(id) ORDER BY Z_PK) AS place FROM \(table.table)
        WHERE typeof(\(id)) = 'blob') WHERE place > 1 ORDER BY Z_PK
        """
      ),
      (
        .duplicateEvent,
        """
        SELECT Z_PK, type FROM (SELECT Z_PK, \(type) AS type, \(isNew) AS isNew,
        row_number() OVER (PARTITION BY \(type), \(entity), \(isNew) ORDER BY Z_PK) AS place
        FROM \(table.table) WHERE \(open) AND \(isNoDelete)) WHERE place > 1 AND isNew <> 0 ORDER BY Z_PK
        """
      ),
    ]
    for (kind, query) in queries {
      var row = try connection.prepare(query)
      while try row.step() {
        findings.note(
          kind, OutboxTable.entity, row.int64(at: 0),
          row.string(at: 1).flatMap(OutboxEventType.init))
      }
    }
  }

  /// Finds entities that the server should hear of, and those whose marks contradict each other.
  func noteEntities(
    _ findings: inout OutboxFindings, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try listOpen(connection)
    for type in OutboxEventType.allCases where type != .chatMessage {
      guard let subject = subjects[type] else { continue }
      if rules.madeAnew.contains(type) {
        try note(
          .missing, subject, type,
          where: "\(subject.isUnsynced) AND \(isUnheardOf(subject, type))", &findings, connection)
      }
      guard let backendID = subject.backendID else { continue }
      // The texts of UUIDs that were taken over have dashes, the store's bytes have none.
      let own = "replace(upper(e.\(backendID)), '-', '') = hex(e.\(subject.id))"
      let unknown = subject.syncStatus.map {
        " OR (e.\($0) = 'synced' AND coalesce(e.\(backendID), '') = '')"
      }
      try note(
        .inconsistent, subject, type, where: own + (unknown ?? ""), &findings, connection)
    }
  }

  private func note(
    _ kind: OutboxFinding.Kind, _ subject: RequestTable, _ type: OutboxEventType,
    where condition: String, _ findings: inout OutboxFindings, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var row = try connection.prepare(
      """
      SELECT e.Z_PK FROM \(subject.table) AS e WHERE e.Z_ENT = \(subject.rows.entityNumber)
      AND (\(condition)) ORDER BY e.Z_PK
      """)
    while try row.step() { findings.note(kind, subject.rows.entity, row.int64(at: 0), type) }
  }

  /// Lists what events that are to be sent are about.
  func listOpen(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.outbox_open;
      CREATE TEMP TABLE outbox_open (type TEXT, id BLOB, PRIMARY KEY (type, id)) WITHOUT ROWID;
      INSERT OR IGNORE INTO temp.outbox_open SELECT \(table[.eventType]), \(table[.entityID])
      FROM \(table.table) WHERE \(table[.status]) <> 'completed' AND \(table.isReadable)
      """)
  }

  /// The condition under which no listed event is about the row in question.
  func isUnheardOf(_ subject: RequestTable, _ type: OutboxEventType) -> String {
    """
    NOT EXISTS (SELECT 1 FROM temp.outbox_open AS o
    WHERE o.type = '\(type.rawValue)' AND o.id = e.\(subject.id))
    """
  }
}
