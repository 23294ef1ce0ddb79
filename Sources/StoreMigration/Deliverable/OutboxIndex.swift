import SQLite

/// The events of an outbox by the entities that they are about.
///
/// It lies in a temporary table, so that rows which take each other back are found in constant memory.
struct OutboxIndex: ~Copyable {
  private var insertion: Statement
  private var deletes: Statement
  private var creates: Statement
  private var updates: Statement
  private var first: Statement

  private init(
    insertion: consuming Statement, deletes: consuming Statement, creates: consuming Statement,
    updates: consuming Statement, first: consuming Statement
  ) {
    self.insertion = insertion
    self.deletes = deletes
    self.creates = creates
    self.updates = updates
    self.first = first
  }

  /// Makes an empty index in place of the connection's last one.
  static func make(_ connection: borrowing Connection) throws(SQLiteError) -> OutboxIndex {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_events")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_events (
        subject INTEGER, entity BLOB, deed INTEGER, is_closed INTEGER, created REAL, key INTEGER,
        PRIMARY KEY (subject, entity, deed, is_closed, created, key)) WITHOUT ROWID
      """)
    return OutboxIndex(
      insertion: try connection.prepare(
        "INSERT INTO temp.delivery_events VALUES (?1, ?2, ?3, ?4, ?5, ?6)", isPersistent: true),
      deletes: try connection.prepare(query(.delete, order: "is_closed, created, key")),
      creates: try connection.prepare(query(.create, isOpen: true, order: "created, key")),
      updates: try connection.prepare(
        query(.update, isOpen: true, order: "created DESC, key DESC")),
      first: try connection.prepare(query(.update, isOpen: true, order: "created, key")))
  }

  private static func query(
    _ deed: OutboxIntent.Deed, isOpen: Bool = false, order: String
  ) -> String {
    """
    SELECT key, created FROM temp.delivery_events
    WHERE subject = ?1 AND entity = ?2 AND deed = \(deed.rawValue)\(isOpen ? " AND is_closed = 0" : "")
    ORDER BY \(order) LIMIT 1
    """
  }

  /// When and under which key an event came.
  struct Place: Hashable {
    let created: Double
    let key: Int64

    func isBefore(_ other: Place) -> Bool { (created, key) < (other.created, other.key) }
  }

  /// Enters a row.
  mutating func add(
    _ intent: OutboxIntent, entity: [UInt8], isOpen: Bool, at place: Place
  ) throws(SQLiteError) {
    try insertion.bind([
      .integer(intent.subject.rawValue), .blob(entity), .integer(intent.deed.rawValue),
      .integer(isOpen ? 0 : 1), .real(place.created), .integer(place.key),
    ])
    try insertion.run()
  }

  /// The other rows about an entity, as the row at a place sees them.
  mutating func neighbours(
    of intent: OutboxIntent, entity: [UInt8], at place: Place
  ) throws(SQLiteError) -> OutboxNeighbours {
    let names: [Value] = [.integer(intent.subject.rawValue), .blob(entity)]
    var neighbours = OutboxNeighbours()
    if intent.deed == .delete {
      neighbours.create = try Self.place(&creates, names)?.key
      return neighbours
    }
    neighbours.delete = try Self.place(&deletes, names)?.key
    let last = try Self.place(&updates, names)
    neighbours.lastUpdate = last?.key
    if intent.deed == .create {
      // The updates of a goal are folded into the last.
      let update = intent.subject == .goal ? last : try Self.place(&first, names)
      let others = [try Self.place(&creates, names), update]
      neighbours.isPreceded = others.contains { $0?.isBefore(place) == true }
    }
    return neighbours
  }

  private static func place(
    _ statement: inout Statement, _ names: [Value]
  ) throws(SQLiteError) -> Place? {
    try statement.bind(names)
    guard try statement.step() else { return nil }
    let place = Place(created: statement.double(at: 1), key: statement.int64(at: 0))
    try statement.run()
    return place
  }
}
