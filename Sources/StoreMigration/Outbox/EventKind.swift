import RowRewriting

/// An event type that some version of the apps wrote or planned to write.
///
/// It comes with what a pass over many rows asks of it.
struct EventKind: Hashable, Sendable {
  /// The type's place among ``names``.
  let place: Int

  /// What an event up to V6 wants done; none where V7 has no request for it.
  let intent: OutboxIntent?

  /// A Boolean value indicating whether it is one of the types under which V7 routes events.
  let isRouted: Bool

  /// The keys under which the payloads name their entity, the best first.
  let entityKeys: EntityKeys

  /// The keys that name entities, by what the event is about.
  enum EntityKeys: Hashable, Sendable {
    case plain, deleted, journal, conversation, message, none
  }

  /// The event types, as rows spell them.
  static let names: [String] =
    OutboxSubject.allCases.map(\.eventType) + [
      "mood.created", "mood.updated", "mood.deleted", "journal.created", "journal.updated",
      "journal.deleted", "journal.create", "journal.update", "journal.delete", "goal.created",
      "goal.updated", "goal.progress_updated", "goal.status_updated", "goal.deleted",
      "conversation.delete", "auth.register", "auth.login", "auth.refresh", "auth.logout",
      "chat.message.send", "chat.conversation.deleted", "user.profile_updated", "mood_created",
      "progressEntry", "physicalAttribute", "activitySnapshot", "profileMetadata",
      "profilePhysical", "sleepSession", "mealLog", "workout", "workoutTemplate",
    ]

  /// A Boolean value indicating whether one that was sent is decided about with those that are to be.
  ///
  /// A delete, on which others depend, or what the V7 app wrote.
  var isQueuedWhenSent: Bool { isRouted || intent?.deed == .delete }

  /// The types of the events that are decided about though they were sent.
  static let typesQueuedWhenSent = all.filter(\.isQueuedWhenSent).map { names[$0.place] }

  private static let table = NameTable(names)
  private static let all = names.indices.map { EventKind(place: $0) }

  /// The kind that a type's bytes spell; none of a type that no app wrote.
  static func kind(of type: Span<UInt8>) -> EventKind? {
    table.place(of: type).map { all[$0] }
  }

  private init(place: Int) {
    let name = Self.names[place]
    self.place = place
    intent = OutboxIntent(eventType: name)
    isRouted = OutboxSubject(eventType: name) != nil
    entityKeys =
      switch name {
      case "mood.deleted", "journal.deleted", "goal.deleted": .deleted
      case "journal.create", "journal.update", "journal.delete": .journal
      case "conversation.delete", "chat.conversation.deleted": .conversation
      case "chat.message.send": .message
      case "auth.register", "auth.login", "auth.refresh", "auth.logout": .none
      default: .plain
      }
  }
}

extension EventKind.EntityKeys {
  /// The keys, the best first.
  var keys: [PayloadKey] {
    switch self {
    case .plain: Self.plainKeys
    case .deleted: Self.deletedKeys
    case .journal: Self.journalKeys
    case .conversation: Self.conversationKeys
    case .message: Self.messageKeys
    case .none: []
    }
  }

  private static let plainKeys: [PayloadKey] = [.id]
  private static let deletedKeys: [PayloadKey] = [.localID, .localIDInCamelCase, .id]
  private static let journalKeys: [PayloadKey] = [.entryIDInCamelCase, .entryID, .id]
  private static let conversationKeys: [PayloadKey] = [
    .conversationID, .conversationIDInCamelCase,
  ]
  private static let messageKeys: [PayloadKey] = [.messageID, .messageIDInCamelCase]
}
