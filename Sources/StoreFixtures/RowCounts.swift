/// How many rows an entity has for a number of outbox rows.
///
/// A share of them, and so many in any case that there is one for each of its edge cases.
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

/// The entities that have one row for each user.
private let perUser: Set<String> = [
  "SDUserProfile", "SDUserProfileV9", "SDUserProfileV10", "SDUserProfileV11",
  "SDDietaryPreferences",
  "SDDietaryAndActivityPreferences",
]

/// Returns the number of rows of an entity that isn't abstract.
func rowCount(of entity: String, app: String, options: FixtureOptions) -> Int {
  if perUser.contains(entity) { return options.userCount }
  let share = shares["\(app).\(entity)"] ?? shares[entity] ?? (every: 10, more: 3)
  // An app without an outbox has nothing that the number of rows counts; the others follow it.
  return options.rows / share.every + share.more
}
