package import OutboxCore

// The paths of moods and templates are documented; the others are those of the shipped apps, as far
// as known.

/// Lume's moods.
package struct MoodBackendService: BackendService {
  package static let eventType = OutboxEventType.moodEntry
  package static let path = "/api/v1/moods"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Lume's journal entries.
package struct JournalBackendService: BackendService {
  package static let eventType = OutboxEventType.journalEntry
  package static let path = "/api/v1/journal"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Lume's goals.
package struct GoalBackendService: BackendService {
  package static let eventType = OutboxEventType.goal
  package static let path = "/api/v1/goals"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// Lume's conversations; the outbox only deletes them.
package struct ChatBackendService: BackendService {
  package static let eventType = OutboxEventType.chatMessage
  package static let path = "/api/v1/consultations"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's progress entries.
package struct ProgressBackendService: BackendService {
  package static let eventType = OutboxEventType.progressEntry
  package static let path = "/api/v1/progress"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's body measurements, stored as progress entries of a type.
package struct PhysicalAttributeBackendService: BackendService {
  package static let eventType = OutboxEventType.physicalAttribute
  package static let path = "/api/v1/progress"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's daily activity.
package struct ActivityBackendService: BackendService {
  package static let eventType = OutboxEventType.activitySnapshot
  package static let path = "/api/v1/activity-snapshots"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's sleep sessions.
package struct SleepBackendService: BackendService {
  package static let eventType = OutboxEventType.sleepSession
  package static let path = "/api/v1/sleep"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's meals.
package struct MealBackendService: BackendService {
  package static let eventType = OutboxEventType.mealLog
  package static let path = "/api/v1/meal-logs/natural"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's workouts.
package struct WorkoutBackendService: BackendService {
  package static let eventType = OutboxEventType.workout
  package static let path = "/api/v1/workouts"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}

/// FitIQ's workout templates.
package struct WorkoutTemplateBackendService: BackendService {
  package static let eventType = OutboxEventType.workoutTemplate
  package static let path = "/api/v1/workout-templates"
  package let connection: BackendConnection
  package init(_ connection: BackendConnection) { self.connection = connection }
}
