package import OutboxCore
package import SQLite
package import StoreFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The requests that a delivery would send if the server accepted all of them.
package struct DeliveryForecast: Hashable, Sendable {
  /// The number of requests of each kind.
  package struct Requests: Hashable, Sendable {
    package var create = 0
    package var update = 0
    package var delete = 0

    /// The number of requests of all kinds.
    package var count: Int { create + update + delete }
  }

  /// The number of events that aren't completed.
  package let open: Int

  /// The requests by event type.
  package private(set) var requests: [OutboxEventType: Requests] = [:]

  /// The number of events that need no request.
  package private(set) var completedUnsent = 0

  /// The number of events that would fail before a request, by reason.
  package private(set) var failures: [String: Int] = [:]

  /// The number of requests.
  package var requestCount: Int { requests.values.reduce(0) { $0 + $1.count } }

  /// The number of events that would fail before a request.
  package var failureCount: Int { failures.values.reduce(0, +) }

  /// The number of events that wouldn't be tried.
  ///
  /// They have no attempts left, can't be read, or are of a type that the apps don't send.
  package var untried: Int { open - requestCount - completedUnsent - failureCount }

  /// Reads the open events of a user, or of all users.
  ///
  /// Events about one entity are taken in the order of their keys.
  ///
  /// - Throws: An ``OutboxError`` if the store has no outbox of FitIQCore's form, or SQLite's error.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  package init(
    of store: StoreDescription, userID: String?, _ connection: borrowing Connection
  ) throws {
    let check = try OutboxCheck(store)
    let tables = RequestTables(of: store)
    open = try check.table.statistics(
      ofUser: userID, staleBefore: .distantPast, connection
    ).openCount
    var created: Set<UUID> = []
    try check.eachEvent(userID, connection) { _, event, connection throws(SQLiteError) in
      // The apps send no event of a type without an entity.
      guard check.rules.tries(event), event.eventType.entity != nil else { return }
      switch try tables.operation(for: event, connection) {
      case .success(let operation): count(operation, of: event, &created)
      case .failure(let error): failures[error.recordedText, default: 0] += 1
      }
    }
  }

  private mutating func count(
    _ operation: OutboxOperation, of event: OutboxEvent, _ created: inout Set<UUID>
  ) {
    let type = event.eventType
    switch operation {
    // The answer to an earlier event gives the entity an id.
    case .create where !event.isNewRecord && !created.insert(event.entityID).inserted:
      requests[type, default: Requests()].update += 1
    case .create:
      created.insert(event.entityID)
      requests[type, default: Requests()].create += 1
    case .update: requests[type, default: Requests()].update += 1
    case .delete: requests[type, default: Requests()].delete += 1
    case .nothing: completedUnsent += 1
    }
  }
}

extension OutboxRules {
  /// Returns whether a delivery tries an event; one in processing was left by an earlier delivery.
  fileprivate func tries(_ event: OutboxEvent) -> Bool {
    switch event.status {
    case .pending, .processing: true
    case .failed: !isCapped || event.canRetry
    case .completed: false
    }
  }
}
