/// The type of an event; the raw value is the value in the store.
///
/// These are FitIQCore's event types. Rows of older versions use the other names that `EventKind`
/// lists.
public enum OutboxEventType: String, Codable, CaseIterable, Hashable, Sendable {
  // FitIQ's.
  case progressEntry
  case physicalAttribute
  case activitySnapshot
  case profileMetadata
  case profilePhysical
  case sleepSession
  case mealLog
  case workout
  case workoutTemplate

  // Lume's.
  case moodEntry
  case journalEntry
  case goal
  case chatMessage

  /// The app that writes events of the type.
  package var app: OutboxApp {
    switch self {
    case .progressEntry, .physicalAttribute, .activitySnapshot, .profileMetadata, .profilePhysical,
      .sleepSession, .mealLog, .workout, .workoutTemplate:
      .fitIQ
    case .moodEntry, .journalEntry, .goal, .chatMessage: .lume
    }
  }

  /// The entity that events of the type are about.
  ///
  /// `nil` for FitIQ's profile, whose entity has another name in each version.
  package var entity: String? {
    switch self {
    case .progressEntry: "SDProgressEntry"
    case .physicalAttribute: "SDPhysicalAttribute"
    case .activitySnapshot: "SDActivitySnapshot"
    case .profileMetadata, .profilePhysical: nil
    case .sleepSession: "SDSleepSession"
    case .mealLog: "SDMeal"
    case .workout: "SDWorkout"
    case .workoutTemplate: "SDWorkoutTemplate"
    case .moodEntry: "SDMoodEntry"
    case .journalEntry: "SDJournalEntry"
    case .goal: "SDGoal"
    case .chatMessage: "SDChatConversation"
    }
  }

  /// The name to display.
  public var displayName: String {
    switch self {
    case .progressEntry: "Progress Entry"
    case .physicalAttribute: "Physical Attribute"
    case .activitySnapshot: "Activity Snapshot"
    case .profileMetadata: "Profile Metadata"
    case .profilePhysical: "Physical Profile"
    case .sleepSession: "Sleep Session"
    case .mealLog: "Meal Log"
    case .workout: "Workout"
    case .workoutTemplate: "Workout Template"
    case .moodEntry: "Mood Entry"
    case .journalEntry: "Journal Entry"
    case .goal: "Goal"
    case .chatMessage: "Chat Message"
    }
  }
}

/// An app that keeps an outbox.
package enum OutboxApp: Hashable, Sendable {
  case fitIQ
  case lume
}
