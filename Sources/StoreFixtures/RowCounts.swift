/// How many rows an entity has for a number of outbox rows: a share of them, and a few in any case.
private let shares: [String: (every: Int, more: Int)] = [
  "SDOutboxEvent": (1, 0),
  // Lume.
  "SDMoodEntry": (2, 3), "SDJournalEntry": (4, 3), "SDGoal": (20, 3), "SDChatConversation": (40, 3),
  "SDChatMessage": (8, 4), "SDStatistics": (50, 2), "SDAIInsight": (30, 2),
  "SDGoalTipCache": (60, 2),
  // FitIQ.
  "SDProgressEntry": (2, 5), "SDActivitySnapshot": (30, 3), "SDPhysicalAttribute": (20, 4),
  "SDSleepSession": (20, 3), "SDSleepStage": (6, 6), "SDMeal": (10, 3), "SDMealLogItem": (4, 24),
  "SDPhotoRecognition": (40, 3), "SDRecognizedFoodItem": (10, 5), "SDWorkout": (30, 3),
  "SDWorkoutTemplate": (60, 3), "SDTemplateExercise": (15, 5),
]

/// The entities that have one row for each user.
private let perUser: Set<String> = [
  "SDUserProfile", "SDUserProfileV9", "SDUserProfileV10", "SDUserProfileV11",
  "SDDietaryPreferences",
  "SDDietaryAndActivityPreferences",
]

/// Returns the number of rows of an entity that isn't abstract.
func rowCount(of entity: String, options: FixtureOptions) -> Int {
  if perUser.contains(entity) { return options.userCount }
  let share = shares[entity] ?? (every: 10, more: 3)
  // An app without an outbox has nothing that the number of rows counts; the others follow it.
  return options.rows / share.every + share.more
}
