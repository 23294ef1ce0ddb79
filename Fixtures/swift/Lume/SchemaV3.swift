import Foundation
import SwiftData

/// The models of Lume V3, without initialisers.
enum SchemaV3: VersionedSchema {
  static var versionIdentifier = Schema.Version(3, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      SDAIInsight.self, SDChatConversation.self, SDChatMessage.self, SDGoal.self,
      SDJournalEntry.self, SDMoodEntry.self, SDOutboxEvent.self, SDStatistics.self,
    ]
  }

  @Model final class SDAIInsight {
    var archivedAt: Date?
    var backendId: String?
    var content: String
    var createdAt: Date
    var dataContextData: Data?
    var generatedAt: Date
    @Attribute(.unique) var id: UUID
    var insightType: String
    var isArchived: Bool
    var isFavorite: Bool
    var isRead: Bool
    var readAt: Date?
    var suggestions: [String]
    var summary: String?
    var title: String
    var updatedAt: Date
    var userId: UUID
  }

  @Model final class SDChatConversation {
    var contextData: Data?
    var createdAt: Date
    @Attribute(.unique) var id: UUID
    var isArchived: Bool
    var messageCount: Int
    var persona: String
    var title: String
    var updatedAt: Date
    var userId: UUID
  }

  @Model final class SDChatMessage {
    var content: String
    var conversationId: UUID
    @Attribute(.unique) var id: UUID
    var metadata: Data?
    var role: String
    var timestamp: Date
  }

  @Model final class SDGoal {
    var backendId: String?
    var category: String
    var createdAt: Date
    var goalDescription: String
    @Attribute(.unique) var id: UUID
    var progress: Double
    var status: String
    var targetDate: Date?
    var title: String
    var updatedAt: Date
    var userId: UUID
  }

  @Model final class SDJournalEntry {
    var backendId: String?
    var content: String
    var createdAt: Date
    var date: Date
    var entryType: String
    @Attribute(.unique) var id: UUID
    var isFavorite: Bool
    var linkedMoodId: UUID?
    var tags: [String]
    var title: String?
    var updatedAt: Date
    var userId: UUID
  }

  @Model final class SDMoodEntry {
    var associations: [String]
    var backendId: String?
    var createdAt: Date
    var date: Date
    @Attribute(.unique) var id: UUID
    var labels: [String]
    var notes: String?
    var source: String
    var sourceId: String?
    var updatedAt: Date
    var userId: UUID
    var valence: Double
  }

  @Model final class SDOutboxEvent {
    var completedAt: Date?
    var createdAt: Date
    var errorMessage: String?
    var eventType: String
    var id: UUID
    var lastAttemptAt: Date?
    var payload: Data
    var retryCount: Int
    var status: String
  }

  @Model final class SDStatistics {
    var createdAt: Date
    var data: Data
    @Attribute(.unique) var id: UUID
    var statisticsType: String
    var updatedAt: Date
    var userId: UUID
  }
}
