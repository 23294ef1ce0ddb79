import OutboxCore
import JSONText
package import SQLite
package import StoreFormat
import StoreModel

/// Forecasts what a shipped app does with its outbox, and finds what prevents delivery.
package struct QueueCheck {
  private let app: OutboxApp
  private let table: String
  private let columns: [String]
  private let entities: [OutboxEventType: EntityTable]
  private let schema: String

  /// The attributes that the apps' decisions depend on, in the order of ``query(_:)``.
  private enum Attribute: String, CaseIterable {
    case eventType, status, entityID, userID, attemptCount, maxAttempts, isNewRecord, metadata
    case priority, createdAt

    /// The index of the column in a query's row; column 0 has the key.
    var column: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  /// Creates the check of a store with FitIQCore's outbox; `nil` for any other store.
  package init?(_ layout: StoreLayout, schema: String = "main") {
    let entity = "SDOutboxEvent"
    guard let table = layout.table(of: entity) else { return nil }
    let columns = Attribute.allCases.compactMap {
      table.attributeColumn($0.rawValue, of: entity)
    }
    let app: OutboxApp = layout.table(of: "SDProgressEntry") == nil ? .lume : .fitIQ
    // FitIQ has an entity for moods too, but no event in its queue is about one.
    let types = OutboxEventType.allCases.filter { $0.app == app }
    let entities = EntityTable.all(of: types, in: layout)
    guard columns.count == Attribute.allCases.count, !entities.isEmpty else { return nil }
    self.app = app
    self.table = table.name
    self.columns = columns
    self.entities = entities
    self.schema = schema
  }

  /// Reads the outbox, and returns the forecast.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  package func forecast(_ connection: borrowing Connection) throws(SQLiteError) -> QueueForecast {
    let finder = EntityFinder(entities, schema: schema)
    try finder.prepare(connection)
    var forecast = QueueForecast()
    var findings = QueueFindings()
    var (legacy, exhausted): (Int64, Int64) = (0, 0)
    var row = try connection.prepare(query(" ORDER BY Z_PK"), isPersistent: true)
    while try row.step() {
      let key = row.int64(at: 0)
      if app == .lume, let problem = Self.metadataProblem(row) { findings.note(problem, key, app) }
      guard row.string(at: Attribute.status.column) != OutboxEventStatus.completed.rawValue else {
        continue
      }
      let event = QueuedEvent(row)
      let live = try entity(of: event, finder, connection)
      forecast.open += 1
      if event.isTakenUp(by: app) { forecast.steps[event.step(live, in: app), default: 0] += 1 }
      if event.metadata == .undecodable { legacy += 1 }
      if event.isExhausted { exhausted += 1 }
      for problem in event.problems(live, in: app) {
        findings.note(problem, key, app, isUndecodable: event.metadata == .undecodable)
      }
    }
    forecast.findings = findings.lines
    if app == .fitIQ { forecast.warnings = Self.warnings(legacy: legacy, exhausted: exhausted) }
    forecast.batch = try batch(finder, connection)
    return forecast
  }

  private func entity(
    of event: QueuedEvent, _ finder: EntityFinder, _ connection: borrowing Connection
  ) throws(SQLiteError) -> LiveEntity? {
    guard let type = event.eventType else { return nil }
    return try finder.entity(type, event.entityID.span, connection)
  }

  private static func warnings(legacy: Int64, exhausted: Int64) -> [String] {
    [
      legacy == 0
        ? nil
        : "\(counted(legacy, "row has", "rows have")) metadata that the app can't read; it "
          + "still sends them, except deletes",
      exhausted == 0
        ? nil : "\(counted(exhausted, "row has", "rows have")) failed too often to be retried",
    ].compactMap(\.self)
  }

  private static func metadataProblem(_ row: borrowing Statement) -> QueueProblem? {
    let column = Attribute.metadata.column
    guard !row.isNull(at: column) else { return nil }
    return row.withBytes(at: column) { text in
      if !isJSONText(text) { return .metadataNotJSON }
      return text.namesSecret ? .metadataNamesSecret : nil
    }
  }

  /// Returns the rows that the app picks up first, in its order.
  private func batch(
    _ finder: EntityFinder, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [QueueForecast.Entry] {
    var row = try connection.prepare(
      query(
        " WHERE \(isTakenUp) "
          + "ORDER BY \(name(.priority)) DESC, \(name(.createdAt)), Z_PK LIMIT \(app.batchSize)"))
    var entries: [QueueForecast.Entry] = []
    while try row.step() {
      let event = QueuedEvent(row)
      let live = try entity(of: event, finder, connection)
      entries.append(
        QueueForecast.Entry(
          key: row.int64(at: 0), eventType: event.eventType?.rawValue,
          step: event.step(live, in: app)))
    }
    return entries
  }

  /// Returns the quoted column name of an attribute.
  private func name(_ attribute: Attribute) -> String {
    quoteIdentifier(columns[attribute.column - 1])
  }

  /// The query of event types: the number of rows of each that the app picks up.
  var unknownTypesQuery: String {
    "SELECT \(name(.eventType)), count(*) FROM \(qualified(table, in: schema)) "
      + "WHERE \(isTakenUp) GROUP BY 1"
  }

  /// The SQL condition for rows that the app picks up.
  private var isTakenUp: String {
    let (status, attempts, most) = (name(.status), name(.attemptCount), name(.maxAttempts))
    return switch app {
    case .fitIQ: "\(status) = 'pending' OR (\(status) = 'failed' AND \(attempts) < \(most))"
    case .lume: "\(status) IN ('pending', 'failed')"
    }
  }

  private func query(_ rest: String) -> String {
    let names = columns.map(quoteIdentifier).joined(separator: ", ")
    return "SELECT Z_PK, \(names) FROM \(qualified(table, in: schema))\(rest)"
  }
}

extension OutboxApp {
  /// The number of rows that the shipped app picks up at once.
  fileprivate var batchSize: Int {
    switch self {
    case .fitIQ: 10
    case .lume: 50
    }
  }
}

extension QueuedEvent {
  /// Reads the current row of a query of the check.
  fileprivate init(_ row: borrowing Statement) {
    self.init(
      eventType: row.string(at: 1).flatMap(OutboxEventType.init),
      status: row.string(at: 2).flatMap(OutboxEventStatus.init), entityID: row.bytes(at: 3),
      userID: row.string(at: 4) ?? "", attempts: row.int64(at: 5),
      maximumAttempts: row.int64(at: 6), isNewRecord: row.int64(at: 7) != 0,
      metadata: DecodedMetadata(row.bytes(at: 8)))
  }
}
