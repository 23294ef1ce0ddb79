import StoreModel
import SQLite
import StoreFormat

/// The current state of an entity that an event is about.
package struct LiveEntity: Hashable, Sendable {
  /// Whether the server has given the entity an id.
  package let isSynced: Bool

  /// The 16 bytes of the owner's id; `nil` if there is no owner, or its id isn't a UUID.
  package let owner: [UInt8]?

  /// Whether the row has a profile; `true` if its entity can't have one.
  package let hasProfile: Bool

  /// The facts that metadata states about the entity.
  package let facts: EntityFacts

  /// Creates an entity.
  package init(
    isSynced: Bool, owner: [UInt8]? = nil, hasProfile: Bool = true,
    facts: EntityFacts = EntityFacts()
  ) {
    self.isSynced = isSynced
    self.owner = owner
    self.hasProfile = hasProfile
    self.facts = facts
  }
}

extension LiveEntity {
  /// Reads the current row of a query of ``EntityTable/columnList(hasFacts:)``.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - subject: The subject whose facts to read; `nil` to read no facts.
  init(_ row: borrowing Statement, factsOf subject: OutboxSubject?) {
    self.init(
      isSynced: row.int64(at: 1) != 0, owner: row.value(at: 2).uuid,
      hasProfile: row.int64(at: 3) != 0,
      facts: subject.map { EntityFacts(row, of: $0) } ?? EntityFacts())
  }
}

extension EntityFacts {
  /// Reads the facts of an entity; a value of an unexpected storage class is unknown.
  fileprivate init(_ row: borrowing Statement, of subject: OutboxSubject) {
    self.init()
    switch subject {
    case .mood:
      valence = row.number(at: 4)
      labels = KeyedArchive.texts(in: row.bytes(at: 5)).flatMap {
        $0.othersCount == 0 ? $0.texts : nil
      }
    case .journal:
      wordCount = row.type(at: 4) == .text ? row.withBytes(at: 4) { $0.wordCount } : nil
      link = row.isNull(at: 5) ? EntityFacts.MoodLink.none : row.value(at: 5).uuid.map { .mood($0) }
    case .goal:
      title = row.type(at: 4) == .text ? row.string(at: 4) : nil
      category = row.type(at: 5) == .text ? row.string(at: 5) : nil
    case .conversation: break
    }
  }
}

extension Statement {
  /// Returns the number in a column; `nil` if the value isn't a number.
  fileprivate func number(at column: Int) -> Double? {
    switch type(at: column) {
    case .integer, .real: double(at: column)
    case .null, .text, .blob: nil
    }
  }
}

extension Value {
  /// The bytes, if they are those of a UUID.
  fileprivate var uuid: [UInt8]? {
    if case .blob(let bytes) = self, bytes.count == 16 { bytes } else { nil }
  }
}
