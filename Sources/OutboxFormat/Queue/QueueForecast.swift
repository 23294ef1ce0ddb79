package import SQLite
package import StoreFormat
import StoreModel

/// What a shipped app does with the rows of its outbox, and what is wrong with them.
package struct QueueForecast: Hashable, Sendable {
  /// One thing to look at.
  package enum Check: String, CaseIterable, Hashable, Sendable {
    /// Every row in the queue is one that the app takes up and routes.
    case admission = "queue-admission"

    /// What is created or updated is in the store.
    case entities = "queue-entities"

    /// What is created or updated belongs to whom the row names.
    case owners = "queue-owners"

    /// What is deleted isn't in the store, and is named as the app reads it.
    case deletes = "queue-deletes"

    /// What counts as new isn't on the server yet.
    case newRecords = "queue-new-records"

    /// Metadata is JSON and holds no secret.
    case metadata = "queue-metadata"
  }

  /// What the app would do with a row when it comes to it.
  package enum Step: String, CaseIterable, Hashable, Sendable {
    /// It asks the server to create, change or delete what the row is about.
    case create = "POST"
    case update = "PUT"
    case delete = "DELETE"

    /// It marks the row as done and sends nothing.
    case completed = "completed unsent"

    /// It fails, and tries again for ever.
    case fails

    /// It can't read the row, and sends nothing at all any more.
    case stops
  }

  /// A row in the queue with what the app would do.
  package struct Entry: Hashable, Sendable {
    /// The row's primary key.
    package let key: Int64

    /// The event type, where the app knows it.
    package let eventType: String?

    /// What the app would do.
    package let step: Step
  }

  /// The rows that are still to be sent.
  package internal(set) var open: Int64 = 0

  /// How many of them the app would do what with, each when it comes to it.
  package internal(set) var steps: [Step: Int64] = [:]

  /// The first rows that it takes up, in its order.
  package internal(set) var batch: [Entry] = []

  /// What was found, in words, by check: the first rows, and then how many more.
  package internal(set) var findings: [Check: [String]] = [:]

  /// What one may want to know, in words.
  package internal(set) var warnings: [String] = []

  /// A Boolean value indicating whether one row keeps all others from being sent.
  package var isStopped: Bool { steps[.stops, default: 0] > 0 }

  package init() {}
}

extension QueueForecast {
  /// Forecasts the queue of a store; `nil` if it has no outbox that a shipped app reads.
  package init?(
    of store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let model = store.cachedModel,
      let check = QueueCheck(StoreLayout(model, joinTableNames: store.tableNames))
    else { return nil }
    self = try check.forecast(connection)
  }
}
