import SQLite
import Migrations
import RowRewriting

/// The queries that find an entity's row, one for each subject whose table the store has.
///
/// Each has the entity's id as its first parameter.
struct EntityQueries: ~Copyable {
  private var moods: Statement?
  private var journals: Statement?
  private var goals: Statement?
  private var conversations: Statement?

  /// Keeps the query for a subject.
  mutating func set(_ query: consuming Statement, for subject: OutboxSubject) {
    switch subject {
    case .mood: moods = consume query
    case .journal: journals = consume query
    case .goal: goals = consume query
    case .conversation: conversations = consume query
    }
  }

  /// Reads the row of an entity; none where the store doesn't have it.
  mutating func entity(
    _ subject: OutboxSubject, _ id: [UInt8], _ read: (borrowing Statement) -> LiveEntity
  ) throws(SQLiteError) -> LiveEntity? {
    switch subject {
    case .mood: try Self.find(id, &moods, read)
    case .journal: try Self.find(id, &journals, read)
    case .goal: try Self.find(id, &goals, read)
    case .conversation: try Self.find(id, &conversations, read)
    }
  }

  private static func find(
    _ id: [UInt8], _ query: inout Statement?, _ read: (borrowing Statement) -> LiveEntity
  ) throws(SQLiteError) -> LiveEntity? {
    try query?.bindBlob(id.span, at: 1)
    guard try query?.step() == true else { return nil }
    var entity: LiveEntity?
    if let row = query.take() {
      entity = read(row)
      query = consume row
    }
    // A statement that stands on a row would keep the store from being attached or detached.
    try query?.run()
    return entity
  }
}
