package import OutboxCore

/// The kind of entity that an event of Lume's outbox is about.
package enum OutboxSubject: Int64, CaseIterable, Hashable, Sendable {
  case mood = 1
  case journal
  case goal
  case conversation

  /// The event type under which the V7 app routes events about the subject.
  package var eventType: OutboxEventType {
    switch self {
    case .mood: .moodEntry
    case .journal: .journalEntry
    case .goal: .goal
    case .conversation: .chatMessage
    }
  }

  /// The subject of an event type; `nil` if Lume completes such an event without sending it.
  package init?(_ eventType: OutboxEventType) {
    switch eventType {
    case .moodEntry: self = .mood
    case .journalEntry: self = .journal
    case .goal: self = .goal
    case .chatMessage: self = .conversation
    case .progressEntry, .physicalAttribute, .activitySnapshot, .profileMetadata, .profilePhysical,
      .sleepSession, .mealLog, .workout, .workoutTemplate:
      return nil
    }
  }
}

/// The request that an event of Lume's outbox makes to the server.
package struct OutboxIntent: Hashable, Sendable {
  /// The operation on the entity.
  package enum Operation: Int64, Hashable, Sendable {
    case create = 1
    case update
    case delete
  }

  /// The kind of entity that the event is about.
  package let subject: OutboxSubject

  /// The operation that the server is asked to perform.
  package let operation: Operation

  /// Creates an intent.
  package init(_ subject: OutboxSubject, _ operation: Operation) {
    self.subject = subject
    self.operation = operation
  }

  /// The priority that the app gives the event; higher priorities are sent first.
  package var priority: Int64 {
    operation == .delete && subject != .conversation ? 10 : 5
  }
}
