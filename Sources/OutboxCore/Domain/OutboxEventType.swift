/// What an event is about; the raw value is what the store holds.
package enum OutboxEventType: String, Codable, CaseIterable, Hashable, Sendable {
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

  /// The name for people.
  package var displayName: String {
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
