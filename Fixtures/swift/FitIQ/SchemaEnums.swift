// The enums that models of FitIQ have as attributes.

enum ActivityLevel: String, Codable {
  case sedentary
  case light
  case moderate
  case vigorous
}

enum MealLogStatus: String, Codable {
  case pending
  case processing
  case completed
  case failed
}

enum MealType: String, Codable {
  case breakfast
  case lunch
  case dinner
  case snack
  case drink
  case water
  case supplements
  case other
}

enum PhysicalAttributeType: String, Codable {
  case bodyMass
  case height
  case bodyFatPercentage
  case bmi
}

enum SyncStatus: String, Codable {
  case pending
  case syncing
  case synced
  case failed
}

enum UnitSystem: String, Codable {
  case metric
  case imperial
}
