import PropertyList
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting

/// Finds the entities that events are about.
struct EntityLookup: ~Copyable {
  private var queries = EntityQueries()
  private var owners: Statement?

  /// Lists the entities of a store by their ids.
  init(
    _ tables: [EntityTable], _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) {
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
      queries.set(
        try connection.prepare(table.query(schema: schema), isPersistent: true),
        for: table.subject)
    }
  }

  /// Returns an entity; none where the store doesn't have it.
  mutating func entity(
    _ subject: OutboxSubject, _ id: [UInt8]
  ) throws(SQLiteError) -> LiveEntity? {
    try queries.entity(subject, id) { LiveEntity($0, subject) }
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
