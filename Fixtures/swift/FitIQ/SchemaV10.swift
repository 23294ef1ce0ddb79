import Foundation
import SwiftData

/// The models of FitIQ V10, without initialisers.
enum SchemaV10: VersionedSchema {
  static var versionIdentifier = Schema.Version(0, 1, 0)

  static var models: [any PersistentModel.Type] {
    [
      SDActivitySnapshot.self, SDDietaryAndActivityPreferences.self, SDMeal.self,
      SDMealLogItem.self, SDMoodEntry.self, SDOutboxEvent.self, SDPhotoRecognition.self,
      SDPhysicalAttribute.self, SDProgressEntry.self, SDRecognizedFoodItem.self,
      SDSleepSession.self, SDSleepStage.self, SDUserProfileV10.self, SDWorkout.self,
    ]
  }

  typealias SDOutboxEvent = SchemaV3.SDOutboxEvent

  @Model final class SDActivitySnapshot {
    var activeMinutes: Int?
    var activityLevel: ActivityLevel = ActivityLevel.sedentary
    var backendID: String?
    var backendSyncedAt: Date?
    var caloriesBurned: Double?
    var createdAt: Date = Date()
    var date: Date = Date()
    var distanceKm: Double?
    var heartRateAvg: Double?
    var id: UUID = UUID()
    var steps: Int?
    var updatedAt: Date?
    var workoutDurationMinutes: Double?
    var workoutSessions: Int?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDDietaryAndActivityPreferences {
    var allergies: [String]?
    var createdAt: Date = Date()
    var dietaryRestrictions: [String]?
    var foodDislikes: [String]?
    var updatedAt: Date?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDMeal {
    var backendID: String?
    var createdAt: Date = Date()
    var errorMessage: String?
    var id: UUID = UUID()
    var loggedAt: Date = Date()
    var mealType: String = "snack"
    var notes: String?
    var processingCompletedAt: Date?
    var processingStartedAt: Date?
    var rawInput: String = ""
    var status: String = "pending"
    var syncStatus: String = "pending"
    var totalCalories: Int?
    var totalCarbsG: Double?
    var totalFatG: Double?
    var totalFiberG: Double?
    var totalProteinG: Double?
    var totalSugarG: Double?
    var updatedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDMealLogItem.mealLog)
    var items: [SDMealLogItem]?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDMealLogItem {
    var backendID: String?
    var calories: Double = 0.0
    var carbs: Double = 0.0
    var confidence: Double?
    var createdAt: Date = Date()
    var fat: Double = 0.0
    var fiberG: Double?
    var foodType: String = "food"
    var id: UUID = UUID()
    var name: String = ""
    var orderIndex: Int = 0
    var parsingNotes: String?
    var protein: Double = 0.0
    var quantity: Double = 0.0
    var sugarG: Double?
    var unit: String = ""
    var mealLog: SDMeal?
  }

  @Model final class SDMoodEntry {
    var backendID: String?
    var createdAt: Date = Date()
    var date: Date = Date()
    var id: UUID = UUID()
    var notes: String?
    var syncStatus: String = "pending"
    var updatedAt: Date?
    var value: Int = 5
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDPhotoRecognition {
    var backendID: String?
    var createdAt: Date = Date()
    var errorMessage: String?
    var id: UUID = UUID()
    var photoFileName: String?
    var processedAt: Date?
    var rawResponse: String?
    var status: String = "pending"
    var syncStatus: String = "pending"
    var updatedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDRecognizedFoodItem.photoRecognition)
    var recognizedFoods: [SDRecognizedFoodItem]?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDPhysicalAttribute {
    var backendID: String?
    var backendSyncedAt: Date?
    var createdAt: Date = Date()
    var id: UUID = UUID()
    var type: PhysicalAttributeType = PhysicalAttributeType.bodyMass
    var updatedAt: Date? = Date()
    var value: Double?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDProgressEntry {
    var backendID: String?
    var createdAt: Date = Date()
    var date: Date = Date()
    var id: UUID = UUID()
    var notes: String?
    var quantity: Double = 0.0
    var syncStatus: String = "pending"
    var time: String?
    var type: String = ""
    var updatedAt: Date?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDRecognizedFoodItem {
    var calories: Double = 0
    var carbsG: Double = 0
    var confidence: Double?
    var createdAt: Date = Date()
    var fatG: Double = 0
    var fiberG: Double?
    var foodName: String = ""
    var id: UUID = UUID()
    var orderIndex: Int = 0
    var proteinG: Double = 0
    var quantity: Double?
    var sugarG: Double?
    var unit: String?
    @Relationship var photoRecognition: SDPhotoRecognition?
  }

  @Model final class SDSleepSession {
    var backendID: String?
    var createdAt: Date = Date()
    var date: Date = Date()
    var endTime: Date = Date()
    var id: UUID = UUID()
    var notes: String?
    var sleepEfficiency: Double = 0.0
    var source: String?
    var sourceID: String?
    var startTime: Date = Date()
    var syncStatus: String = "pending"
    var timeInBedMinutes: Int = 0
    var totalSleepMinutes: Int = 0
    var updatedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDSleepStage.session)
    var stages: [SDSleepStage]?
    @Relationship var userProfile: SDUserProfileV10?
  }

  @Model final class SDSleepStage {
    var durationMinutes: Int = 0
    var endTime: Date = Date()
    var id: UUID = UUID()
    var stage: String = ""
    var startTime: Date = Date()
    @Relationship var session: SDSleepSession?
  }

  @Model final class SDUserProfileV10 {
    var authToken: String?
    var biologicalSex: String?
    var createdAt: Date = Date()
    var dailyCalorieGoal: Double?
    var dateOfBirth: Date?
    var email: String = ""
    var hasPerformedInitialHealthKitSync: Bool = false
    var id: UUID = UUID()
    var lastSuccessfulDailySyncDate: Date?
    var name: String = ""
    var refreshToken: String?
    var refreshTokenExpiresAt: Date?
    var tokenExpiresAt: Date?
    var unitSystem: String = "metric"
    var updatedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDActivitySnapshot.userProfile)
    var activitySnapshots: [SDActivitySnapshot]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDPhysicalAttribute.userProfile)
    var bodyMetrics: [SDPhysicalAttribute]?
    @Relationship(
      deleteRule: .cascade, inverse: \SchemaV10.SDDietaryAndActivityPreferences.userProfile)
    var dietaryAndActivityPreferences: SDDietaryAndActivityPreferences?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDMeal.userProfile)
    var mealLogs: [SDMeal]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDMoodEntry.userProfile)
    var moodEntries: [SDMoodEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDPhotoRecognition.userProfile)
    var photoRecognitions: [SDPhotoRecognition]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDProgressEntry.userProfile)
    var progressEntries: [SDProgressEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDSleepSession.userProfile)
    var sleepSessions: [SDSleepSession]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV10.SDWorkout.userProfile)
    var workouts: [SDWorkout]?
  }

  @Model final class SDWorkout {
    var activityType: String = ""
    var backendID: String?
    var caloriesBurned: Int?
    var createdAt: Date = Date()
    var distanceMeters: Double?
    var durationMinutes: Int?
    var endedAt: Date?
    var id: UUID = UUID()
    var intensity: Int?
    var notes: String?
    var source: String = "HealthKit"
    var sourceID: String?
    var startedAt: Date = Date()
    var syncStatus: String = "pending"
    var title: String?
    var updatedAt: Date?
    @Relationship var userProfile: SDUserProfileV10?
  }
}
