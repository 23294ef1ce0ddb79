/// The number of an entity's rows: one for every few outbox rows, and some more.
///
/// The additional rows make sure that each edge case of an entity occurs.
private let shares: [String: (every: Int, more: Int)] = [
  "SDOutboxEvent": (1, 0),
  // Lume.
  "SDMoodEntry": (2, 3), "SDJournalEntry": (4, 3), "SDGoal": (20, 3), "SDChatConversation": (40, 3),
  "SDChatMessage": (8, 4), "SDStatistics": (50, 2), "SDAIInsight": (30, 2),
  "SDGoalTipCache": (60, 2),
  // FitIQ.
  "SDProgressEntry": (2, 10), "SDActivitySnapshot": (30, 3), "SDPhysicalAttribute": (20, 4),
  "SDSleepSession": (20, 10), "SDSleepStage": (6, 6), "SDMeal": (10, 8),
  "SDPhotoRecognition": (40, 10), "SDRecognizedFoodItem": (10, 6), "SDWorkout": (30, 3),
  "SDWorkoutTemplate": (60, 3), "SDTemplateExercise": (15, 5),
  "SDMealLogItem": (4, Vocabulary.quantities.count),
  "fitiq.SDMoodEntry": (2, Choices.valences.count),
]

/// The entities with one row for each user.
private let perUser: Set<String> = [
  "SDUserProfile", "SDUserProfileV9", "SDUserProfileV10", "SDUserProfileV11",
  "SDDietaryPreferences",
  "SDDietaryAndActivityPreferences",
]

/// Returns the number of rows of an entity; it must not be abstract.
func rowCount(of entity: String, app: String, options: FixtureOptions) -> Int {
  if perUser.contains(entity) { return options.userCount }
  let share = shares["\(app).\(entity)"] ?? shares[entity] ?? (every: 10, more: 3)
  // In an app without an outbox, no entity has `options.rows` rows; all are a share of it.
  return options.rows / share.every + share.more
}
