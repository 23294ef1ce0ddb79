import Foundation
import SwiftData

/// The models of Lume V6, without initialisers.
enum SchemaV6: VersionedSchema {
  static var versionIdentifier = Schema.Version(6, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      SDAIInsight.self, SDChatConversation.self, SDChatMessage.self, SDDietaryPreferences.self,
      SDGoal.self, SDGoalTipCache.self, SDJournalEntry.self, SDMoodEntry.self, SDOutboxEvent.self,
      SDStatistics.self, SDUserProfile.self,
    ]
  }

  typealias SDAIInsight = SchemaV5.SDAIInsight
  typealias SDChatConversation = SchemaV4.SDChatConversation
  typealias SDChatMessage = SchemaV3.SDChatMessage
  typealias SDGoal = SchemaV3.SDGoal
  typealias SDGoalTipCache = SchemaV4.SDGoalTipCache
  typealias SDJournalEntry = SchemaV3.SDJournalEntry
  typealias SDMoodEntry = SchemaV3.SDMoodEntry
  typealias SDOutboxEvent = SchemaV3.SDOutboxEvent
  typealias SDStatistics = SchemaV3.SDStatistics

  @Model final class SDDietaryPreferences {
    var allergies: [String]
    var createdAt: Date
    var dietaryRestrictions: [String]
    var foodDislikes: [String]
    @Attribute(.unique) var id: String
    var updatedAt: Date
    var userProfileId: String
  }

  @Model final class SDUserProfile {
    var bio: String?
    var biologicalSex: String?
    var createdAt: Date
    var dateOfBirth: Date?
    var heightCm: Double?
    @Attribute(.unique) var id: String
    var languageCode: String
    var name: String
    var preferredUnitSystem: String
    var updatedAt: Date
    var userId: String
  }
}
