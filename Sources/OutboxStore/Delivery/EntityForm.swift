import OutboxCore

/// The members of a request's body about an entity, and where their values come from.
struct EntityForm: Sendable {
  /// A member of the body.
  struct Member: Sendable {
    /// The key.
    let key: String

    /// The attribute that has the value.
    let attribute: String

    init(_ key: String, _ attribute: String) {
      self.key = key
      self.attribute = attribute
    }
  }

  /// Rows that belong to the entity, sent as an array of objects.
  struct Parts: Sendable {
    let key: String
    let entity: String

    /// The relationship from a part to the entity.
    let relationship: String

    /// The attribute by which the parts are sorted.
    let order: String
    let members: [Member]
  }

  /// The members in the order in which they are written; members without a value are omitted.
  let members: [Member]

  /// Members that are the same in every request.
  var constants: [(key: String, value: String)] = []

  /// The rows that belong to the entity.
  var parts: Parts?
}

extension EntityForm {
  /// Creates the form for events of a type; `nil` if the apps send nothing for it.
  ///
  /// The bodies of moods, journal entries and goals have the members of the apps' outbox payloads
  /// and those of their requests. Templates follow the server's documentation.
  init?(of type: OutboxEventType) {
    switch type {
    case .moodEntry: self = .mood
    case .journalEntry: self = .journal
    case .goal: self = .goal
    case .chatMessage: self.init(members: [])
    case .progressEntry: self = .progress
    case .physicalAttribute: self = .physicalAttribute
    case .activitySnapshot: self = .activity
    case .sleepSession: self = .sleep
    case .mealLog: self = .meal
    case .workout: self = .workout
    case .workoutTemplate: self = .template
    case .profileMetadata, .profilePhysical: return nil
    }
  }

  private static let common = [Member("id", "id"), Member("user_id", "userId")]

  private static let dates = [
    Member("created_at", "createdAt"), Member("updated_at", "updatedAt"),
  ]

  private static let mood = EntityForm(
    members: common + [
      Member("valence", "valence"), Member("labels", "labels"),
      Member("associations", "associations"), Member("notes", "notes"), Member("date", "date"),
      Member("logged_at", "date"), Member("source", "source"), Member("source_id", "sourceId"),
    ] + dates)

  private static let journal = EntityForm(
    members: common + [
      Member("title", "title"), Member("content", "content"), Member("tags", "tags"),
      Member("entry_type", "entryType"), Member("is_favorite", "isFavorite"),
      Member("linked_mood_id", "linkedMoodId"), Member("date", "date"),
      Member("logged_at", "date"),
    ] + dates,
    constants: [("content_format", "plain"), ("privacy_level", "private")])

  private static let goal = EntityForm(
    members: common + [
      Member("title", "title"), Member("description", "goalDescription"),
      Member("target_date", "targetDate"), Member("progress", "progress"),
      Member("status", "status"), Member("category", "category"),
    ] + dates)

  private static let progress = EntityForm(
    members: [
      Member("type", "type"), Member("quantity", "quantity"), Member("logged_at", "date"),
      Member("notes", "notes"),
    ])

  private static let physicalAttribute = EntityForm(
    members: [
      Member("type", "type"), Member("quantity", "value"), Member("logged_at", "createdAt"),
    ])

  private static let meal = EntityForm(
    members: [
      Member("raw_input", "rawInput"), Member("meal_type", "mealType"),
      Member("logged_at", "loggedAt"), Member("notes", "notes"),
    ])

  private static let activity = EntityForm(
    members: [
      Member("date", "date"), Member("activity_level", "activityLevel"), Member("steps", "steps"),
      Member("active_minutes", "activeMinutes"), Member("calories_burned", "caloriesBurned"),
      Member("distance_km", "distanceKm"), Member("heart_rate_avg", "heartRateAvg"),
      Member("workout_duration_minutes", "workoutDurationMinutes"),
      Member("workout_sessions", "workoutSessions"),
    ])

  private static let sleep = EntityForm(
    members: [
      Member("start_time", "startTime"), Member("end_time", "endTime"), Member("source", "source"),
      Member("source_id", "sourceID"), Member("notes", "notes"),
    ],
    parts: Parts(
      key: "stages", entity: "SDSleepStage", relationship: "session", order: "startTime",
      members: [
        Member("stage", "stage"), Member("start_time", "startTime"), Member("end_time", "endTime"),
      ]))

  private static let workout = EntityForm(
    members: [
      Member("activity_type", "activityType"), Member("title", "title"),
      Member("started_at", "startedAt"), Member("ended_at", "endedAt"),
      Member("duration_minutes", "durationMinutes"), Member("calories_burned", "caloriesBurned"),
      Member("distance_meters", "distanceMeters"), Member("intensity", "intensity"),
      Member("notes", "notes"), Member("source", "source"), Member("source_id", "sourceID"),
    ])

  private static let template = EntityForm(
    members: [
      Member("name", "name"), Member("description", "templateDescription"),
      Member("category", "category"), Member("difficulty_level", "difficultyLevel"),
      Member("estimated_duration_minutes", "estimatedDurationMinutes"),
    ],
    parts: Parts(
      key: "exercises", entity: "SDTemplateExercise", relationship: "template",
      order: "orderIndex",
      members: [
        Member("exercise_id", "exerciseID"), Member("user_exercise_id", "userExerciseID"),
        Member("exercise_name", "exerciseName"), Member("order_index", "orderIndex"),
        Member("sets", "sets"), Member("reps", "reps"), Member("weight_kg", "weightKg"),
        Member("duration_seconds", "durationSeconds"), Member("rest_seconds", "restSeconds"),
        Member("technique", "technique"), Member("notes", "notes"),
      ]))
}
