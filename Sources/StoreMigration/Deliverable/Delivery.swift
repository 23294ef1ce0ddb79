import SQLite
import StoreFormat

/// Where the parts of an outbox lie that is written in the form which the app sends.
struct Delivery: Hashable, Sendable {
  /// The columns of the source's query.
  struct Source: Hashable, Sendable {
    let id: Int
    let eventType: Int
    let status: Int
    let payload: Int
    let createdAt: Int
  }

  /// The columns of the target's table.
  struct Target: Hashable, Sendable {
    let eventType: Int
    let entityID: Int
    let userID: Int
    let status: Int
    let metadata: Int
    let priority: Int
    let isNewRecord: Int

    /// All of them.
    var places: Set<Int> {
      [eventType, entityID, userID, status, metadata, priority, isNewRecord]
    }
  }

  let source: Source
  let target: Target

  /// The tables of the entities that events are about, where the source's model has them.
  let entities: [EntityTable]

  /// The delivery of a program that turns the outbox's payloads into metadata; none for any other.
  init?(_ program: RowProgram, in layout: StoreLayout) {
    guard program.table.rootEntity == "SDOutboxEvent",
      program.conversions.contains(where: { $0.converter == .jsonText })
    else { return nil }
    func source(_ property: String) -> Int? { program.sourceProperties.firstIndex(of: property) }
    func target(_ property: String) -> Int? {
      program.table.columns.firstIndex { $0.content.property == property }
    }
    guard let id = source("id"), let eventType = source("eventType"),
      let status = source("status"), let payload = source("payload"),
      let createdAt = source("createdAt"),
      let newType = target("eventType"), let entityID = target("entityID"),
      let userID = target("userID"), let newStatus = target("status"),
      let metadata = target("metadata"), let priority = target("priority"),
      let isNewRecord = target("isNewRecord")
    else { return nil }
    self.source = Source(
      id: id, eventType: eventType, status: status, payload: payload, createdAt: createdAt)
    self.target = Target(
      eventType: newType, entityID: entityID, userID: userID, status: newStatus,
      metadata: metadata, priority: priority, isNewRecord: isNewRecord)
    entities = OutboxSubject.allCases.compactMap { EntityTable($0, in: layout) }
  }
}

/// The table of an entity that events are about.
struct EntityTable: Hashable, Sendable {
  let subject: OutboxSubject
  let table: String
  let entityNumber: Int64

  /// The columns with the entity's id, its owner, and its id on the server.
  let id: String
  let owner: String?
  let backendID: String?

  /// The two columns that metadata tells of.
  let facts: [String?]

  init?(_ subject: OutboxSubject, in layout: StoreLayout) {
    let entity = subject.entity
    guard let root = layout.numbering.root(of: entity), let table = layout.table(of: root),
      let number = layout.numbering.number(of: entity),
      let id = table.attributeColumn("id", of: entity)
    else { return nil }
    self.subject = subject
    self.table = table.name
    entityNumber = Int64(number)
    self.id = id
    owner = table.attributeColumn("userId", of: entity)
    backendID = table.attributeColumn("backendId", of: entity)
    let told: [String] =
      switch subject {
      case .mood: ["valence", "labels"]
      case .journal: ["content", "linkedMoodId"]
      case .goal: ["title", "category"]
      case .conversation: []
      }
    facts = told.map { table.attributeColumn($0, of: entity) }
  }

  /// The columns that decisions depend on.
  var columns: [String] { [id] + ([owner, backendID] + facts).compactMap(\.self) }

  /// The query that finds a row by the id bound to its first parameter; of several with the same id the
  /// first counts.
  ///
  /// - Parameters:
  ///   - schema: The name under which the store is open.
  ///   - isIndexed: Whether the store has an index of the ids; otherwise the rows must be listed.
  /// - Returns: A SELECT whose columns are the id on the server, the owner and the facts.
  func query(schema: String, isIndexed: Bool) -> String {
    let columns = ([backendID, owner] + facts).map { $0.map(quoteIdentifier) ?? "NULL" }
    let selection =
      "SELECT \(columns.joined(separator: ", ")) FROM \(qualified(table, in: schema))"
    if isIndexed {
      return """
        \(selection) WHERE \(quoteIdentifier(id)) = ?1 AND Z_ENT = \(entityNumber)
        ORDER BY Z_PK LIMIT 1
        """
    }
    return """
      \(selection) WHERE Z_PK = (SELECT key FROM temp.delivery_entities
      WHERE subject = \(subject.rawValue) AND id = ?1)
      """
  }

  /// Returns whether the store has an index of the ids.
  func isIndexed(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> Bool {
    try connection.value(
      """
      SELECT 1 FROM pragma_index_list(?1, ?2) AS list
      JOIN pragma_index_info(list.name, ?2) AS info
      WHERE info.seqno = 0 AND info.name = ?3 COLLATE NOCASE AND list.partial = 0
      """, [.text(table), .text(schema), .text(id)]) != nil
  }

  /// Lists the rows by their ids; of several with the same id the first counts.
  func list(_ connection: borrowing Connection, schema: String) throws(SQLiteError) {
    let id = quoteIdentifier(id)
    try connection.execute(
      """
      INSERT OR IGNORE INTO temp.delivery_entities
      SELECT \(subject.rawValue), \(id), Z_PK FROM \(qualified(table, in: schema))
      WHERE Z_ENT = \(entityNumber) AND typeof(\(id)) = 'blob' ORDER BY Z_PK
      """)
  }
}
