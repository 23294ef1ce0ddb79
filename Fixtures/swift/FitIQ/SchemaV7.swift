import Foundation
import SwiftData

/// The models of FitIQ V7, without initialisers.
enum SchemaV7: VersionedSchema {
  static var versionIdentifier = Schema.Version(0, 0, 7)

  static var models: [any PersistentModel.Type] {
    [
      SDActivitySnapshot.self, SDDietaryAndActivityPreferences.self, SDMeal.self,
      SDMealLogItem.self, SDMoodEntry.self, SDOutboxEvent.self, SDPhysicalAttribute.self,
      SDProgressEntry.self, SDSleepSession.self, SDSleepStage.self, SDUserProfile.self,
    ]
  }

  typealias SDDietaryAndActivityPreferences = SchemaV2.SDDietaryAndActivityPreferences
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
    var updatedAt: Date? = Date()
    var workoutDurationMinutes: Double?
    var workoutSessions: Int?
    @Relationship var userProfile: SDUserProfile?
  }

  @Model final class SDMeal {
    var backendID: String?
    var createdAt: Date = Date()
    var errorMessage: String?
    var id: UUID = UUID()
    var loggedAt: Date = Date()
    var mealType: MealType = MealType.breakfast
    var notes: String?
    var processingCompletedAt: Date?
    var processingStartedAt: Date?
    var rawInput: String = ""
    var status: MealLogStatus = MealLogStatus.pending
    var syncStatus: SyncStatus = SyncStatus.pending
    var totalCalories: Int?
    var totalCarbsG: Double?
    var totalFatG: Double?
    var totalFiberG: Double?
    var totalProteinG: Double?
    var totalSugarG: Double?
    var updatedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \SDMealLogItem.mealLog)
    var items: [SDMealLogItem]?
    @Relationship var userProfile: SDUserProfile?
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
    var quantity: String = ""
    var sugarG: Double?
    @Relationship var mealLog: SDMeal?
  }

  @Model final class SDMoodEntry {
    var associations: [String] = []
    var backendID: String?
    var createdAt: Date = Date()
    var date: Date = Date()
    var id: UUID = UUID()
    var labels: [String] = []
    var notes: String?
    var sourceID: String?
    var syncStatus: String = "pending"
    var updatedAt: Date?
    var valence: Double?
    @Relationship var userProfile: SDUserProfile?
  }

  @Model final class SDPhysicalAttribute {
    var backendID: String?
    var backendSyncedAt: Date?
    var createdAt: Date = Date()
    var id: UUID = UUID()
    var type: PhysicalAttributeType = PhysicalAttributeType.bodyMass
    var updatedAt: Date? = Date()
    var value: Double?
    @Relationship var userProfile: SDUserProfile?
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
    var userID: String = ""
    @Relationship var userProfile: SDUserProfile?
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
    @Relationship(deleteRule: .cascade, inverse: \SDSleepStage.session)
    var stages: [SDSleepStage]?
    @Relationship var userProfile: SDUserProfile?
  }

  @Model final class SDSleepStage {
    var durationMinutes: Int = 0
    var endTime: Date = Date()
    var id: UUID = UUID()
    var stage: String = ""
    var startTime: Date = Date()
    @Relationship var session: SDSleepSession?
  }

  @Model final class SDUserProfile {
    var bio: String?
    var biologicalSex: String?
    var createdAt: Date = Date()
    var dateOfBirth: Date?
    var hasPerformedInitialHealthKitSync: Bool = false
    var id: UUID = UUID()
    var languageCode: String?
    var lastSuccessfulDailySyncDate: Date?
    var name: String = ""
    var preferredUnitSystem: UnitSystem = UnitSystem.metric
    var updatedAt: Date? = Date()
    @Relationship(deleteRule: .cascade, inverse: \SDActivitySnapshot.userProfile)
    var activitySnapshots: [SDActivitySnapshot]?
    @Relationship(deleteRule: .cascade, inverse: \SDPhysicalAttribute.userProfile)
    var bodyMetrics: [SDPhysicalAttribute]?
    @Relationship(deleteRule: .cascade, inverse: \SDDietaryAndActivityPreferences.userProfile)
    var dietaryAndActivityPreferences: SDDietaryAndActivityPreferences?
    @Relationship(deleteRule: .cascade, inverse: \SDMeal.userProfile)
    var mealLogs: [SDMeal]?
    @Relationship(deleteRule: .cascade, inverse: \SDMoodEntry.userProfile)
    var moodEntries: [SDMoodEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SDProgressEntry.userProfile)
    var progressEntries: [SDProgressEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SDSleepSession.userProfile)
    var sleepSessions: [SDSleepSession]?
  }
}
