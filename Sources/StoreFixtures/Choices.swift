/// The texts of attributes that have only a few, such as raw values of the apps' enums.
enum Choices {
  /// Returns the texts for an attribute, or `nil` if any text is valid.
  static func of(_ attribute: String, entity: String) -> [String]? {
    byPath["\(entity).\(attribute)"] ?? byName[attribute]
  }

  /// Moods that are edge cases for the conversion to integers.
  ///
  /// The list contains `nil`, the limits, values beyond them, both zeros, and values that end in a
  /// half on the scale from 1 to 10.
  static let valences: [Double?] = [
    -1, 1, nil, 0, -0.0, 0.5, -0.5, -2 / 9, -8 / 9, 4 / 9, 8 / 9, -1.5, 2, 1e300,
  ]

  private static let foods = [
    "Oat milk", "Pa\u{303}o de queijo", "Apple 🍎", "Half/half", "Rice",
  ]

  private static let byPath: [String: [String]] = [
    "SDPhysicalAttribute.type": ["bodyMass", "height", "bodyFatPercentage", "bmi"],
    "SDProgressEntry.type": [
      "steps", "resting_heart_rate", "weight", "mood_score", "water_intake", "body_fat_percentage",
    ],
    "SDMeal.status": ["pending", "processing", "completed", "failed"],
    "SDPhotoRecognition.status": ["pending", "processing", "completed", "failed"],
    "SDWorkoutTemplate.status": ["draft", "published"],
    "SDWorkoutTemplate.category": ["strength", "cardio", "mobility"],
    "SDGoal.status": ["active", "completed", "paused", "archived"],
    "SDGoal.category": ["general", "physical", "mental", "social", "spiritual", "professional"],
    "SDMealLogItem.name": foods,
    "SDRecognizedFoodItem.name": foods + [""],
    "SDMoodEntry.source": ["manual", "healthkit"],
  ]

  private static let byName: [String: [String]] = [
    "activityLevel": ["sedentary", "light", "moderate", "vigorous"],
    "activityType": ["Running", "Cycling", "Yoga", "workout", "Traditional Strength Training"],
    "biologicalSex": ["female", "male", "other"],
    "difficultyLevel": ["beginner", "intermediate", "advanced"],
    "email": ["ada@example.org", "jose+app@example.com", ""],
    "entryType": ["freeform", "gratitude", "reflection", "goal_review"],
    "exerciseName": ["Squat", "Deadlift", "Farmer's walk", "Développé couché"],
    "foodName": foods,
    "foodType": ["food", "drink", "water"],
    "insightType": ["weekly", "monthly", "daily", "milestone"],
    "languageCode": ["en", "de", "pt-BR", "ja"],
    "mealType": [
      "breakfast", "lunch", "dinner", "snack", "drink", "water", "supplements", "other",
    ],
    "name": Vocabulary.names,
    "persona": ["general_wellness", "mindfulness_coach", "nutrition_guide"],
    "photoFileName": ["IMG_0001.heic", "meal photo.jpg"],
    "preferredUnitSystem": ["imperial", "metric"],
    "role": ["user", "assistant", "system"],
    "source": ["HealthKit", "manual", "healthkit"],
    "stage": ["in_bed", "awake", "core", "deep", "rem"],
    "statisticsType": ["mood_weekly", "journal_weekly", "streaks"],
    "syncStatus": ["pending", "syncing", "synced", "failed"],
    "time": ["07:30", "12:05", "23:59:59"],
    "title": Vocabulary.titles,
    "unit": ["g", "ml", "cup", "piece", ""],
    "unitSystem": ["imperial", "metric"],
  ]
}
