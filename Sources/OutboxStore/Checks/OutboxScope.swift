public import OutboxCore
import OutboxFormat
import SQLite
import StoreFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The events and entities that a check reads; a value of `nil` doesn't limit it.
public struct OutboxScope: Hashable, Sendable {
  /// The user, as the outbox spells the id.
  public var userID: String?

  /// The type of the events, and thereby of the entities.
  public var eventType: OutboxEventType?

  /// The date from which on an event or entity was created.
  ///
  /// An entity whose table has no `createdAt` is checked whatever its age.
  public var since: Date?

  public init(userID: String? = nil, eventType: OutboxEventType? = nil, since: Date? = nil) {
    self.userID = userID
    self.eventType = eventType
    self.since = since
  }

  /// Returns whether an event is in the scope.
  func contains(_ event: OutboxEvent) -> Bool {
    (eventType ?? event.eventType) == event.eventType && event.createdAt >= since ?? .distantPast
      && (userID ?? event.userID) == event.userID
  }

  /// Returns the SQL condition that a row of the outbox is in the scope.
  func condition(_ table: OutboxTable) -> Condition {
    .all(
      [table.condition(OutboxSelection(userID: userID, eventType: eventType))]
        + (since.map { [Condition("\(table[.createdAt]) >= ?", [$0.stored])] } ?? []))
  }

  /// Returns the SQL condition that the entity in the row `e` is in the scope.
  func condition(_ subject: RequestTable) -> Condition {
    var conditions = [Condition("e.Z_ENT = \(subject.rows.entityNumber)")]
    if let userID {
      let id = UUID(uuidString: userID).map { Value.blob($0.bytes) } ?? .null
      conditions.append(Condition("\(subject.ownerExpression) IN (?, ?)", [id, .text(userID)]))
    }
    if let since, let created = subject.createdAt {
      conditions.append(Condition("e.\(created) >= ?", [since.stored]))
    }
    return .all(conditions)
  }
}
