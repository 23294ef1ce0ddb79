package import OutboxCore

// What the apps send, and where. Moods and templates are the documents'; the other paths are those
// of the shipped apps, as far as they are known.

/// Moods, Lume's.
package struct MoodBackendService: BackendService {
  package static let eventType = OutboxEventType.moodEntry
  package static let path = "/api/v1/moods"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Journal entries, Lume's.
package struct JournalBackendService: BackendService {
  package static let eventType = OutboxEventType.journalEntry
  package static let path = "/api/v1/journal"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Goals, Lume's.
package struct GoalBackendService: BackendService {
  package static let eventType = OutboxEventType.goal
  package static let path = "/api/v1/goals"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Conversations, Lume's: the app removes them, and sends nothing else of them by its outbox.
package struct ChatBackendService: BackendService {
  package static let eventType = OutboxEventType.chatMessage
  package static let path = "/api/v1/consultations"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Progress entries, FitIQ's.
package struct ProgressBackendService: BackendService {
  package static let eventType = OutboxEventType.progressEntry
  package static let path = "/api/v1/progress"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Measurements of the body, FitIQ's: progress of a type.
package struct PhysicalAttributeBackendService: BackendService {
  package static let eventType = OutboxEventType.physicalAttribute
  package static let path = "/api/v1/progress"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Days in numbers, FitIQ's.
package struct ActivityBackendService: BackendService {
  package static let eventType = OutboxEventType.activitySnapshot
  package static let path = "/api/v1/activity-snapshots"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Nights, FitIQ's.
package struct SleepBackendService: BackendService {
  package static let eventType = OutboxEventType.sleepSession
  package static let path = "/api/v1/sleep"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Meals, FitIQ's.
package struct MealBackendService: BackendService {
  package static let eventType = OutboxEventType.mealLog
  package static let path = "/api/v1/meal-logs/natural"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Workouts, FitIQ's.
package struct WorkoutBackendService: BackendService {
  package static let eventType = OutboxEventType.workout
  package static let path = "/api/v1/workouts"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Workout templates, FitIQ's.
package struct WorkoutTemplateBackendService: BackendService {
  package static let eventType = OutboxEventType.workoutTemplate
  package static let path = "/api/v1/workout-templates"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}
