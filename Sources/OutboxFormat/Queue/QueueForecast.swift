package import SQLite
package import StoreFormat

/// What a shipped app would do with the rows of its outbox, and the problems of the rows.
package struct QueueForecast: Hashable, Sendable {
  /// A check of the queue.
  package enum Check: String, CaseIterable, Hashable, Sendable {
    /// The app picks up and routes every row in the queue.
    case admission = "queue-admission"

    /// Entities to create or update are in the store.
    case entities = "queue-entities"

    /// Entities to create or update belong to the user that the row names.
    case owners = "queue-owners"

    /// Entities to delete aren't in the store, and the app can read their ids.
    case deletes = "queue-deletes"

    /// Entities marked as new aren't on the server yet.
    case newRecords = "queue-new-records"

    /// Metadata is JSON and holds no secret.
    case metadata = "queue-metadata"
  }

  /// What the app does with a row when it reaches the row.
  package enum Step: String, CaseIterable, Hashable, Sendable {
    /// It asks the server to create, update or delete the entity.
    case create = "POST"
    case update = "PUT"
    case delete = "DELETE"

    /// It marks the row as done and sends nothing.
    case completed = "completed without sending"

    /// It fails, and retries forever.
    case fails

    /// It can't read the row, and no longer sends any row.
    case stops
  }

  /// A row in the queue, with what the app would do with it.
  package struct Entry: Hashable, Sendable {
    /// The row's primary key.
    package let key: Int64

    /// The event type; `nil` if the app doesn't know it.
    package let eventType: String?

    /// What the app would do.
    package let step: Step
  }

  /// The number of rows still to be sent.
  package internal(set) var open: Int64 = 0

  /// The number of rows by what the app would do with them.
  package internal(set) var steps: [Step: Int64] = [:]

  /// The rows that the app picks up first, in its order.
  package internal(set) var batch: [Entry] = []

  /// The messages of each check: the first rows with problems, then the number of others.
  package internal(set) var findings: [Check: [String]] = [:]

  /// Messages that fail no check.
  package internal(set) var warnings: [String] = []

  /// Whether a row prevents all others from being sent.
  package var isStopped: Bool { steps[.stops, default: 0] > 0 }

  package init() {}
}

extension QueueForecast {
  /// Forecasts the queue of a store; `nil` if it has no outbox that a shipped app reads.
  package init?(
    of store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let model = store.cachedModel,
      let check = QueueCheck(store.layout(of: model))
    else { return nil }
    self = try check.forecast(connection)
  }
}
