import Foundation
import SwiftData

/// The models of FitIQ V5, without initialisers.
enum SchemaV5: VersionedSchema {
  static var versionIdentifier = Schema.Version(0, 0, 5)

  static var models: [any PersistentModel.Type] {
    [
      SDActivitySnapshot.self, SDDietaryAndActivityPreferences.self, SDMoodEntry.self,
      SDOutboxEvent.self, SDPhysicalAttribute.self, SDProgressEntry.self, SDSleepSession.self,
      SDSleepStage.self, SDUserProfile.self,
    ]
  }

  typealias SDActivitySnapshot = SchemaV4.SDActivitySnapshot
  typealias SDDietaryAndActivityPreferences = SchemaV2.SDDietaryAndActivityPreferences
  typealias SDOutboxEvent = SchemaV3.SDOutboxEvent
  typealias SDPhysicalAttribute = SchemaV4.SDPhysicalAttribute
  typealias SDProgressEntry = SchemaV2.SDProgressEntry
  typealias SDSleepSession = SchemaV4.SDSleepSession
  typealias SDSleepStage = SchemaV4.SDSleepStage

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
    var userID: String = ""
    var valence: Double?
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
    @Relationship(deleteRule: .cascade, inverse: \SchemaV5.SDActivitySnapshot.userProfile)
    var activitySnapshots: [SDActivitySnapshot]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV5.SDPhysicalAttribute.userProfile)
    var bodyMetrics: [SDPhysicalAttribute]?
    @Relationship(
      deleteRule: .cascade, inverse: \SchemaV5.SDDietaryAndActivityPreferences.userProfile)
    var dietaryAndActivityPreferences: SDDietaryAndActivityPreferences?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV5.SDMoodEntry.userProfile)
    var moodEntries: [SDMoodEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV5.SDProgressEntry.userProfile)
    var progressEntries: [SDProgressEntry]?
    @Relationship(deleteRule: .cascade, inverse: \SchemaV5.SDSleepSession.userProfile)
    var sleepSessions: [SDSleepSession]?
  }
}
