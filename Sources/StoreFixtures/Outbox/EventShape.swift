/// A way in which Lume wrote an event before V7; some event types have several.
enum EventShape: CaseIterable, Sendable {
  case moodCreated, moodUpdated, moodCreatedWithWord, moodCreatedOldest, moodDeleted
  case moodDeletedByID
  case journalCreated, journalUpdated, journalDeleted
  case journalCreatePhase1, journalUpdatePhase1, journalDeletePhase1
  case goalCreated, goalUpdated, goalProgressUpdated, goalStatusUpdated, goalDeleted
  case conversationDelete, chatConversationDeleted, chatMessageSend
  case authRegister, authLogin, authRefresh, authLogout
  case profileUpdated, underscored, unknown

  /// The contents of the event type's column.
  var eventType: String {
    switch self {
    case .moodCreated, .moodCreatedWithWord, .moodCreatedOldest: "mood.created"
    case .moodUpdated: "mood.updated"
    case .moodDeleted, .moodDeletedByID: "mood.deleted"
    case .journalCreated: "journal.created"
    case .journalUpdated: "journal.updated"
    case .journalDeleted: "journal.deleted"
    case .journalCreatePhase1: "journal.create"
    case .journalUpdatePhase1: "journal.update"
    case .journalDeletePhase1: "journal.delete"
    case .goalCreated: "goal.created"
    case .goalUpdated: "goal.updated"
    case .goalProgressUpdated: "goal.progress_updated"
    case .goalStatusUpdated: "goal.status_updated"
    case .goalDeleted: "goal.deleted"
    case .conversationDelete: "conversation.delete"
    case .chatConversationDeleted: "chat.conversation.deleted"
    case .chatMessageSend: "chat.message.send"
    case .authRegister: "auth.register"
    case .authLogin: "auth.login"
    case .authRefresh: "auth.refresh"
    case .authLogout: "auth.logout"
    case .profileUpdated: "user.profile_updated"
    case .underscored: "mood_created"
    case .unknown: "sync.unknown.v0"
    }
  }

  /// Draws a shape with realistic frequency, and each shape at least once in 200 rows.
  static func draw(at index: Int, _ random: inout RandomSource) -> EventShape {
    if index % 7 == 0 { return allCases[index / 7 % allCases.count] }
    return switch random.below(100) {
    case 0..<34: .moodCreated
    case 34..<44: .moodUpdated
    case 44..<50: .moodDeleted
    case 50..<54: .moodCreatedWithWord
    case 54..<72: .journalCreated
    case 72..<78: .journalUpdated
    case 78..<81: .journalDeleted
    case 81..<86: .goalCreated
    case 86..<90: .goalUpdated
    case 90..<94: .goalProgressUpdated
    case 94..<96: .goalStatusUpdated
    case 96..<98: .conversationDelete
    default: .chatMessageSend
    }
  }
}
