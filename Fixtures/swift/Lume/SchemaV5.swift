import Foundation
import SwiftData

/// The models of Lume V5, without initialisers.
enum SchemaV5: VersionedSchema {
  static var versionIdentifier = Schema.Version(5, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      SDAIInsight.self, SDChatConversation.self, SDChatMessage.self, SDGoal.self,
      SDGoalTipCache.self, SDJournalEntry.self, SDMoodEntry.self, SDOutboxEvent.self,
      SDStatistics.self,
    ]
  }

  typealias SDChatConversation = SchemaV4.SDChatConversation
  typealias SDChatMessage = SchemaV3.SDChatMessage
  typealias SDGoal = SchemaV3.SDGoal
  typealias SDGoalTipCache = SchemaV4.SDGoalTipCache
  typealias SDJournalEntry = SchemaV3.SDJournalEntry
  typealias SDMoodEntry = SchemaV3.SDMoodEntry
  typealias SDOutboxEvent = SchemaV3.SDOutboxEvent
  typealias SDStatistics = SchemaV3.SDStatistics

  @Model final class SDAIInsight {
    var backendId: String?
    var content: String
    var createdAt: Date
    @Attribute(.unique) var id: UUID
    var insightType: String
    var isArchived: Bool
    var isFavorite: Bool
    var isRead: Bool
    var metricsData: Data?
    var periodEnd: Date?
    var periodStart: Date?
    var suggestions: [String]
    var summary: String?
    var title: String
    var updatedAt: Date
    var userId: UUID
  }
}
