import Foundation
import SwiftData

/// The models of FitIQ V2, without initialisers.
enum SchemaV2: VersionedSchema {
  static var versionIdentifier = Schema.Version(0, 0, 2)

  static var models: [any PersistentModel.Type] {
    [
      SDActivitySnapshot.self, SDDietaryAndActivityPreferences.self, SDPhysicalAttribute.self,
      SDProgressEntry.self, SDUserProfile.self,
    ]
  }

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

  @Model final class SDDietaryAndActivityPreferences {
    var allergies: [String]?
    var createdAt: Date = Date()
    var dietaryRestrictions: [String]?
    var foodDislikes: [String]?
    var updatedAt: Date?
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
  }
}
