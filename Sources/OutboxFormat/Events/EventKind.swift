import OutboxCore
package import SQLite

/// An event type as outbox rows of any version of the apps spell it.
///
/// ``names`` is the only list of event types: FitIQCore's, and those that Lume up to V6 wrote or
/// planned to write.
package struct EventKind: Hashable, Sendable {
  /// The position in ``names``.
  package let index: Int

  /// The event's intent; `nil` unless Lume up to V6 wrote such events and V7 can send them.
  package let intent: OutboxIntent?

  /// Whether Lume V7 routes events under this name.
  package let isRouted: Bool

  /// Whether completed events are decided together with open ones.
  ///
  /// This holds for deletes, because the outcome of other events depends on them, and for rows that
  /// the V7 app wrote.
  package var isQueuedWhenSent: Bool { isRouted || intent?.operation == .delete }

  /// The payload keys that name the entity, in order of preference.
  package var entityKeys: [PayloadKey] { Self.entityKeys[index] }
}

extension EventKind {
  /// What counts name instead of a type that no app wrote, which could be any text.
  package static let otherName = "other"

  /// Lume's event types up to V6 for which V7 has a request.
  private static let sentBeforeV7: [(name: String, intent: OutboxIntent)] = [
    ("mood.created", OutboxIntent(.mood, .create)),
    ("mood.updated", OutboxIntent(.mood, .update)),
    ("mood.deleted", OutboxIntent(.mood, .delete)),
    ("journal.created", OutboxIntent(.journal, .create)),
    ("journal.updated", OutboxIntent(.journal, .update)),
    ("journal.deleted", OutboxIntent(.journal, .delete)),
    ("journal.create", OutboxIntent(.journal, .create)),
    ("journal.update", OutboxIntent(.journal, .update)),
    ("journal.delete", OutboxIntent(.journal, .delete)),
    ("goal.created", OutboxIntent(.goal, .create)),
    ("goal.updated", OutboxIntent(.goal, .update)),
    ("goal.progress_updated", OutboxIntent(.goal, .update)),
    ("goal.status_updated", OutboxIntent(.goal, .update)),
    ("goal.deleted", OutboxIntent(.goal, .delete)),
    ("conversation.delete", OutboxIntent(.conversation, .delete)),
    ("chat.conversation.deleted", OutboxIntent(.conversation, .delete)),
  ]

  /// Lume's event types up to V6, written or planned, for which V7 has no request.
  private static let unsentByV7: [(name: String, keys: [PayloadKey])] = [
    ("auth.register", []), ("auth.login", []), ("auth.refresh", []), ("auth.logout", []),
    ("chat.message.send", [.messageID, .messageIDInCamelCase]), ("user.profile_updated", [.id]),
    ("mood_created", [.id]),
  ]

  /// All event types, as rows spell them.
  package static let names =
    OutboxEventType.allCases.map(\.rawValue) + sentBeforeV7.map(\.name) + unsentByV7.map(\.name)

  private static let entityKeys: [[PayloadKey]] =
    OutboxEventType.allCases.map { _ in [.id] } + sentBeforeV7.map(\.intent.entityKeys)
    + unsentByV7.map(\.keys)

  private static let all = names.indices.map { EventKind(index: $0) }

  /// The event types whose completed events are decided together with open ones.
  package static let typesQueuedWhenSent = all.filter(\.isQueuedWhenSent).map { names[$0.index] }

  private static let table = NameTable(names)

  private init(index: Int) {
    let name = Self.names[index]
    self.index = index
    intent = Self.sentBeforeV7.first { $0.name == name }?.intent
    isRouted = OutboxEventType(rawValue: name).flatMap(OutboxSubject.init) != nil
  }

  /// Returns the kind with a name, given as bytes; `nil` if no app wrote such a type.
  package static func kind(of type: Span<UInt8>) -> EventKind? {
    table.place(of: type).map { all[$0] }
  }

  /// Returns the kind that a column's text spells; `nil` for other texts and values.
  package static func kind(of row: borrowing Statement, at column: Int) -> EventKind? {
    table.place(of: row, at: column).map { all[$0] }
  }

  /// Returns the kind with a name; `nil` if no app wrote such a type.
  package static func kind(named type: String) -> EventKind? {
    kind(of: type.utf8.span)
  }
}

extension OutboxIntent {
  /// The payload keys that name the entity, in order of preference.
  package var entityKeys: [PayloadKey] {
    switch (subject, operation) {
    case (.conversation, _): Self.conversationKeys
    case (.journal, .delete): Self.deletedJournalKeys
    case (_, .delete): Self.deletedKeys
    case (.journal, _): Self.journalKeys
    case (.mood, _), (.goal, _): Self.plainKeys
    }
  }

  private static let conversationKeys: [PayloadKey] = [.conversationID, .conversationIDInCamelCase]
  private static let deletedJournalKeys: [PayloadKey] = [
    .localID, .localIDInCamelCase, .entryID, .entryIDInCamelCase, .id,
  ]
  private static let deletedKeys: [PayloadKey] = [.localID, .localIDInCamelCase, .id]
  private static let journalKeys: [PayloadKey] = [.id, .entryID, .entryIDInCamelCase]
  private static let plainKeys: [PayloadKey] = [.id]
}
