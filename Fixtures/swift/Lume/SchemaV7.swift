import Foundation
import SwiftData

/// The models of Lume V7, without initialisers.
enum SchemaV7: VersionedSchema {
  static var versionIdentifier = Schema.Version(7, 0, 0)

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
  typealias SDDietaryPreferences = SchemaV6.SDDietaryPreferences
  typealias SDGoal = SchemaV3.SDGoal
  typealias SDGoalTipCache = SchemaV4.SDGoalTipCache
  typealias SDJournalEntry = SchemaV3.SDJournalEntry
  typealias SDMoodEntry = SchemaV3.SDMoodEntry
  typealias SDStatistics = SchemaV3.SDStatistics
  typealias SDUserProfile = SchemaV6.SDUserProfile

  @Model final class SDOutboxEvent {
    var attemptCount: Int
    var completedAt: Date?
    var createdAt: Date
    var entityID: UUID
    var errorMessage: String?
    var eventType: String
    var id: UUID
    var isNewRecord: Bool
    var lastAttemptAt: Date?
    var maxAttempts: Int
    var metadata: String?
    var priority: Int
    var status: String
    var userID: String
  }
}
