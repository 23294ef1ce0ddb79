import OutboxCore

// What the apps send, and where. Moods and templates are the documents'; the other paths are those
// of the shipped apps, as far as they are known.

/// Moods, Lume's.
public struct MoodBackendService: BackendService {
  public static let eventType = OutboxEventType.moodEntry
  public static let path = "/api/v1/moods"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Journal entries, Lume's.
public struct JournalBackendService: BackendService {
  public static let eventType = OutboxEventType.journalEntry
  public static let path = "/api/v1/journal"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Goals, Lume's.
public struct GoalBackendService: BackendService {
  public static let eventType = OutboxEventType.goal
  public static let path = "/api/v1/goals"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Conversations, Lume's: the app removes them, and sends nothing else of them by its outbox.
public struct ChatBackendService: BackendService {
  public static let eventType = OutboxEventType.chatMessage
  public static let path = "/api/v1/consultations"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Progress entries, FitIQ's.
public struct ProgressBackendService: BackendService {
  public static let eventType = OutboxEventType.progressEntry
  public static let path = "/api/v1/progress"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Measurements of the body, FitIQ's: progress of a type.
public struct PhysicalAttributeBackendService: BackendService {
  public static let eventType = OutboxEventType.physicalAttribute
  public static let path = "/api/v1/progress"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Days in numbers, FitIQ's.
public struct ActivityBackendService: BackendService {
  public static let eventType = OutboxEventType.activitySnapshot
  public static let path = "/api/v1/activity-snapshots"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Nights, FitIQ's.
public struct SleepBackendService: BackendService {
  public static let eventType = OutboxEventType.sleepSession
  public static let path = "/api/v1/sleep"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Meals, FitIQ's.
public struct MealBackendService: BackendService {
  public static let eventType = OutboxEventType.mealLog
  public static let path = "/api/v1/meal-logs/natural"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Workouts, FitIQ's.
public struct WorkoutBackendService: BackendService {
  public static let eventType = OutboxEventType.workout
  public static let path = "/api/v1/workouts"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}

/// Workout templates, FitIQ's.
public struct WorkoutTemplateBackendService: BackendService {
  public static let eventType = OutboxEventType.workoutTemplate
  public static let path = "/api/v1/workout-templates"
  public let connection: BackendConnection
  public init(_ connection: BackendConnection) { self.connection = connection }
}
