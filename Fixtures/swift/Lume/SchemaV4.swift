import Foundation
import SwiftData

/// The models of Lume V4, without initialisers.
enum SchemaV4: VersionedSchema {
  static var versionIdentifier = Schema.Version(4, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      SDAIInsight.self, SDChatConversation.self, SDChatMessage.self, SDGoal.self,
      SDGoalTipCache.self, SDJournalEntry.self, SDMoodEntry.self, SDOutboxEvent.self,
      SDStatistics.self,
    ]
  }

  typealias SDAIInsight = SchemaV3.SDAIInsight
  typealias SDChatMessage = SchemaV3.SDChatMessage
  typealias SDGoal = SchemaV3.SDGoal
  typealias SDJournalEntry = SchemaV3.SDJournalEntry
  typealias SDMoodEntry = SchemaV3.SDMoodEntry
  typealias SDOutboxEvent = SchemaV3.SDOutboxEvent
  typealias SDStatistics = SchemaV3.SDStatistics

  @Model final class SDChatConversation {
    var contextData: Data?
    var createdAt: Date
    var hasContextForGoalSuggestions: Bool
    @Attribute(.unique) var id: UUID
    var isArchived: Bool
    var messageCount: Int
    var persona: String
    var title: String
    var updatedAt: Date
    var userId: UUID
  }

  @Model final class SDGoalTipCache {
    var backendId: String?
    var expiresAt: Date
    var fetchedAt: Date
    var goalId: UUID
    @Attribute(.unique) var id: UUID
    var tipsData: Data
  }
}
