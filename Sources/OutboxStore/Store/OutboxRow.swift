package import OutboxCore
import SQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row of an outbox, as an event or with the reasons why it can't be read as an event.
package struct OutboxRow: Hashable, Sendable {
  /// A reason why a row can't be read as an event.
  package enum Problem: String, CaseIterable, Hashable, Sendable {
    case id = "its id isn't a UUID"
    case eventType = "its event type is unknown"
    case entityID = "its entity id isn't a UUID"
    case userID = "it has no user"
    case status = "its status is unknown"
    case date = "a date is invalid"
    case number = "a number is invalid"
    case text = "a text is invalid"
  }

  /// The row's primary key.
  package let key: Int64

  /// The event; `nil` if there are problems.
  package let event: OutboxEvent?

  /// The reasons why the row can't be read as an event.
  package let problems: [Problem]

  /// Whether the row has metadata in an unknown coding.
  ///
  /// The apps read nothing from such metadata, but still send the event.
  package let hasUnknownMetadata: Bool
}

extension OutboxRow {
  /// Reads the current row of a query of ``OutboxTable/columnList``.
  init(_ row: borrowing Statement) {
    let text = row.bytes(at: OutboxTable.place(of: .metadata))
    let metadata = text.isEmpty ? nil : try? OutboxMetadata(utf8: text)
    var problems: [Problem] = []
    key = row.int64(at: 0)
    event = OutboxEvent(row, metadata, &problems)
    hasUnknownMetadata = !text.isEmpty && metadata == nil
    self.problems = problems
  }
}

extension OutboxEvent {
  /// Reads every part of an event and notes each that can't be read; fails if there are any.
  fileprivate init?(
    _ row: borrowing Statement, _ metadata: OutboxMetadata?, _ problems: inout [OutboxRow.Problem]
  ) {
    func place(_ attribute: OutboxTable.Attribute) -> Int { OutboxTable.place(of: attribute) }
    func note<Part>(_ part: Part?, _ problem: OutboxRow.Problem) -> Part? {
      if part == nil && !problems.contains(problem) { problems.append(problem) }
      return part
    }
    let id = note(row.uuid(at: place(.id)), .id)
    let type = note(
      row.string(at: place(.eventType)).flatMap(OutboxEventType.init), .eventType)
    let entityID = note(row.uuid(at: place(.entityID)), .entityID)
    let userID = note(row.string(at: place(.userID)), .userID)
    let status = note(row.string(at: place(.status)).flatMap(OutboxEventStatus.init), .status)
    let createdAt = note(row.date(at: place(.createdAt)), .date)
    let lastAttemptAt = note(row.optionalDate(at: place(.lastAttemptAt)), .date)
    let completedAt = note(row.optionalDate(at: place(.completedAt)), .date)
    let attempts = note(row.integer(at: place(.attemptCount)), .number)
    let maximum = note(row.integer(at: place(.maxAttempts)), .number)
    let priority = note(row.integer(at: place(.priority)), .number)
    let isNew = note(row.integer(at: place(.isNewRecord)), .number)
    let error = note(row.optionalText(at: place(.errorMessage)), .text)
    _ = note(row.optionalText(at: place(.metadata)), .text)
    guard problems.isEmpty, let id, let type, let entityID, let userID, let status, let createdAt,
      let lastAttemptAt, let completedAt, let attempts, let maximum, let priority, let isNew,
      let error
    else { return nil }
    self.init(
      id: id, eventType: type, entityID: entityID, userID: userID, status: status,
      createdAt: createdAt, lastAttemptAt: lastAttemptAt, attemptCount: attempts,
      maxAttempts: maximum, errorMessage: error, completedAt: completedAt, metadata: metadata,
      priority: priority, isNewRecord: isNew != 0)
  }
}

extension OutboxTable {
  /// The place of an attribute's column in ``columnList``, behind the key.
  fileprivate static func place(of attribute: Attribute) -> Int {
    (Attribute.allCases.firstIndex(of: attribute) ?? 0) + 1
  }
}

extension Statement {
  fileprivate func uuid(at column: Int) -> UUID? {
    type(at: column) == .blob ? UUID(bytes: bytes(at: column)) : nil
  }

  /// Returns a date, stored in seconds since 2001-01-01 UTC; whole numbers are stored as integers.
  fileprivate func date(at column: Int) -> Date? {
    switch type(at: column) {
    case .integer, .real: Date(timeIntervalSinceReferenceDate: double(at: column))
    case .null, .text, .blob: nil
    }
  }

  fileprivate func optionalDate(at column: Int) -> Date?? {
    isNull(at: column) ? .some(nil) : date(at: column).map { .some($0) }
  }

  fileprivate func integer(at column: Int) -> Int? {
    type(at: column) == .integer ? Int(int64(at: column)) : nil
  }

  fileprivate func optionalText(at column: Int) -> String?? {
    isNull(at: column) ? .some(nil) : string(at: column).map { .some($0) }
  }
}
