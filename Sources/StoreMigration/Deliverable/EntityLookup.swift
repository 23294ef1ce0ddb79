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

  /// Lists the entities of a store by their ids, where it has no index of them.
  init(
    _ tables: [EntityTable], _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) {
    moods = nil
    journals = nil
    goals = nil
    conversations = nil
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_entities")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_entities
      (subject INTEGER, id BLOB, key INTEGER, PRIMARY KEY (subject, id)) WITHOUT ROWID
      """)
    for table in tables {
      let isIndexed = try table.isIndexed(connection, schema: schema)
      if !isIndexed { try table.list(connection, schema: schema) }
      let query = table.query(schema: schema, isIndexed: isIndexed)
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
  fileprivate init(_ row: borrowing Statement, _ subject: OutboxSubject) {
    isSynced = !row.isNull(at: 0)
    let id = row.bytes(at: 1)
    owner = id.count == 16 ? id : nil
    var facts = EntityFacts()
    switch subject {
    case .mood:
      facts.valence = row.isNull(at: 2) ? nil : row.double(at: 2)
      facts.labels = Self.texts(row.bytes(at: 3))
    case .journal:
      facts.wordCount = row.isNull(at: 2) ? nil : row.withBytes(at: 2) { $0.wordCount }
      let mood = row.bytes(at: 3)
      facts.linkedMood = mood.count == 16 ? mood : nil
    case .goal:
      facts.title = row.string(at: 2)
      facts.category = row.string(at: 3)
    case .conversation: break
    }
    self.facts = facts
  }

  /// The texts in the archive of an array; none where it can't be read.
  private static func texts(_ archive: [UInt8]) -> [String]? {
    guard let list = try? PropertyList(binary: archive), let archive = try? KeyedArchive(list),
      let value = try? archive.modelValue, case .array(let elements) = value
    else { return nil }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
