import RowRewriting

/// What an event of Lume's outbox is about.
enum OutboxSubject: Int64, CaseIterable, Hashable, Sendable {
  case mood = 1
  case journal
  case goal
  case conversation

  /// The event type by which the V7 app routes it: FitIQCore's raw value.
  var eventType: String {
    switch self {
    case .mood: "moodEntry"
    case .journal: "journalEntry"
    case .goal: "goal"
    case .conversation: "chatMessage"
    }
  }

  /// The entity of the row that it is about.
  var entity: String {
    switch self {
    case .mood: "SDMoodEntry"
    case .journal: "SDJournalEntry"
    case .goal: "SDGoal"
    case .conversation: "SDChatConversation"
    }
  }

  /// What the V7 app routes under an event type; none where it would complete the event unsent.
  init?(eventType: String) {
    guard let subject = Self.allCases.first(where: { $0.eventType == eventType }) else {
      return nil
    }
    self = subject
  }
}

/// What an event of Lume up to V6 wants done.
struct OutboxIntent: Hashable, Sendable {
  /// What is to be done.
  enum Deed: Int64, Hashable, Sendable {
    case create = 1
    case update
    case delete
  }

  let subject: OutboxSubject
  let deed: Deed

  init(_ subject: OutboxSubject, _ deed: Deed) {
    self.subject = subject
    self.deed = deed
  }

  /// The intent of an event type, under the names of every version; none where V7 has no request for
  /// it.
  init?(eventType: String) {
    switch eventType {
    case "mood.created": self.init(.mood, .create)
    case "mood.updated": self.init(.mood, .update)
    case "mood.deleted": self.init(.mood, .delete)
    case "journal.created", "journal.create": self.init(.journal, .create)
    case "journal.updated", "journal.update": self.init(.journal, .update)
    case "journal.deleted", "journal.delete": self.init(.journal, .delete)
    case "goal.created": self.init(.goal, .create)
    case "goal.updated", "goal.progress_updated", "goal.status_updated": self.init(.goal, .update)
    case "goal.deleted": self.init(.goal, .delete)
    case "conversation.delete", "chat.conversation.deleted": self.init(.conversation, .delete)
    default: return nil
    }
  }

  /// The place in the queue that the app gives it; those of a higher priority go first.
  var priority: Int64 {
    deed == .delete && subject != .conversation ? 10 : 5
  }
}
