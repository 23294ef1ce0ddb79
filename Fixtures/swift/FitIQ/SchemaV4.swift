import Foundation
import SwiftData

/// The models of FitIQ V4, without initialisers.
enum SchemaV4: VersionedSchema {
  static var versionIdentifier = Schema.Version(0, 0, 4)

  static var models: [any PersistentModel.Type] {
    [
      SDActivitySnapshot.self, SDDietaryAndActivityPreferences.self, SDOutboxEvent.self,
      SDPhysicalAttribute.self, SDProgressEntry.self, SDSleepSession.self, SDSleepStage.self,
      SDUserProfile.self,
    ]
  }

  typealias SDDietaryAndActivityPreferences = SchemaV2.SDDietaryAndActivityPreferences
  typealias SDOutboxEvent = SchemaV3.SDOutboxEvent
  typealias SDProgressEntry = SchemaV2.SDProgressEntry

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
    @Relationship var userProfile: SDUserProfile?
  }

  @Model final class SDPhysicalAttribute {
    var backendID: String?
    var backendSyncedAt: Date?
    var createdAt: Date = Date()
    var id: UUID = UUID()
    var type: PhysicalAttributeType = PhysicalAttributeType.bodyMass
    var updatedAt: Date?
    var value: Double?
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
    var userID: String = ""
    @Relationship(deleteRule: .cascade, inverse: \SDSleepStage.session)
    var stages: [SDSleepStage]?
    var userProfile: SDUserProfile?
  }

  @Model final class SDSleepStage {
    var durationMinutes: Int = 0
    var endTime: Date = Date()
    var id: UUID = UUID()
    var stage: String = ""
    var startTime: Date = Date()
    var session: SDSleepSession?
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
    var updatedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \SDActivitySnapshot.userProfile)
    var activitySnapshots: [SDActivitySnapshot]?
    @Relationship(deleteRule: .cascade, inverse: \SDPhysicalAttribute.userProfile)
    var bodyMetrics: [SDPhysicalAttribute]?
    @Relationship(deleteRule: .cascade, inverse: \SDDietaryAndActivityPreferences.userProfile)
    var dietaryAndActivityPreferences: SDDietaryAndActivityPreferences?
    @Relationship(deleteRule: .cascade, inverse: \SDProgressEntry.userProfile)
    var progressEntries: [SDProgressEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SDSleepSession.userProfile)
    var sleepSessions: [SDSleepSession]?
  }
}
