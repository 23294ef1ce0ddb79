import PropertyList
import SQLite
import StoreFormat
import StoreModel

/// Finds the entities that events are about.
struct EntityLookup: ~Copyable {
  private var moods: Statement?
  private var journals: Statement?
  private var goals: Statement?
  private var conversations: Statement?
  private var owners: Statement?

  /// Lists the entities of a store by their ids.
  init(
    _ tables: [EntityTable], _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) {
    moods = nil
    journals = nil
    goals = nil
    conversations = nil
    owners = nil
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_entities")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_entities
      (subject INTEGER, id BLOB, key INTEGER, owner, PRIMARY KEY (subject, id)) WITHOUT ROWID
      """)
    owners = try connection.prepare(
      "SELECT owner FROM temp.delivery_entities WHERE subject = ?1 AND id = ?2",
      isPersistent: true)
    for table in tables {
      try table.list(connection, schema: schema)
      let query = table.query(schema: schema)
      switch table.subject {
      case .mood: moods = try connection.prepare(query, isPersistent: true)
      case .journal: journals = try connection.prepare(query, isPersistent: true)
      case .goal: goals = try connection.prepare(query, isPersistent: true)
      case .conversation: conversations = try connection.prepare(query, isPersistent: true)
      }
    }
  }

  /// Returns an entity; none where the store doesn't have it.
  mutating func entity(
    _ subject: OutboxSubject, _ id: [UInt8]
  ) throws(SQLiteError) -> LiveEntity? {
    switch subject {
    case .mood: try Self.find(id, subject, &moods)
    case .journal: try Self.find(id, subject, &journals)
    case .goal: try Self.find(id, subject, &goals)
    case .conversation: try Self.find(id, subject, &conversations)
    }
  }

  /// The 16 bytes of an entity's owner; none where the store doesn't have the entity, or nobody owns it.
  mutating func owner(
    _ subject: OutboxSubject, _ id: [UInt8]
  ) throws(SQLiteError) -> [UInt8]? {
    try owners?.bind([.integer(subject.rawValue), .blob(id)])
    guard try owners?.step() == true else { return nil }
    let owner = owners?.value(at: 0)
    try owners?.run()
    return owner?.uuid
  }

  private static func find(
    _ id: [UInt8], _ subject: OutboxSubject, _ statement: inout Statement?
  ) throws(SQLiteError) -> LiveEntity? {
    try statement?.bindBlob(id.span, at: 1)
    guard try statement?.step() == true else { return nil }
    var entity: LiveEntity?
    if let row = statement.take() {
      entity = LiveEntity(row, subject)
      statement = consume row
    }
    // A statement that stands on a row would keep the store from being attached or detached.
    try statement?.run()
    return entity
  }
}

extension LiveEntity {
  /// The entity in the row that a query is at; what has another storage class than it should isn't told.
  fileprivate init(_ row: borrowing Statement, _ subject: OutboxSubject) {
    isSynced = !row.isNull(at: 0)
    owner = row.value(at: 1).uuid
    var facts = EntityFacts()
    switch subject {
    case .mood:
      facts.valence = row.number(at: 2)
      facts.labels = Self.texts(row.bytes(at: 3))
    case .journal:
      facts.wordCount = row.type(at: 2) == .text ? row.withBytes(at: 2) { $0.wordCount } : nil
      facts.link =
        row.isNull(at: 3) ? EntityFacts.MoodLink.none : row.value(at: 3).uuid.map { .mood($0) }
    case .goal:
      facts.title = row.type(at: 2) == .text ? row.string(at: 2) : nil
      facts.category = row.type(at: 3) == .text ? row.string(at: 3) : nil
    case .conversation: break
    }
    self.facts = facts
  }

  /// The texts in the archive of an array; none where it can't be read, or holds anything else.
  private static func texts(_ archive: [UInt8]) -> [String]? {
    guard let list = try? PropertyList(binary: archive), let archive = try? KeyedArchive(list),
      let value = try? archive.modelValue, case .array(let elements) = value
    else { return nil }
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }
}

extension Statement {
  /// The number in a column; none of anything else.
  fileprivate func number(at column: Int) -> Double? {
    switch type(at: column) {
    case .integer, .real: double(at: column)
    case .null, .text, .blob: nil
    }
  }
}

extension Value {
  /// The bytes, where they are those of a UUID.
  var uuid: [UInt8]? {
    if case .blob(let bytes) = self, bytes.count == 16 { bytes } else { nil }
  }
}
