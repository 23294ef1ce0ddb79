import PropertyList
import SQLite
import StoreFormat
import StoreModel

/// The row of an entity that an event is about, as it is in the store.
package struct LiveEntity: Hashable, Sendable {
  /// A Boolean value indicating whether the server has given it an id.
  package let isSynced: Bool

  /// The 16 bytes of its owner's id; `nil` if it has no owner, or one without a UUID.
  package let owner: [UInt8]?

  /// A Boolean value indicating whether it is linked to a profile, if its entity can be.
  package let hasProfile: Bool

  /// What metadata states about it.
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
  /// Reads the row that a query of ``EntityTable/columnList(hasFacts:)`` is at.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - subject: Whose facts are read; `nil` if none are.
  init(_ row: borrowing Statement, factsOf subject: OutboxSubject?) {
    self.init(
      isSynced: row.int64(at: 1) != 0, owner: row.value(at: 2).uuid,
      hasProfile: row.int64(at: 3) != 0,
      facts: subject.map { EntityFacts(row, of: $0) } ?? EntityFacts())
  }
}

extension EntityFacts {
  /// Reads the facts of an entity; a value of another storage class than its column's isn't known.
  fileprivate init(_ row: borrowing Statement, of subject: OutboxSubject) {
    self.init()
    switch subject {
    case .mood:
      valence = row.number(at: 4)
      labels = Self.texts(row.bytes(at: 5))
    case .journal:
      wordCount = row.type(at: 4) == .text ? row.withBytes(at: 4) { $0.wordCount } : nil
      link = row.isNull(at: 5) ? EntityFacts.MoodLink.none : row.value(at: 5).uuid.map { .mood($0) }
    case .goal:
      title = row.type(at: 4) == .text ? row.string(at: 4) : nil
      category = row.type(at: 5) == .text ? row.string(at: 5) : nil
    case .conversation: break
    }
  }

  /// The texts in the archive of an array; `nil` if it can't be read, or holds anything else.
  private static func texts(_ archive: [UInt8]) -> [String]? {
    guard let list = try? PropertyList(binary: archive), let archive = try? KeyedArchive(list),
      let value = try? archive.modelValue, case .array(let elements) = value
    else { return nil }
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }
}

extension Statement {
  /// The number in a column; `nil` for anything else.
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
