import SQLite
import StoreFormat
import StoreModel
import Migrations
import StoreAccess
import RowRewriting

/// Says what FitIQ would do with its outbox, and finds what would keep it from delivering.
struct FitIQQueueCheck {
  private let table: String
  private let columns: [String]
  private let entities: [Target]
  private let schema: String

  /// The attributes that the app's decisions depend on.
  private static let attributes = [
    "eventType", "status", "entityID", "attemptCount", "maxAttempts", "isNewRecord", "metadata",
    "priority", "createdAt",
  ]

  /// How many rows the app takes up at once.
  private static let batchSize = 10

  /// The table of an entity that events of a type are about.
  private struct Target: Hashable {
    let eventType: String
    let table: String
    let number: Int
    let id: String
    let backendID: String?
    let profile: String?
  }

  /// The check of a store with FitIQ's outbox; none of any other.
  init?(_ layout: StoreLayout, schema: String) {
    let entity = "SDOutboxEvent"
    guard let table = layout.table(of: entity), layout.table(of: "SDProgressEntry") != nil else {
      return nil
    }
    let columns = Self.attributes.compactMap { table.attributeColumn($0, of: entity) }
    guard columns.count == Self.attributes.count else { return nil }
    self.table = table.name
    self.columns = columns
    self.schema = schema
    entities = FitIQEvent.entities.sorted { $0.key < $1.key }.compactMap { type, name in
      guard let root = layout.numbering.root(of: name), let table = layout.table(of: root),
        let number = layout.numbering.number(of: name),
        let id = table.attributeColumn("id", of: name)
      else { return nil }
      return Target(
        eventType: type, table: table.name, number: number, id: id,
        backendID: table.attributeColumn("backendID", of: name),
        profile: table.column(.foreignKey(entity: name, relationship: "userProfile"))?.name)
    }
  }

  /// Reads the outbox.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  func forecast(_ connection: borrowing Connection) throws -> QueueForecast {
    try list(connection)
    var forecast = QueueForecast()
    var findings = QueueFindings()
    var (legacy, exhausted): (Int64, Int64) = (0, 0)
    var row = try connection.prepare(query(" ORDER BY rows.Z_PK"), isPersistent: true)
    while try row.step() {
      let event = FitIQEvent(row)
      guard event.status != "completed" else { continue }
      forecast.open += 1
      if event.metadata == .legacy { legacy += 1 }
      if event.isExhausted { exhausted += 1 }
      let live = FitIQEvent.Live(row)
      if event.isTakenUp { forecast.steps[event.step(live), default: 0] += 1 }
      Self.look(at: event, live, key: row.int64(at: 0), &findings)
    }
    forecast.findings = findings.lines
    forecast.warnings = [
      legacy == 0
        ? nil
        : "\(counted(legacy, "row has", "rows have")) metadata that the app reads nothing from; it "
          + "sends them all the same, unless they were to delete something",
      exhausted == 0
        ? nil : "\(counted(exhausted, "row has", "rows have")) failed too often to be tried again",
    ].compactMap(\.self)
    forecast.batch = try batch(connection)
    return forecast
  }

  private static func look(
    at event: FitIQEvent, _ live: FitIQEvent.Live?, key: Int64, _ findings: inout QueueFindings
  ) {
    if event.status == "processing" {
      return findings.note(.admission, "is being processed, and never taken up again", key)
    }
    if event.isExhausted { return }
    guard event.isTakenUp else {
      return findings.note(.admission, "has no status of the app's", key)
    }
    switch event.step(live) {
    case .stops:
      findings.note(.admission, "has no event type of the app's, and stops the queue", key)
    case .completed:
      findings.note(.admission, "has an event type that the app removes unsent", key)
    case .fails: findings.note(event.check, event.failure(live), key)
    case .create, .update, .delete:
      if event.isNewRecord, live?.isSynced == true {
        findings.note(.newRecords, "counts as new what the server has already", key)
      }
    }
  }

  /// Lists the entities by event type and id; of several with the same id the first counts.
  private func list(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_targets")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_targets (type TEXT, id BLOB, is_synced INTEGER,
        has_profile INTEGER, PRIMARY KEY (type, id)) WITHOUT ROWID
      """)
    for target in entities {
      let id = quoteIdentifier(target.id)
      let synced = target.backendID.map { "\(quoteIdentifier($0)) IS NOT NULL" } ?? "0"
      let profile = target.profile.map { "\(quoteIdentifier($0)) IS NOT NULL" } ?? "1"
      try connection.execute(
        """
        INSERT OR IGNORE INTO temp.delivery_targets
        SELECT ?1, \(id), \(synced), \(profile) FROM \(qualified(target.table, in: schema))
        WHERE Z_ENT = \(target.number) AND typeof(\(id)) = 'blob' ORDER BY Z_PK
        """, [.text(target.eventType)])
    }
  }

  /// The rows that the app takes up first, in its order.
  private func batch(_ connection: borrowing Connection) throws -> [QueueForecast.Entry] {
    let names = columns.map { "rows.\(quoteIdentifier($0))" }
    var row = try connection.prepare(
      query(
        " WHERE \(names[1]) = 'pending' OR (\(names[1]) = 'failed' AND \(names[3]) < \(names[4])) "
          + "ORDER BY \(names[7]) DESC, \(names[8]), rows.Z_PK LIMIT \(Self.batchSize)"))
    var entries: [QueueForecast.Entry] = []
    while try row.step() {
      let event = FitIQEvent(row)
      let isKnown = QueuedEvent.knownTypes.contains(event.eventType)
      entries.append(
        QueueForecast.Entry(
          key: row.int64(at: 0), eventType: isKnown ? event.eventType : nil,
          step: event.step(FitIQEvent.Live(row))))
    }
    return entries
  }

  private func query(_ rest: String) -> String {
    let names = columns.map { "rows.\(quoteIdentifier($0))" }
    return """
      SELECT rows.Z_PK, \(names.joined(separator: ", ")), targets.is_synced, targets.has_profile
      FROM \(qualified(table, in: schema)) AS rows LEFT JOIN temp.delivery_targets AS targets
      ON targets.type = \(names[0]) AND targets.id = \(names[2])\(rest)
      """
  }
}

extension FitIQEvent {
  /// The event in the row that a query of the check is at.
  fileprivate init(_ row: borrowing Statement) {
    eventType = row.string(at: 1) ?? ""
    status = row.string(at: 2) ?? ""
    attempts = row.int64(at: 4)
    maximumAttempts = row.int64(at: 5)
    isNewRecord = row.int64(at: 6) != 0
    metadata = FitIQMetadata(row.bytes(at: 7))
  }

  /// The check that a row belongs to which fails.
  fileprivate var check: QueueForecast.Check {
    if Self.entities[eventType] == nil { return .admission }
    if case .delete = metadata { return .deletes }
    return .entities
  }

  /// Why the row fails.
  fileprivate func failure(_ live: Live?) -> String {
    switch check {
    case .admission: "has an event type of another app, and fails"
    case .deletes: "deletes by no id"
    default:
      live == nil
        ? (metadata == .legacy
          ? "is about what isn't in the store, and its metadata can't say that it deletes"
          : "is about what isn't in the store")
        : "is about what no profile is linked to"
    }
  }
}

extension FitIQEvent.Live {
  fileprivate init?(_ row: borrowing Statement) {
    if row.isNull(at: 10) { return nil }
    isSynced = row.int64(at: 10) != 0
    hasProfile = row.int64(at: 11) != 0
  }
}
